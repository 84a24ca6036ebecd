"""Which step a job needs now."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.domain.jobs.findings import AwaitedFailed, MachineEnded, Withdrawn
from bot.domain.jobs.job import Job, JobState
from bot.domain.lease import Lease, LeaseState


@dataclass(frozen=True, slots=True)
class BeginStart:
    """Write down that its machine is being told, before it is."""


@dataclass(frozen=True, slots=True)
class Start:
    """Tell the machine (again: its id makes it one job)."""


@dataclass(frozen=True, slots=True)
class Poll:
    """See how it is, and take the output that is new; all of a machine's jobs in one step."""


@dataclass(frozen=True, slots=True)
class Kill:
    """Have the machine end it (again: the first one counts)."""


@dataclass(frozen=True, slots=True)
class Conclude:
    """Nothing is to be asked: digest this."""

    finding: MachineEnded | Withdrawn | AwaitedFailed


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing to do before ``until``; None: before its lease changes."""

    until: datetime | None


Step = BeginStart | Start | Poll | Kill | Conclude | Rest

_L = LeaseState
GONE: Final = frozenset({_L.STOPPED, _L.RELEASED, _L.VANISHED, _L.FAILED})
ANSWERS: Final = frozenset({_L.READY, _L.UNFIT, _L.CHECKING, _L.RELEASE_STUCK})
LIMIT_MARGIN_S: Final = 60.0
TURN_S: Final = 30.0
"""Who waits for another job looks so often; the end of that one is told besides."""
_TAKES_JOBS: Final = frozenset({_L.READY, _L.UNFIT})


def next_step(job: Job, lease: Lease, now: datetime, awaited: Job | None = None) -> Step:
    """Compare what is wanted of the job with what is. ``awaited`` is the job of `Job.after_id`."""
    if not job.is_live:
        if job.has_more_to_read and lease.state in ANSWERS:
            return _when_due(job, Poll(), now)
        return Rest(None)
    if job.state is JobState.REQUESTED and job.kill_wanted_by is not None:
        return Conclude(Withdrawn())
    if lease.state in GONE:
        return Conclude(MachineEnded(lease.state.value))
    if lease.state not in ANSWERS:
        return Rest(None)  # on its way up or down: its jobs are asked when it is there, or are gone with it
    if job.kill_sent_at is None and (job.kill_wanted_by is not None or _outlives_its_limit(job, now)):
        return _when_due(job, Kill(), now)
    if job.state is JobState.REQUESTED:
        if lease.state not in _TAKES_JOBS:
            return Rest(None)
        return BeginStart() if job.after_id is None else _after(job, awaited, now)
    return _when_due(job, Start() if job.accepted_at is None else Poll(), now)


def _after(job: Job, awaited: Job | None, now: datetime) -> Step:
    """Its turn comes when the other one has ended well, and never where that has not."""
    if awaited is not None and awaited.is_live:
        return Rest(now + timedelta(seconds=TURN_S))
    is_well = awaited is not None and awaited.ending is not None and awaited.ending.is_success
    return BeginStart() if is_well else Conclude(AwaitedFailed(job.after_name or ""))


def _outlives_its_limit(job: Job, now: datetime) -> bool:
    """Its keeper sees to the limit; where that was killed, we do, a little later."""
    if job.max_s is None or job.started_at is None:
        return False
    return (now - job.started_at).total_seconds() > job.max_s + LIMIT_MARGIN_S


def _when_due(job: Job, step: Start | Poll | Kill, now: datetime) -> Step:
    if job.next_look_at is not None and job.next_look_at > now:
        return Rest(job.next_look_at)
    return step
