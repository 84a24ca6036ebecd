"""Transactions: all or nothing, no update lost, and a plain word when the database is locked or away."""

import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from bot.domain.living import Subject
from bot.domain.notice import Priority
from bot.errors import SettingsError, StoreUnavailable
from storage.engines import parse_url
from storage.schema import current, migrate
from storage.store import SqlStore
from tests.storage.cluster import Cluster
from tests.storage.samples import NOON, lease, notice
from tests.storage.threads import at_once


def test_no_update_is_lost(store: SqlStore, open_store: Callable[..., SqlStore]) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
    stores = [store, open_store(30)]

    def work(number: int) -> None:
        for _ in range(25):
            with stores[number % 2].transaction() as tx:
                found = tx.leases.lock("l1")
                assert found is not None
                tx.leases.save(found.evolve(attempts=found.attempts + 1), NOON)

    at_once(8, work)
    with store.read() as tx:
        found = tx.leases.get("l1")
    assert found is not None
    assert (found.attempts, found.version) == (200, 200)


def test_an_exception_takes_everything_back(store: SqlStore) -> None:
    def fail() -> None:
        with store.transaction() as tx:
            tx.leases.add(lease())
            tx.outbox.put(notice(), NOON)
            raise KeyError("bug")

    with pytest.raises(KeyError):
        fail()
    with store.read() as tx:
        assert tx.leases.live() == ()
        assert tx.outbox.due(NOON, 10) == ()


def test_reading_neither_writes_nor_waits_for_a_writer(store: SqlStore, open_store: Callable[..., SqlStore]) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
        with open_store(0.1).read() as reading:
            assert reading.leases.live() == ()
    with pytest.raises((StoreUnavailable, DBAPIError), match=r"read-?only"), store.read() as tx:
        tx.leases.look_now(("l1",), NOON)


def test_reading_sees_one_moment(store: SqlStore) -> None:
    with store.read() as reading:
        assert reading.leases.live() == ()
        with store.transaction() as tx:
            tx.leases.add(lease())
        assert reading.leases.live() == ()
    with store.read() as reading:
        assert len(reading.leases.live()) == 1


def test_a_locked_database_is_unavailable_and_nothing_is_half_done(
    store: SqlStore, open_store: Callable[..., SqlStore]
) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
    impatient = open_store(0.05)

    def write_both() -> None:
        with impatient.transaction() as other:
            other.outbox.put(notice(), NOON)
            other.leases.lock("l1")

    with store.transaction() as tx:
        tx.leases.lock("l1")
        with pytest.raises(StoreUnavailable) as refused:
            write_both()
        assert refused.value.__cause__ is not None
        assert "lock" in refused.value.detail
        assert "SELECT" not in refused.value.detail
    write_both()
    with store.read() as tx:
        assert len(tx.outbox.due(NOON, 10)) == 1


def test_a_hundred_threads_are_served(store: SqlStore) -> None:
    def work(number: int) -> bool:
        with store.transaction() as tx:
            first = tx.inbox.first_time(f"Ev{number}", NOON)
        with store.read() as tx:
            tx.leases.live()
        return first

    assert at_once(100, work) == [True] * 100


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_threads_that_find_no_connection_are_told_so(open_store: Callable[..., SqlStore]) -> None:
    store = open_store(1.0)
    with store.transaction() as tx, ThreadPoolExecutor(1) as pool:
        tx.inbox.first_time("Ev1", NOON)
        waiting = pool.submit(_write, store)
        with pytest.raises(StoreUnavailable):
            waiting.result(30)


def _write(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.inbox.first_time("Ev2", NOON)


def test_a_server_that_is_away_and_comes_back(cluster: Cluster) -> None:
    cluster.execute("CREATE DATABASE away")
    migrate(cluster.url("away"))
    with closing(SqlStore(cluster.url("away"))) as store:
        _write(store)

        def write_meanwhile() -> None:
            with store.transaction() as tx:
                tx.leases.add(lease())
                cluster.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'away'")
                tx.leases.live()

        with pytest.raises(StoreUnavailable):
            write_meanwhile()
        with store.read() as tx:
            assert tx.leases.live() == ()
    cluster.execute("DROP DATABASE away WITH (FORCE)")


def test_nobody_listens() -> None:
    with closing(SqlStore("postgres://tester:geheim@127.0.0.1:1/gpubot")) as store:
        with pytest.raises(StoreUnavailable) as refused, store.read() as tx:
            tx.leases.live()
        assert "geheim" not in str(refused.value)
    with pytest.raises(StoreUnavailable):
        migrate("postgres://tester@127.0.0.1:1/gpubot")
    with pytest.raises(StoreUnavailable):
        current("postgres://tester@127.0.0.1:1/gpubot")


def test_a_place_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file" / "gpubot.db"):
        with pytest.raises(StoreUnavailable):
            SqlStore(f"sqlite:///{path}")


def test_a_file_that_is_something_else(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database, " * 100)
    with pytest.raises(StoreUnavailable, match="not a database"):
        migrate(f"sqlite:///{tmp_path}/notes.txt")


def test_a_database_that_was_never_migrated(empty_url: str) -> None:
    with closing(SqlStore(empty_url)) as store, pytest.raises((StoreUnavailable, DBAPIError)):
        _write(store)


def test_a_sqlite_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/deep/gpubot.db"
    migrate(url)
    with closing(SqlStore(url)) as store, store.transaction() as tx:
        tx.leases.add(lease())
        files = sorted((tmp_path / "deep").iterdir())
        assert [file.name for file in files] == ["gpubot.db", "gpubot.db-shm", "gpubot.db-wal"]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_foreign_keys_are_checked(store: SqlStore) -> None:
    with pytest.raises(DBAPIError, match=r"(?i)foreign key"), store.transaction() as tx:
        tx.living.add(Subject.QUESTION, "q1", "C1", "nobody", Priority.PERSON)


@pytest.mark.parametrize(
    ("address", "driver"),
    [
        ("postgres://u:p@db/gpubot", "postgresql+psycopg"),
        ("postgresql://u:p@db/gpubot?sslmode=require", "postgresql+psycopg"),
        ("postgresql+psycopg2://u:p@db/gpubot", "postgresql+psycopg"),
        ("sqlite:///gpubot.db", "sqlite"),
        ("sqlite+pysqlite:////var/gpubot.db", "sqlite"),
    ],
)
def test_addresses(address: str, driver: str) -> None:
    url = parse_url(address)
    assert url.drivername == driver
    assert url.query.get("sslmode") == ("require" if "sslmode" in address else None)


@pytest.mark.parametrize("address", ["", "gpubot.db", "sqlite://", "sqlite:///:memory:", "mysql://u:geheim@db/x"])
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(SettingsError) as refused:
        SqlStore(address)
    assert refused.value.faults[0].startswith("database_url: ")
    assert "geheim" not in str(refused.value)
