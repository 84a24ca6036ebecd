"""Watched paths and wishes to get something from the archive come back as they were stored."""

from dataclasses import fields, replace

import pytest

from bot.domain.fetching.browse import ArchivedFile
from bot.domain.fetching.run import FetchRun
from bot.domain.inventory.files import FileState
from bot.domain.inventory.hashes import HashKind
from bot.domain.inventory.verification import ManifestEntry
from bot.domain.inventory.wishes import Treatment, WatchedPath
from bot.domain.lease import LeaseState
from bot.domain.places import MessageRef
from storage import tables
from storage.store import SqlStore
from tests.storage.samples import NOON, at, lease, unfilled

ODD = b"~/odd/\xff\n" + b"x" * 3000
FULL = FetchRun(
    "f1", "l1", "U1", NOON, ODD, told=MessageRef("D1", "1.2"), ended_at=at(2), attempts=3, next_try_at=at(1)
)
WISH = WatchedPath("l1", ODD, Treatment.SKIPPED, "U1", NOON)


@pytest.fixture
def ready(store: SqlStore) -> SqlStore:
    """Three leases of one name, one after the other, and one of another."""
    over = {"state": LeaseState.RELEASED}
    with store.transaction() as tx:
        tx.leases.add(lease("l0", **over))
        tx.leases.add(lease("l1", requested_at=at(1), **over))
        tx.leases.add(lease("l2", requested_at=at(2)))
        tx.leases.add(lease("l3", "blue-owl", requested_at=at(3), owner="U2"))
        for lease_id, sizes in (("l0", (1,)), ("l1", (5, 7)), ("l3", (2,))):
            states = [FileState(ODD + b"%d" % number, size, 1, 2, 3) for number, size in enumerate(sizes)]
            tx.safe.verified(lease_id, [ManifestEntry(state, HashKind.MD5, "ab" * 16, at(4)) for state in states])
    return store


@pytest.mark.parametrize(("value", "row"), [(FetchRun, tables.FetchRow), (WatchedPath, tables.WatchedRow)])
def test_a_table_has_a_column_for_every_field(value: type, row: type) -> None:
    assert {field.name for field in fields(value)} <= set(row.__table__.columns.keys())  # type: ignore[attr-defined,arg-type]


def test_a_wish_comes_back_and_is_due_until_it_ends(ready: SqlStore) -> None:
    assert unfilled(FULL) == []
    waiting = FetchRun("f2", "l2", "U1", at(1), next_try_at=at(3))
    with ready.transaction() as tx:
        tx.fetches.add(FetchRun("f1", "l1", "U1", NOON))
        tx.fetches.add(waiting)
        assert tx.fetches.due(at(2), 9) == ("f1",)
        assert tx.fetches.due(at(3), 9) == ("f1", "f2")
        tx.fetches.save(FULL)
    with ready.read() as tx:
        assert (tx.fetches.get("f1"), tx.fetches.get("f2"), tx.fetches.get("f3")) == (FULL, waiting, None)
        assert tx.fetches.due(at(9), 9) == ("f2",)


def test_leases_of_a_name_newest_first_with_what_is_held_of_each(ready: SqlStore) -> None:
    with ready.read() as tx:
        found = [(lease.id, has_copies) for lease, has_copies in tx.fetches.called("amber-fox")]
        assert found == [("l2", False), ("l1", True), ("l0", True)]
        assert [lease.id for lease, _ in tx.fetches.called("amber-fox-l0")] == ["l0"]
        assert tx.fetches.called("nobody") == ()
        held = [(one.lease.id, one.files, one.size_bytes) for one in tx.fetches.holdings("U1", 9)]
        assert held == [("l1", 2, 12), ("l0", 1, 1)]
        assert tx.fetches.names(9) == ("blue-owl", "amber-fox")
        assert tx.fetches.files("l1") == (ArchivedFile(ODD + b"0", 5), ArchivedFile(ODD + b"1", 7))
        assert tx.fetches.file("l1", ODD + b"1") == ArchivedFile(ODD + b"1", 7, at(4))
        assert tx.fetches.file("l1", ODD) is None
        assert tx.fetches.below("l1", b"~/odd") == tx.fetches.below("l1", b"~/odd/") == (2, 12)
        assert tx.fetches.below("l1", b"~/od") == tx.fetches.below("l2", b"~/odd") == (0, 0)
        assert tx.fetches.hash_of("l1", ODD + b"0") == (HashKind.MD5, "ab" * 16)
        assert tx.fetches.hash_of("l1", ODD) is None


def test_a_path_is_named_once_and_the_last_word_counts(ready: SqlStore) -> None:
    assert unfilled(WISH) == []
    other = WatchedPath("l1", b"/data", Treatment.ADDED, "U2", at(1))
    with ready.transaction() as tx:
        tx.watched.put(other)
        tx.watched.put(replace(WISH, treatment=Treatment.ADDED))
        tx.watched.put(WISH)
        assert tx.watched.of("l1") == (WISH, other)
        assert tx.watched.of("l2") == ()
        assert not tx.watched.remove("l2", ODD)
        assert tx.watched.remove("l1", ODD)
        assert tx.watched.of("l1") == (other,)
