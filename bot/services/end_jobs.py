"""End jobs before a release: those that were named in its question, and shortly waited for."""

from dataclasses import dataclass
from threading import Event
from typing import Final

from bot.domain.claim import Duty
from bot.domain.jobs.job import Job
from bot.domain.lease import Lease
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.ports.wake import Wake

LOOK_S: Final = 0.25


@dataclass(frozen=True, slots=True)
class EndJobs:
    """`bot.ports.running_jobs.RunningJobs` by the store: a wish is written, and the jobs' reconciler does the rest."""

    store: Store
    wake: Wake
    clock: Clock
    wait_s: float = 15.0
    """A little longer than a job's grace."""

    def names(self, lease: Lease) -> tuple[str, ...]:
        """Those that have not ended, as people call them."""
        return tuple(_name(lease, job) for job in self._live(lease))

    def end(self, lease: Lease, names: tuple[str, ...]) -> None:
        """Have these ended in the owner's name, and wait shortly for it; best effort."""
        now = self.clock()
        with self.store.transaction() as tx:
            for job in tx.jobs.live_of(lease.id):
                locked = tx.jobs.lock(job.id) if _name(lease, job) in names else None
                if locked is not None and locked.is_live and locked.kill_wanted_by is None:
                    tx.jobs.save(locked.evolve(kill_wanted_by=lease.owner).noted(next_look_at=now))
        self.wake.wake(Duty.JOB)
        never, waited_s = Event(), 0.0
        while waited_s < self.wait_s and any(_name(lease, job) in names for job in self._live(lease)):
            never.wait(LOOK_S)
            waited_s += LOOK_S

    def _live(self, lease: Lease) -> tuple[Job, ...]:
        with self.store.read() as tx:
            return tx.jobs.live_of(lease.id)


def _name(lease: Lease, job: Job) -> str:
    return f"{lease.name}/{job.number}"
