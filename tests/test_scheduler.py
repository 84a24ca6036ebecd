"""The schedule: rounds one at a time, nothing lost between them, claims around each step."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.domain.claim import Claim, Duty
from bot.scheduler import Line, Scheduler
from storage.schema import migrate
from storage.store import SqlStore


def clock() -> datetime:
    return datetime.now(UTC)


class Work:
    """A reconciler whose things are worked on once each."""

    duty = Duty.LEASE

    def __init__(self) -> None:
        self.waiting: set[str] = set()
        self.done: list[str] = []
        self.rounds = 0
        self.looking, self.most_looking = 0, 0
        self._lock = threading.Condition()

    def want(self, *things: str) -> None:
        with self._lock:
            self.waiting |= set(things)

    def due(self) -> tuple[str, ...]:
        with self._lock:
            self.rounds += 1
            self.looking += 1
            self.most_looking = max(self.most_looking, self.looking)
            self._lock.wait(0.005)  # long enough for another round to overlap, were it let
            self.looking -= 1
            return tuple(sorted(self.waiting))

    def step(self, claim: Claim) -> bool:
        with self._lock:
            self.waiting.discard(claim.thing)
            self.done.append(claim.thing)
            self._lock.notify_all()
        return False

    def wait_for(self, count: int) -> bool:
        with self._lock:
            return self._lock.wait_for(lambda: len(set(self.done)) >= count, 10)


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[Scheduler]:
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    store = SqlStore(url)
    scheduler = Scheduler(store, clock, "me", timedelta(seconds=30))
    yield scheduler
    scheduler.stop()
    store.close()


def test_more_than_there_are_hands_is_worked_off_by_one_wake(scheduler: Scheduler) -> None:
    work = Work()
    scheduler.start([Line(work, every_s=3600, workers=2)])
    work.want(*(f"thing{n}" for n in range(30)))
    scheduler.wake(Duty.LEASE)
    assert work.wait_for(30)


def test_a_burst_of_wakes_loses_nothing_and_is_few_rounds(scheduler: Scheduler) -> None:
    work = Work()
    scheduler.start([Line(work, every_s=3600, workers=8)])
    wakes = 200

    def wish(number: int) -> None:
        work.want(f"thing{number}")
        scheduler.wake(Duty.LEASE)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(wish, range(wakes)))
    assert work.wait_for(wakes)
    assert work.most_looking == 1
    assert sorted(set(work.done)) == sorted(work.done), "a thing was worked on twice"
