"""A lease, a job and reports to digest."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.domain.jobs.job import Job, JobState
from bot.domain.jobs.status import ExitRecord, JobStatus, Report, Seen
from bot.domain.jobs.timing import JobTiming
from bot.domain.lease import Lease, LeaseState
from bot.domain.offers import Offer

NOON = datetime(2026, 3, 29, 12, 0, tzinfo=UTC)
TIMING = JobTiming()


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def lease(state: LeaseState = LeaseState.READY) -> Lease:
    offer = Offer("local", "here", "l4", "l4", 1, 24, 100, 1_000_000, 0)
    return Lease("l1", "amber-fox", "T1", "U1", "C1", offer, 10, 3600, 1, NOON, state, NOON)


def job(state: JobState = JobState.RUNNING, **changes: Any) -> Job:
    plain = Job("j1", "l1", 1, "U1", "python train.py", NOON, state, NOON, sealed_env="sealed")
    if state not in (JobState.REQUESTED, JobState.STARTING):
        plain = replace(plain, accepted_at=NOON, started_at=NOON, seen_at=NOON, sealed_env="")
    return replace(plain, **changes)


def report(seen: Seen, **fields: Any) -> Report:
    if seen is Seen.ENDED:
        fields.setdefault("exit", ExitRecord(code=0))
    return Report({"j1": JobStatus("j1", seen, **{"has_keeper": True, "size_bytes": 0} | fields)}, is_complete=True)
