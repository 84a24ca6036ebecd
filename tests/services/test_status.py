"""Status: what is told in full, what all of it comes to, and that nobody is told what was read before they asked."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.domain.lease import LeaseState
from bot.domain.policy import Policy
from bot.services.read import MOST_SHOWN, Listing, Read
from storage.schema import migrate
from storage.store import SqlStore, SqlTx
from tests.storage.samples import HOUR, NOON, at, lease

PRICE = 2_000_000
MANY = 14


class SlowStore(SqlStore):
    """One whose readings can be held up before they begin; counts them."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.readings = 0
        self.may_read, self.is_asked = threading.Event(), threading.Event()
        self.may_read.set()

    @contextmanager
    def read(self) -> Iterator[SqlTx]:
        with super().read() as tx:
            self.readings += 1
            tx.leases.live(None, 1)  # from here on this reading sees nothing that is written
            self.is_asked.set()
            assert self.may_read.wait(10)
            yield tx


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SlowStore]:
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    store = SlowStore(url)
    yield store
    store.close()


def add(store: SqlStore, number: int, owner: str) -> None:
    value = lease(f"l{number}", f"name-{number}", owner=owner, requested_at=at(number / 100))
    with store.transaction() as tx:
        tx.leases.add(value)
        tx.leases.save(value.moved(LeaseState.LAUNCHING, NOON, launched_at=NOON), NOON)


def reader(store: SqlStore) -> Read:
    return Read(store, lambda: NOON + HOUR, Policy(), {})


def names(listing: Listing) -> list[str]:
    return [view.lease.name for view in listing.shown]


def test_the_oldest_are_told_in_full_and_all_are_counted(store: SlowStore) -> None:
    for number in range(MANY):
        add(store, number, "U1")
    add(store, MANY, "U2")
    read = reader(store)
    mine, theirs, all_of_them, nobodys = (read.status(owner) for owner in ("U1", "U2", None, "U3"))
    assert names(mine) == names(all_of_them) == [f"name-{number}" for number in range(MOST_SHOWN)]
    assert (mine.count, mine.cost_microusd) == (MANY, MANY * PRICE)
    assert (names(theirs), theirs.count, theirs.cost_microusd) == ([f"name-{MANY}"], 1, PRICE)
    assert (all_of_them.count, all_of_them.cost_microusd) == (MANY + 1, (MANY + 1) * PRICE)
    assert nobodys == Listing((), 0, 0)


def test_who_asks_during_a_reading_shares_the_next_one(store: SlowStore) -> None:
    add(store, 1, "U1")
    read = reader(store)
    store.may_read.clear()
    with ThreadPoolExecutor(9) as pool:
        early = pool.submit(read.status, "U1")
        assert store.is_asked.wait(10)
        add(store, 2, "U1")
        late = [pool.submit(read.status, owner) for owner in ("U1", "U2", None) * 2]
        while pool._work_queue.qsize():
            threading.Event().wait(0.01)
        threading.Event().wait(0.1)  # all are in line: nothing but the held reading can be waited for
        store.may_read.set()
        counts = [future.result(10).count for future in late]
    assert early.result().count == 1
    assert counts == [2, 0, 2] * 2
    assert store.readings == 2


def test_a_reading_that_fails_fails_for_all_and_not_for_good(store: SlowStore) -> None:
    add(store, 1, "U1")
    read = reader(store)
    store.close()
    with store.transaction() as tx:
        tx.leases._session.connection().exec_driver_sql("ALTER TABLE questions RENAME TO gone")
    with pytest.raises(Exception, match="questions"):
        read.status("U1")
    with store.transaction() as tx:
        tx.leases._session.connection().exec_driver_sql("ALTER TABLE gone RENAME TO questions")
    assert read.status("U1").count == 1
