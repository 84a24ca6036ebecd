"""Follow up: turn what a job leads to into wishes, in the transaction that stores its end."""

from datetime import datetime

from bot.domain.audit import AuditEntry
from bot.domain.jobs.continuation import Others, is_sync_due, why_not, with_sync_begun
from bot.domain.jobs.job import Continuation, Job
from bot.domain.lease import Lease, Want
from bot.domain.problem import Facts
from bot.domain.question import Cause, Question, QuestionState
from bot.domain.sync import SyncRun
from bot.ports.clock import NewId
from bot.ports.store import Tx


def carry_on(tx: Tx, job: Job, new_id: NewId, now: datetime) -> Facts:
    """Write what is wanted after ``job``, which has just ended; for its notice: what that is, or why it is not done."""
    tx.jobs.ask_waiting(job.id, now)
    if job.then is None:
        return {}
    lease = tx.leases.lock(job.lease_id)
    if lease is None:
        return {}
    not_done = why_not(job, lease, _others(tx, job))
    if not_done is None:
        _want(tx, job, job.then, lease, new_id, now)
    return {"then": job.then.value, "then_not": not_done.value if not_done is not None else None}


def copy_meanwhile(tx: Tx, job: Job, new_id: NewId, now: datetime) -> Job:
    """Ask for the copy that is due while the job runs; one that is under way already counts for it."""
    if not is_sync_due(job, now):
        return job
    if not tx.syncs.open_of(job.lease_id):
        tx.syncs.add(SyncRun(new_id(), job.lease_id, job.owner, now))
    return with_sync_begun(job, now)


def _others(tx: Tx, job: Job) -> Others:
    question = tx.questions.latest(job.lease_id)
    return Others(
        sum(other.id != job.id for other in tx.jobs.live_of(job.lease_id)),
        len(tx.syncs.open_of(job.lease_id)),
        question is not None and question.is_live,
    )


def _want(tx: Tx, job: Job, then: Continuation, lease: Lease, new_id: NewId, now: datetime) -> None:
    name = f"{lease.name}/{job.number}"
    match then:
        case Continuation.SYNC:
            tx.syncs.add(SyncRun(new_id(), lease.id, job.owner, now))
            tx.audit.add(AuditEntry(now, job.owner, "sync", lease.id, {"after_job": name}))
        case Continuation.STOP:
            tx.leases.save(lease.evolve(want=Want.STOPPED, next_look_at=now, problem=None), now)
            tx.audit.add(AuditEntry(now, job.owner, "stop", lease.id, {"after_job": name}))
        case Continuation.RELEASE:
            asked = Question(
                new_id(), lease.id, job.owner, now, QuestionState.LOOKING, cause=Cause.AFTER_JOB, after_job=name
            )
            tx.questions.add(asked)
            tx.leases.save(lease.evolve(), now)
            facts: Facts = {"cause": Cause.AFTER_JOB.value, "after_job": name}
            tx.audit.add(AuditEntry(now, job.owner, "release-asked", lease.id, facts))
