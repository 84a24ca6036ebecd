"""What goes wrong with a run besides its curve is found in the store and told once, also after a crash."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.claim import Claim, Duty
from bot.domain.jobs.reading import JobOutput
from bot.domain.lease import LeaseState
from bot.domain.metrics import Point, XKind
from bot.domain.notice import NoticeKind
from bot.domain.use import Use, UseSample, UseVerdict
from bot.ports.faults import FaultPoint
from bot.services.watch_runs import WatchRuns
from storage.schema import migrate
from storage.store import SqlStore
from tests.domain.jobs.samples import job
from tests.domain.lifecycle.sample import NOW, handed_over

GIB = 1024**3
HALF_AN_HOUR = 1800.0


class Died(Exception):
    """As by SIGKILL."""


class Bot:
    """The service, its clock half an hour after the job began, and a place to die."""

    def __init__(self, store: SqlStore) -> None:
        self.store, self.now, self.dies = store, after(HALF_AN_HOUR), False
        self.watch = WatchRuns(store, self, self, lambda: self.now, 5.0)

    def wake(self, _duty: Duty, /) -> None: ...
    def reach(self, _point: FaultPoint, /) -> None:
        if self.dies:
            raise Died

    def round(self) -> list[NoticeKind]:
        """One look at each run that is due; what was told so far."""
        for thing in self.watch.due():
            with self.store.transaction() as tx:
                claim = tx.claims.take(thing, Duty.RUN, "me", self.now, timedelta(seconds=30))
            assert isinstance(claim, Claim)
            try:
                self.watch.step(claim)
            except Died:
                self.dies = False
            with self.store.transaction() as tx:
                tx.claims.drop(claim)
        with self.store.read() as tx:
            return [queued.notice.kind for queued in tx.outbox.due(self.now, 100)]


def after(s: float) -> datetime:
    return NOW + timedelta(seconds=s)


def looks(gpu: int, cores: float, every_s: float = 60) -> list[UseSample]:
    use = Use((gpu,), True, cores, 0, None, 1, 10)
    times = range(0, int(HALF_AN_HOUR), int(every_s))
    return [UseSample("lease1", after(s), UseVerdict.IDLE, use) for s in times]


def steps(until_s: float) -> list[Point]:
    return [Point("loss", s / 10, XKind.STEP, 2.0 / (1 + s), after(s)) for s in range(10, int(until_s), 10)]


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[Bot]:
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    store = SqlStore(url)
    with store.transaction() as tx:
        tx.leases.add(handed_over(LeaseState.READY))
    yield Bot(store)
    store.close()


def begins(bot: Bot, points: Sequence[Point], used: Sequence[UseSample], **changes: Any) -> None:
    """A job that was seen just now, printed when its last point came, and is judged for the first time."""
    plain: dict[str, Any] = {"started_at": NOW, "seen_at": bot.now, "judge_at": bot.now}
    with bot.store.transaction() as tx:
        added = tx.jobs.add(job(lease_id="lease1", **plain | changes))
        tx.jobs.save_output(JobOutput(added.id, output_at=points[-1].at))
        tx.points.add(added.id, points)
        for sample in used:
            tx.use.add(sample)


def told_once(bot: Bot, kind: NoticeKind) -> None:
    """The first look dies before it writes, the second tells, the third tells nothing more."""
    bot.dies = True
    assert bot.round() == []
    assert bot.round() == [kind]
    bot.now += timedelta(seconds=90)
    with bot.store.transaction() as tx:
        tx.jobs.save(tx.jobs.live_of("lease1")[0].noted(seen_at=bot.now))
    assert bot.round() == [kind]


def test_silence_on_a_machine_that_rests(bot: Bot) -> None:
    begins(bot, steps(300), looks(gpu=0, cores=0.0))
    told_once(bot, NoticeKind.RUN_SILENT)


def test_a_gpu_that_rests_while_it_trains(bot: Bot) -> None:
    begins(bot, steps(HALF_AN_HOUR), looks(gpu=0, cores=7.0))
    told_once(bot, NoticeKind.RUN_RESTS_GPU)


def test_a_disk_that_fills(bot: Bot) -> None:
    begins(bot, steps(HALF_AN_HOUR), looks(gpu=90, cores=1.0), free_at_start_bytes=100 * GIB, free_bytes=4 * GIB)
    told_once(bot, NoticeKind.RUN_FILLS_DISK)


def test_a_run_that_is_well(bot: Bot) -> None:
    begins(bot, steps(HALF_AN_HOUR), looks(gpu=90, cores=1.0), free_at_start_bytes=100 * GIB, free_bytes=90 * GIB)
    assert bot.round() == []
