"""What people should learn of a job: kinds and facts, once per occasion."""

from dataclasses import dataclass, field
from enum import StrEnum

from bot.domain.jobs.job import Job
from bot.domain.problem import Facts


class JobEventKind(StrEnum):
    """What happened."""

    STARTED = "job-started"
    ENDED = "job-ended"
    """Facts: ending (its kind), exit_code, signal, by, code, detail, ran_s, left_running."""
    UNSEEN = "job-unseen"
    """It is not known how it is. Facts: code, since (Unix seconds)."""
    SEEN_AGAIN = "job-seen-again"
    OUTPUT_CUT = "job-output-cut"
    """Its log became shorter than what had been read: somebody emptied it."""


@dataclass(frozen=True, slots=True)
class JobEvent:
    """One thing to say. ``occasion`` is unique: the same one is never said twice."""

    occasion: str
    kind: JobEventKind
    job_id: str
    lease_id: str
    facts: Facts = field(default_factory=dict)


def job_event(job: Job, kind: JobEventKind, rung: str = "", **facts: str | int | float | bool | None) -> JobEvent:
    """An event of the state that the job has just come into."""
    return JobEvent(f"{kind}:{job.id}:{rung}", kind, job.id, job.lease_id, facts)


def ended_event(job: Job) -> JobEvent:
    """Once a job, whatever it ended of."""
    ending = job.ending
    assert ending is not None  # noqa: S101 - for the type checker: an ended job has one
    return job_event(
        job,
        JobEventKind.ENDED,
        ending=ending.kind.value,
        exit_code=ending.exit_code,
        signal=ending.signal,
        by=ending.by,
        code=ending.code,
        detail=ending.detail,
        ran_s=job.ran_s,
        left_running=ending.left_running,
    )
