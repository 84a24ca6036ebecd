"""Read jobs: lists, the end of an output as it was last read, and what a curve says."""

from dataclasses import dataclass
from typing import Final

from bot.domain.claim import Duty
from bot.domain.jobs.job import Job, latest_number
from bot.domain.jobs.lines import last_lines
from bot.domain.jobs.reading import TAIL_BYTES
from bot.domain.jobs.view import JobView
from bot.domain.lease import Lease
from bot.errors import Refused
from bot.ports.clock import Clock
from bot.ports.job_view import read_job_view
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

MOST_LISTED: Final = 12
DEFAULT_LINES: Final = 30


@dataclass(frozen=True, slots=True)
class Tail:
    """The last lines of an output, oldest first; ``is_cut`` where there is more of it than is kept."""

    job: Job
    lease: Lease
    lines: tuple[str, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class ReadJobs:
    """Answers from what is stored: a command never waits for a machine."""

    store: Store
    wake: Wake
    clock: Clock

    def live(self, lease_id: str) -> tuple[Job, ...]:
        """A lease's jobs that may still run, by number."""
        with self.store.read() as tx:
            return tx.jobs.live_of(lease_id)

    def listed(self, lease_id: str) -> tuple[JobView, ...]:
        """A lease's latest jobs, newest first."""
        with self.store.read() as tx:
            lease = _lease(tx, lease_id)
            return tuple(self._view(tx, job, lease) for job in tx.jobs.of(lease_id, MOST_LISTED))

    def tail(self, lease_id: str, number: int | None, most: int | None, grep: str | None) -> Tail:
        """The last lines of one job, or of the latest."""
        with self.store.read() as tx:
            lease = _lease(tx, lease_id)
            job = _meant(tx, lease, number)
            output = tx.jobs.output(job.id)
        is_whole = len(output.tail) < TAIL_BYTES
        return Tail(job, lease, last_lines(output.tail, most or DEFAULT_LINES, grep, is_whole=is_whole), not is_whole)

    def one(self, job_id: str) -> JobView:
        """The job whose button was pressed."""
        with self.store.read() as tx:
            job = tx.jobs.get(job_id)
            if job is None:
                raise Refused("no-job")
            return self._view(tx, job, _lease(tx, job.lease_id))

    def curve(self, lease_id: str, number: int | None) -> JobView:
        """What one job's curve says. Its picture is brought up to date."""
        with self.store.transaction() as tx:
            lease = _lease(tx, lease_id)
            job = _meant(tx, lease, number)
            view = self._view(tx, job, lease)
            if view.curve is not None:
                tx.pictures.ask(job.id)
        self.wake.wake(Duty.PICTURE)
        return view

    def _view(self, tx: Tx, job: Job, lease: Lease) -> JobView:
        return read_job_view(tx, job, lease, self.clock())


def _lease(tx: Tx, lease_id: str) -> Lease:
    lease = tx.leases.get(lease_id)
    if lease is None:
        raise Refused("no-lease")
    return lease


def _meant(tx: Tx, lease: Lease, number: int | None) -> Job:
    if number is not None:
        job = tx.jobs.by_number(lease.id, number)
        if job is None:
            raise Refused("no-such-job", name=lease.name, number=number, latest=latest_number(tx.jobs.of(lease.id, 1)))
        return job
    latest = tx.jobs.of(lease.id, 1)
    if not latest:
        raise Refused("no-job-yet", name=lease.name)
    return latest[0]
