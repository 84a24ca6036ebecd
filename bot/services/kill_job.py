"""Kill a job: write down who wants it ended; the reconciler tells its machine."""

from dataclasses import dataclass

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.jobs.job import Job, latest_number
from bot.domain.lease import Lease
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.errors import Refused
from bot.ports.clock import Clock
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake


@dataclass(frozen=True, slots=True)
class KillJob:
    """Ends jobs. Raises `Refused` with a reason for whatever it does not do."""

    store: Store
    wake: Wake
    faults: Faults
    clock: Clock
    policy: Policy

    def __call__(self, actor: Actor, lease_id: str, number: int | None) -> Job:
        """End the job of that number, or the one that runs."""
        with self.store.transaction() as tx:
            lease = tx.leases.get(lease_id)
            if lease is None:
                raise Refused("no-lease")
            job = self._end(tx, actor, lease, self._meant(tx, lease, number))
        self._awake()
        return job

    def by_id(self, actor: Actor, job_id: str) -> Job:
        """End the job whose button was pressed."""
        with self.store.transaction() as tx:
            job = tx.jobs.get(job_id)
            lease = None if job is None else tx.leases.get(job.lease_id)
            if job is None or lease is None:
                raise Refused("no-job")
            job = self._end(tx, actor, lease, job)
        self._awake()
        return job

    def _meant(self, tx: Tx, lease: Lease, number: int | None) -> Job:
        if number is not None:
            job = tx.jobs.by_number(lease.id, number)
            if job is None:
                latest = latest_number(tx.jobs.of(lease.id, 1))
                raise Refused("no-such-job", name=lease.name, number=number, latest=latest)
            return job
        live = tx.jobs.live_of(lease.id)
        if not live:
            raise Refused("no-live-job", name=lease.name)
        if len(live) > 1:
            raise Refused("which-job", name=lease.name, numbers=tuple(job.number for job in live))
        return live[0]

    def _end(self, tx: Tx, actor: Actor, lease: Lease, found: Job) -> Job:
        now = self.clock()
        denial = denied(self.policy, actor, Action.OPERATE, lease.owner)
        if denial is not None and actor.user != found.owner:
            raise Refused(denial, owner=lease.owner, name=lease.name)
        job = tx.jobs.lock(found.id)
        if job is None or not job.is_live:
            raise Refused("job-over", name=lease.name, number=found.number)
        if job.kill_wanted_by is not None:
            return job
        job = job.evolve(kill_wanted_by=actor.user).noted(next_look_at=now)
        tx.jobs.save(job)
        tx.audit.add(AuditEntry(now, actor.user, "kill", lease.id, {"job": job.number}))
        return job

    def _awake(self) -> None:
        self.faults.reach(FaultPoint.JOB_KILL_RECORDED)
        self.wake.wake(Duty.JOB)
        self.wake.wake(Duty.MESSAGE)
