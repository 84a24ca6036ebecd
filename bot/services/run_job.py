"""Run a job: write it down, with its variables sealed; the reconciler tells its machine."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.instance import Capabilities
from bot.domain.jobs.git import GitSource
from bot.domain.jobs.job import Continuation, Job, JobState, latest_number
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.near import near
from bot.domain.operating import may_operate
from bot.domain.people import Actor
from bot.domain.policy import Policy
from bot.domain.redaction import Redactor
from bot.domain.secret import Secret
from bot.errors import Refused, VaultLocked
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.vault import Vault
from bot.ports.wake import Wake

MOST_LIVE_JOBS: Final = 16
"""Of one machine: each takes part in every look at it."""


@dataclass(frozen=True, slots=True)
class After:
    """The job to wait for: that of a lease and number, or the lease's latest."""

    lease_id: str
    number: int | None


@dataclass(frozen=True, slots=True)
class JobWish:
    """What is to run. ``env`` holds values that are nobody's business, ``secrets`` names of the person's own;
    ``script`` names one that ships with gpubot."""

    command: str
    name: str | None = None
    directory: str | None = None
    env: Mapping[str, Secret] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    git: GitSource | None = None
    max_s: int | None = None
    every_s: int | None = None
    after: After | None = None
    then: Continuation | None = None
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
    capabilities: Mapping[str, Capabilities]
    has_archive: bool

    def __call__(self, actor: Actor, lease_id: str, wish: JobWish, delivery: str) -> Job | None:
        """A new job on the lease's machine. None: this delivery was worked on before."""
        now = self.clock()
        with self.store.transaction() as tx:
            lease = self._may(tx, actor, lease_id, wish)
            awaited = None if wish.after is None else _awaited(tx, wish.after)
            secrets = self._secrets(tx, actor, wish)
            if not tx.inbox.first_time(delivery, now):
                return None
            job = tx.jobs.add(self._job(actor, lease, wish, secrets, awaited, now))
            tx.audit.add(AuditEntry(now, actor.user, "run", lease.id, {"job": job.number}))
        self.faults.reach(FaultPoint.JOB_RECORDED)
        self.wake.wake(Duty.JOB)
        self.wake.wake(Duty.MESSAGE)
        return job

    def _may(self, tx: Tx, actor: Actor, lease_id: str, wish: JobWish) -> Lease:
        lease = may_operate(self.policy, actor, tx.leases.lock(lease_id))
        if lease.state is not LeaseState.READY or lease.want is Want.STOPPED:
            raise Refused("cannot-run-now", name=lease.name, state=lease.state)
        if len(tx.jobs.live_of(lease_id)) >= MOST_LIVE_JOBS:
            raise Refused("too-many-jobs", name=lease.name, most=MOST_LIVE_JOBS)
        if (wish.then is Continuation.SYNC or wish.every_s is not None) and not self.has_archive:
            raise Refused("no-archive")
        able = self.capabilities.get(lease.offer.provider)
        if wish.then is Continuation.STOP and (able is None or not able.can_stop):
            raise Refused("cannot-stop", provider=lease.offer.provider, name=lease.name)
        return lease

    def _secrets(self, tx: Tx, actor: Actor, wish: JobWish) -> dict[str, str]:
        """All of the person's own that the job asks for, and those whose values were typed into its command."""
        kept = {secret.name: secret for secret in tx.secrets.of(actor.user)}
        lacking = tuple(name for name in wish.secrets if name not in kept)
        if lacking:
            meant = dict.fromkeys(name for one in lacking for name in near(one, kept))
            raise Refused("no-such-secret", names=lacking, near=tuple(meant))
        values: dict[str, str] = {}
        for name, secret in kept.items():
            try:
                values[name] = self.vault.unseal(secret.sealed).reveal()
            except VaultLocked:
                if name in wish.secrets:
                    raise
        typed = Redactor(values).names_in(wish.command)
        return {name: value for name, value in values.items() if name in wish.secrets or name in typed}

    def _job(
        self,
        actor: Actor,
        lease: Lease,
        wish: JobWish,
        secrets: Mapping[str, str],
        awaited: tuple[Job, str] | None,
        now: datetime,
    ) -> Job:
        env = {name: value.reveal() for name, value in wish.env.items()}
        env |= {name: secrets[name] for name in wish.secrets}
        return Job(
            id=self.new_id(),
            lease_id=lease.id,
            number=0,
            owner=actor.user,
            command=Redactor(secrets).text(wish.command),
            requested_at=now,
            state=JobState.REQUESTED,
            state_since=now,
            name=wish.name,
            directory=wish.directory,
            env_names=tuple(env),
            sealed_env=self._sealed(env),
            git=wish.git,
            max_s=wish.max_s,
            next_look_at=now,
            script=wish.script,
            then=wish.then,
            after_id=None if awaited is None else awaited[0].id,
            after_name=None if awaited is None else awaited[1],
            every_s=wish.every_s,
            sealed_secrets=self._sealed(secrets) or None,
        )

    def _sealed(self, values: Mapping[str, str]) -> str:
        return self.vault.seal(Secret(json.dumps(dict(values)))) if values else ""


def _awaited(tx: Tx, after: After) -> tuple[Job, str]:
    """The job to wait for, and what people call it. One that has ended badly is not waited for."""
    lease = tx.leases.get(after.lease_id)
    if lease is None:
        raise Refused("no-lease")
    latest = tx.jobs.of(lease.id, 1)
    found = tx.jobs.by_number(lease.id, after.number) if after.number is not None else next(iter(latest), None)
    if found is None and after.number is None:
        raise Refused("no-job-yet", name=lease.name)
    if found is None:
        raise Refused("no-such-job", name=lease.name, number=after.number, latest=latest_number(latest))
    if found.ending is not None and not found.ending.is_success:
        raise Refused("after-failed", name=lease.name, number=found.number)
    return found, f"{lease.name}/{found.number}"
