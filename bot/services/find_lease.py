"""Find the lease that somebody means: by its name, by the thread they speak in, or as their only one."""

from dataclasses import dataclass
from typing import Final

from bot.domain.jobs.job import Job
from bot.domain.lease import Lease
from bot.domain.near import near
from bot.domain.people import Actor
from bot.domain.places import MessageRef, Place
from bot.errors import Refused
from bot.ports.store import Store, Tx

JOBS_REMEMBERED: Final = 50


@dataclass(frozen=True, slots=True)
class FindLease:
    """Finds leases for commands."""

    store: Store

    def __call__(self, actor: Actor, name: str | None, place: Place, *, for_job: bool = False) -> Lease:
        """The lease that is meant; ``for_job``: a job on it was to be named, perhaps by its title.

        Raises:
            Refused: ``no-such-lease`` (with near names), ``which-lease`` (several live ones), ``no-lease``.
        """
        with self.store.read() as tx:
            if name is not None:
                if (lease := tx.leases.by_name(name)) is not None:
                    return lease
                jobs = _jobs_called(tx, actor, name) if for_job else ()
                meant = (*jobs, *near(name, (lease.name for lease in tx.leases.live())))
                raise Refused("no-such-lease", name=name, near=meant)
            if place.thread_ts is not None:
                here = tx.leases.in_thread(MessageRef(place.channel, place.thread_ts))
                if here is not None:
                    return here
            mine = tx.leases.live(actor.user)
        if not mine:
            raise Refused("no-lease")
        if len(mine) > 1:
            raise Refused("which-lease", names=tuple(lease.name for lease in mine))
        return mine[0]

    def is_lease(self, name: str) -> bool:
        """Whether a lease is, or was, called so."""
        with self.store.read() as tx:
            return tx.leases.by_name(name) is not None

    def has_job(self, lease: Lease, title: str) -> bool:
        """Whether one of the lease's jobs was given that name."""
        with self.store.read() as tx:
            return any(_is_called(job, title) for job in tx.jobs.of(lease.id, JOBS_REMEMBERED))

    def job_called(self, lease: Lease, title: str, *, is_live: bool = False) -> int:
        """The number of the lease's job that was given that name; of several one that runs, then the latest.

        ``is_live``: it is to be ended, so of several that run none is picked.

        Raises:
            Refused: ``no-job-called`` (with near names), ``which-job``.
        """
        with self.store.read() as tx:
            jobs = tx.jobs.of(lease.id, JOBS_REMEMBERED)
        called = [job for job in jobs if _is_called(job, title)]
        running = [job.number for job in called if job.is_live]
        if is_live and len(running) > 1:
            raise Refused("which-job", name=lease.name, numbers=tuple(reversed(running)))
        if called:
            return (running or [job.number for job in called])[0]
        numbers = {job.name: job.number for job in reversed(jobs) if job.name}
        meant = near(title, numbers)
        numbered = tuple(numbers[found] for found in meant)
        raise Refused("no-job-called", name=lease.name, title=title, near=meant, numbers=numbered)


def _is_called(job: Job, title: str) -> bool:
    return job.name is not None and job.name.lower() == title.lower()


def _jobs_called(tx: Tx, actor: Actor, title: str) -> tuple[str, ...]:
    """The asker's jobs with such a title, as ``amber-fox/3``; of several with the same one the latest."""
    titled = {job.name: job for job in reversed(tx.jobs.latest(actor.user, JOBS_REMEMBERED)) if job.name}
    jobs = [titled[found] for found in near(title, titled)]
    leases = {job.lease_id: tx.leases.get(job.lease_id) for job in jobs}
    return tuple(f"{lease.name}/{job.number}" for job in jobs if (lease := leases[job.lease_id]) is not None)
