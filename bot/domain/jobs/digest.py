"""Digest a finding against the job as it is stored by now: the one table of what leads where."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, assert_never

from bot.domain.jobs.ending import Ending, EndingKind, ending_of, killed
from bot.domain.jobs.events import JobEvent, JobEventKind, ended_event, job_event
from bot.domain.jobs.files_seen import NO_FILES, FilesSeen
from bot.domain.jobs.findings import AwaitedFailed, Finding, MachineEnded, Reported, Unseen, Withdrawn
from bot.domain.jobs.job import Job, JobState
from bot.domain.jobs.output import take_output
from bot.domain.jobs.status import JobStatus, Report, Seen
from bot.domain.jobs.timing import JobTiming
from bot.domain.problem import Problem
from bot.domain.redaction import NOTHING, Redactor

_S = JobState
_FINAL: Final = frozenset(
    {"no-python3", "old-python3", "too-long", "nul", "bad-request", "bad-job-id", "disk-full", "not-possible"}
)
"""Errors of a start that leave nothing behind, and that another one would meet as well."""


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """The job's next version, what people should learn, and the output that is new, each byte once."""

    job: Job
    events: tuple[JobEvent, ...] = ()
    output: bytes = b""
    files: FilesSeen = NO_FILES
    """What the machine told of its files; not digested yet."""


def begin_start(job: Job, now: datetime) -> Job:
    """Its machine is told next."""
    return job.moved(_S.STARTING, now, next_look_at=now)


def digest(job: Job, finding: Finding, now: datetime, timing: JobTiming, secrets: Redactor = NOTHING) -> JobOutcome:
    """The job after the finding. What has ended stays as it is, but for output that is still to be taken, without the
    values of ``secrets``."""
    match finding:
        case Unseen():
            return _unseen(job, finding, now, timing)
        case Withdrawn():
            return _ended(job, Ending(EndingKind.KILLED, by=job.kill_wanted_by or "", code="withdrawn"), now)
        case AwaitedFailed(name):
            return _ended(job, Ending(EndingKind.NEVER_STARTED, code="after-failed", detail=name), now)
        case MachineEnded(how):
            never = job.state is _S.REQUESTED
            kind = EndingKind.NEVER_STARTED if never else EndingKind.WITH_THE_MACHINE
            return _ended(job, Ending(kind, code=f"machine-{how}"), now)
        case Reported(report):
            return _reported(job, report, now, timing, secrets)
        case unreachable:
            assert_never(unreachable)


def _reported(job: Job, report: Report, now: datetime, timing: JobTiming, secrets: Redactor) -> JobOutcome:
    status = report.jobs.get(job.id)
    if status is None:
        return _told_nothing(job, report, now, timing)
    if status.seen is Seen.ABSENT and job.accepted_at is None:
        return _unseen(job, Unseen("not-taken"), now, timing)  # it did not arrive: the start is repeated
    was_unknown = job.state is _S.UNKNOWN
    job = job.noted(seen_at=now, attempts=0, accepted_at=job.accepted_at or now, sealed_env="").evolve(problem=None)
    if status.killed_by:
        # A helper does the killing where the keeper is gone; should it be gone too, the next one is sent.
        is_left_alone = status.seen is Seen.RUNNING and not status.has_keeper
        job = job.noted(kill_sent_at=None if is_left_alone else job.kill_sent_at or now)
    job = _facts_of(job, status, now).noted(free_bytes=report.free_bytes)
    if job.free_at_start_bytes is None and status.seen is Seen.RUNNING:
        job = job.noted(free_at_start_bytes=report.free_bytes)
    moved = _moved(job, status, now)
    job, output, events = take_output(moved.job, status, secrets)
    if was_unknown and job.is_live:
        events = (*events, job_event(job, JobEventKind.SEEN_AGAIN, rung=now.isoformat()))
    return JobOutcome(_due(job, now, timing), (*moved.events, *events), output, status.files)


def _told_nothing(job: Job, report: Report, now: datetime, timing: JobTiming) -> JobOutcome:
    """The script ran and did nothing: for good, where what it was sent is at fault or it cannot run there."""
    never = job.accepted_at is None and job.state is not _S.REQUESTED
    if never and report.error in _FINAL:
        return _ended(job, Ending(EndingKind.NEVER_STARTED, code=report.error, detail=report.detail), now)
    return _unseen(job, Unseen(report.error or "no-report", report.detail), now, timing)


def _facts_of(job: Job, status: JobStatus, now: datetime) -> Job:
    if job.started_at is None and status.started_ago_s is not None:
        job = job.evolve(started_at=now - timedelta(seconds=status.started_ago_s))
    return job.evolve(cwd=status.directory or job.cwd, commit=status.commit or job.commit)


def _moved(job: Job, status: JobStatus, now: datetime) -> JobOutcome:
    """The job in the state that the machine tells of."""
    match status.seen:
        case _ if not job.is_live:
            return JobOutcome(job)
        case Seen.STARTING:
            return JobOutcome(job.moved(_S.STARTING, now) if job.state is _S.UNKNOWN else job)
        case Seen.RUNNING if job.state is _S.FINISHING:
            return JobOutcome(job)
        case Seen.RUNNING:
            return _started(job, job.moved(_S.RUNNING, now))
        case Seen.FINISHING:
            return _started(job, job.moved(_S.FINISHING, now))
        case Seen.ENDED if status.exit is not None:
            return _ended(job, ending_of(status.exit, status.killed_by or job.kill_wanted_by or ""), now, status)
        case Seen.NEVER_STARTED:
            return _ended(job, Ending(EndingKind.NEVER_STARTED, code="keeper-gone"), now)
        case Seen.REBOOTED:
            return _ended(job, Ending(EndingKind.REBOOTED), now)
        case _ if status.killed_by:
            return _ended(job, killed(status.killed_by, "keeper-gone"), now)
        case _:
            return _ended(job, Ending(EndingKind.LOST, code=status.seen.value), now)


def _started(before: Job, job: Job) -> JobOutcome:
    """Said once: the occasion is the same after a time in which it could not be seen."""
    is_new = before.state not in (_S.RUNNING, _S.FINISHING)
    return JobOutcome(job, (job_event(job, JobEventKind.STARTED),) if is_new else ())


def _ended(job: Job, ending: Ending, now: datetime, status: JobStatus | None = None) -> JobOutcome:
    if not job.is_live:
        return JobOutcome(job)
    ago_s = status.ended_ago_s if status is not None else None
    ran_s = status.exit.ran_s if status is not None and status.exit is not None else None
    ended_at = now - timedelta(seconds=ago_s or 0.0)
    done = job.moved(
        _S.ENDED, now, ending=ending, ended_at=ended_at, ran_s=ran_s, sealed_env="", problem=None, next_look_at=None
    )
    return JobOutcome(done, (ended_event(done),))


def _unseen(job: Job, unseen: Unseen, now: datetime, timing: JobTiming) -> JobOutcome:
    """Nothing is concluded from silence. A start that was not answered is repeated, for it may be there."""
    job = job.noted(attempts=job.attempts + 1)
    job = job.noted(next_look_at=now + timedelta(seconds=timing.backoff_s(job)))
    if not job.is_live or job.attempts < timing.unseen_tries:
        return JobOutcome(job)
    since = job.seen_at or job.state_since
    facts: dict[str, str | int | float | bool | None] = {
        "code": unseen.code,
        "detail": unseen.detail,
        "since": int(since.timestamp()),
    }
    if job.state in (_S.UNKNOWN, _S.REQUESTED):
        return JobOutcome(job.evolve(problem=Problem("not-seen", facts)))
    unknown = job.moved(_S.UNKNOWN, now, problem=Problem("not-seen", facts))
    return JobOutcome(unknown, (job_event(unknown, JobEventKind.UNSEEN, rung=since.isoformat(), **facts),))


def _due(job: Job, now: datetime, timing: JobTiming) -> Job:
    if job.has_unread_output:
        return job.noted(next_look_at=now)
    if not job.is_live:
        return job.noted(next_look_at=None)
    ran_s = (now - job.started_at).total_seconds() if job.started_at is not None else 0.0
    wait_s = timing.look_s(ran_s) if job.state is _S.RUNNING and job.kill_sent_at is None else timing.poll_s
    return job.noted(next_look_at=now + timedelta(seconds=wait_s))
