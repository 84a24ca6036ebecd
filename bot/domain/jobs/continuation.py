"""What a job leads to: what is wanted once it has ended well, and the copies that are made while it runs."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.domain.jobs.job import Continuation, Job, JobState
from bot.domain.lease import Lease, LeaseState, Want

_TAKES_WISHES: Final = frozenset({LeaseState.READY, LeaseState.UNFIT})


class WhyNot(StrEnum):
    """Why what was to follow does not."""

    NOT_WELL = "not-well"
    """The job did not end well: its machine is left as it is, for somebody to look."""
    MACHINE = "machine"
    """The machine does not run any more, or something else is wanted of it by now."""
    JOBS_RUN = "jobs-run"
    """A stop would end other jobs, and nobody was asked about these."""
    UNDER_WAY = "under-way"
    """The same is being done already."""


@dataclass(frozen=True, slots=True)
class Others:
    """What else goes on at a job's machine when it ends."""

    jobs: int = 0
    """That have not ended, those that wait for their turn included."""
    syncs: int = 0
    is_asked: bool = False
    """Whether a question about its release is live."""


def why_not(job: Job, lease: Lease, others: Others) -> WhyNot | None:
    """Why what was to follow the job, which has ended, does not; None: it does."""
    if job.ending is None or not job.ending.is_success:
        return WhyNot.NOT_WELL
    if lease.state not in _TAKES_WISHES or lease.want is not Want.RUNNING:
        return WhyNot.MACHINE
    match job.then:
        case Continuation.STOP if others.jobs:
            return WhyNot.JOBS_RUN
        case Continuation.SYNC if others.syncs:
            return WhyNot.UNDER_WAY
        case Continuation.RELEASE if others.is_asked:
            return WhyNot.UNDER_WAY
        case _:
            return None


def is_sync_due(job: Job, now: datetime) -> bool:
    """Whether what is on its machine is to be copied now, since the job runs and was started with ``every=``."""
    if job.every_s is None or job.state is not JobState.RUNNING or job.started_at is None:
        return False
    return now >= (job.next_sync_at or job.started_at + timedelta(seconds=job.every_s))


def with_sync_begun(job: Job, now: datetime) -> Job:
    """The job with the time of its next copy, counted from now: what was missed meanwhile is not made up for."""
    return job.noted(next_sync_at=now + timedelta(seconds=job.every_s or 0))
