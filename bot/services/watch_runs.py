"""Watch runs: judge their curves, their silence, their disk and their time, and say each thing once."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.domain.claim import Claim, Duty
from bot.domain.jobs.alerts import SILENT_FOR, RunState, alerts
from bot.domain.jobs.job import Job
from bot.ports.clock import Clock
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

log = structlog.get_logger()
SLOWEST_S: Final = 300.0
AGE_SHARE: Final = 1 / 60
"""An old run is judged less often: its curve is longer, and an hour of it says less."""


@dataclass(frozen=True, slots=True)
class WatchRuns:
    """Reconciler of `Duty.RUN`; a thing is a job's id. What is said is unique by its occasion: a step that is repeated
    after a crash says nothing twice."""

    store: Store
    wake: Wake
    faults: Faults
    clock: Clock
    every_s: float
    most_at_once: int = 8
    duty: Duty = Duty.RUN

    def due(self) -> tuple[str, ...]:
        """Jobs to be judged now."""
        with self.store.read() as tx:
            return tx.jobs.to_judge(self.clock(), self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """Judge one run, and say when it is judged next. Never again at once."""
        now = self.clock()
        with self.store.read() as tx:
            run = _load(tx, claim.thing, now)
        found = alerts(run) if run is not None else ()
        self.faults.reach(FaultPoint.RUN_JUDGED)
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            job = tx.jobs.lock(claim.thing)
            if job is None:
                return False
            said = [notice.occasion for notice in found if tx.outbox.put(notice, now)]
            tx.jobs.save(job.noted(judge_at=self._next(job, now)))
        if said:
            log.info("run.alerted", job=claim.thing, occasions=said)
            self.wake.wake(Duty.NOTICE)
        return False

    def _next(self, job: Job, now: datetime) -> datetime | None:
        """Once more after its end, when all of its output was taken; then never again."""
        if not job.is_live and not job.has_unread_output:
            return None
        ran_s = (now - job.started_at).total_seconds() if job.started_at is not None else 0.0
        return now + timedelta(seconds=min(SLOWEST_S, max(self.every_s, ran_s * AGE_SHARE)))


def _load(tx: Tx, job_id: str, now: datetime) -> RunState | None:
    job = tx.jobs.get(job_id)
    lease = None if job is None else tx.leases.get(job.lease_id)
    if job is None or lease is None:
        return None
    samples = tx.use.samples(lease.id, now - SILENT_FOR)
    return RunState(job, lease, tx.jobs.output(job_id), tx.points.of(job_id), samples, now)
