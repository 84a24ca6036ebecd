"""Run a job: write it down, with its variables sealed; the reconciler tells its machine."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.jobs.git import GitSource
from bot.domain.jobs.job import Job, JobState
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.operating import may_operate
from bot.domain.people import Actor
from bot.domain.policy import Policy
from bot.domain.secret import Secret
from bot.errors import Refused
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.vault import Vault
from bot.ports.wake import Wake

MOST_LIVE_JOBS: Final = 16
"""Of one machine: each takes part in every look at it."""


@dataclass(frozen=True, slots=True)
class JobWish:
    """What is to run. ``env`` holds values that are nobody's business; ``script`` names one that ships with gpubot."""

    command: str
    name: str | None = None
    directory: str | None = None
    env: Mapping[str, Secret] = field(default_factory=dict)
    git: GitSource | None = None
    max_s: int | None = None
    script: str = ""


@dataclass(frozen=True, slots=True)
class RunJob:
    """Starts jobs. Raises `Refused` with a reason for whatever it does not do."""

    store: Store
    vault: Vault
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    policy: Policy

    def __call__(self, actor: Actor, lease_id: str, wish: JobWish, delivery: str) -> Job | None:
        """A new job on the lease's machine. None: this delivery was worked on before."""
        now = self.clock()
        values = {name: value.reveal() for name, value in wish.env.items()}
        sealed = self.vault.seal(Secret(json.dumps(values))) if values else ""
        with self.store.transaction() as tx:
            lease = self._may(tx, actor, lease_id)
            if not tx.inbox.first_time(delivery, now):
                return None
            job = tx.jobs.add(self._job(actor, lease, wish, sealed, now))
            tx.audit.add(AuditEntry(now, actor.user, "run", lease.id, {"job": job.number}))
        self.faults.reach(FaultPoint.JOB_RECORDED)
        self.wake.wake(Duty.JOB)
        self.wake.wake(Duty.MESSAGE)
        return job

    def _may(self, tx: Tx, actor: Actor, lease_id: str) -> Lease:
        lease = may_operate(self.policy, actor, tx.leases.lock(lease_id))
        if lease.state is not LeaseState.READY or lease.want is Want.STOPPED:
            raise Refused("cannot-run-now", name=lease.name, state=lease.state)
        if len(tx.jobs.live_of(lease_id)) >= MOST_LIVE_JOBS:
            raise Refused("too-many-jobs", name=lease.name, most=MOST_LIVE_JOBS)
        return lease

    def _job(self, actor: Actor, lease: Lease, wish: JobWish, sealed: str, now: datetime) -> Job:
        return Job(
            id=self.new_id(),
            lease_id=lease.id,
            number=0,
            owner=actor.user,
            command=wish.command,
            requested_at=now,
            state=JobState.REQUESTED,
            state_since=now,
            name=wish.name,
            directory=wish.directory,
            env_names=tuple(wish.env),
            sealed_env=sealed,
            git=wish.git,
            max_s=wish.max_s,
            next_look_at=now,
            script=wish.script,
        )
