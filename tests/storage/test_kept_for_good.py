"""The audit, looks and lists are only ever added to: the database itself refuses to change or delete them."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bot.domain.audit import AuditEntry
from bot.domain.disk import Disk, DiskState
from bot.domain.inventory.files import FileState
from bot.domain.inventory.inventory import Inventory
from bot.domain.inventory.listed import pack
from bot.domain.looks import LastLook
from bot.domain.on_disk import OnDisk
from storage.engines import open_engine, parse_url
from storage.store import SqlStore
from tests.storage.samples import NOON, at, lease, question

FILES = tuple(FileState(b"~/work/\xff\n%d" % n, n, n, n, n) for n in range(1, 301))
SUM = sum(int.from_bytes(state.digest, "big") for state in FILES) % (1 << 128)
SHOWN = Inventory(NOON, files=300, size_bytes=45150, rest=f"{SUM:032x}", told="")


@pytest.fixture
def kept(store: SqlStore) -> SqlStore:
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.questions.add(question())
        tx.audit.add(AuditEntry(at(0), "U1", "release-asked", "l1"))
        tx.looks.show("q1", SHOWN)
        tx.looks.keep_list("q1", pack(FILES, SHOWN))
        tx.disks.add(Disk("d1", "models", "U1", "T1", "C1", "local", "here", 1, 1, "l1", DiskState.KEPT, NOON))
        tx.disks.looked("d1", OnDisk("l1", SHOWN), NOON)
    return store


@pytest.mark.parametrize("table", ["audit", "looks", "listings", "disk_looks"])
@pytest.mark.parametrize("act", ["UPDATE {table} SET {column} = {column}", "DELETE FROM {table}", "TRUNCATE {table}"])
def test_nobody_changes_what_is_on_record(kept: SqlStore, database_url: str, kind: str, table: str, act: str) -> None:
    if kind == "sqlite" and act.startswith("TRUNCATE"):
        act = "DELETE FROM {table}"
    column = {"audit": "action", "disk_looks": "disk_id"}.get(table, "question_id")
    engine = open_engine(parse_url(database_url))
    with pytest.raises(DBAPIError, match=f"{table} is append-only"), engine.begin() as connection:
        connection.execute(text(act.format(table=table, column=column)))
    engine.dispose()
    with kept.read() as tx:
        assert len(tx.audit.of("l1", 10)) == 1
        assert tx.looks.listed("q1") is not None


def test_a_later_look_counts_and_the_earlier_ones_stay(kept: SqlStore, database_url: str) -> None:
    for hours in (1, 2, 3):
        with kept.transaction() as tx:
            tx.looks.last("q1", LastLook(Inventory(at(hours)), is_fenced=hours == 3))
    with kept.read() as tx:
        looks = tx.looks.of("q1")
    assert looks.last is not None
    assert (looks.last.inventory.taken_at, looks.last.is_fenced) == (at(3), True)
    engine = open_engine(parse_url(database_url))
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM looks")).scalar_one() == 4
    engine.dispose()


def test_the_whole_list_is_kept_and_compared_with_what_was_counted(kept: SqlStore) -> None:
    with kept.read() as tx:
        listed = tx.looks.listed("q1")
    assert listed is not None
    assert listed.is_whole
    assert list(listed.lines(1000)) == [(state.size_bytes, state.path) for state in FILES]
    assert len(list(listed.lines(50))) == 50
    assert not pack(FILES[1:], SHOWN).is_whole
    changed = FileState(FILES[0].path, 1, 99, 99, 1)
    assert not pack((changed, *FILES[1:]), SHOWN).is_whole, "another state of the same file"


def test_a_list_is_kept_once(kept: SqlStore) -> None:
    with kept.transaction() as tx:
        tx.looks.keep_list("q1", pack(FILES[:1], SHOWN))
    with kept.read() as tx:
        listed = tx.looks.listed("q1")
    assert listed is not None
    assert listed.files == 300
