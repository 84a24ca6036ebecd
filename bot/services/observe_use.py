"""Observe use: one bounded look a minute at each ready machine, and the reminder when nobody uses it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.domain.audit import AuditEntry
from bot.domain.claim import Claim, Duty
from bot.domain.departure import US
from bot.domain.health.expected import expected_of
from bot.domain.idle import IdleRule, asks, looked_at, reminder, shows_another, worked_until
from bot.domain.instance import Capabilities
from bot.domain.lease import Lease, LeaseState
from bot.domain.living import Subject
from bot.domain.notice import Priority
from bot.domain.question import Cause, Question, QuestionState
from bot.domain.use import Activity, Use, UseSample
from bot.errors import GpubotError
from bot.ports.clock import Clock, NewId
from bot.ports.examiner import Examiner
from bot.ports.faults import FaultPoint, Faults
from bot.ports.remote import Login
from bot.ports.store import Store, Tx
from bot.ports.vault import Vault
from bot.ports.wake import Wake

log = structlog.get_logger()
SAMPLE_LIFE: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ObserveUse:
    """Reconciler of `Duty.USE`; a thing is a lease's id. A crash after the look loses one look."""

    store: Store
    examiner: Examiner
    vault: Vault
    wake: Wake
    faults: Faults
    clock: Clock
    capabilities: Mapping[str, Capabilities]
    rule: IdleRule
    new_id: NewId
    most_at_once: int = 64
    duty: Duty = Duty.USE

    def due(self) -> tuple[str, ...]:
        """Ready leases whose look is due; the first one comes an interval after the hand-over."""
        now = self.clock()
        first_after = now - timedelta(seconds=self.rule.look_every_s)
        with self.store.read() as tx:
            return tx.use.due(now, first_after, self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """One look. Never again at once."""
        with self.store.read() as tx:
            lease = tx.leases.get(claim.thing)
        if lease is None or lease.state is not LeaseState.READY:
            return False
        use = self._look(lease)
        self.faults.reach(FaultPoint.USE_LOOKED)
        now = self.clock()
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            lease = tx.leases.get(claim.thing)
            if lease is None or lease.state is not LeaseState.READY:
                return False
            self._apply(tx, lease, use, now)
        self.wake.wake(Duty.NOTICE)
        return False

    def _apply(self, tx: Tx, lease: Lease, use: Use | None, now: datetime) -> None:
        before = tx.use.get(lease.id) or Activity(lease.id)
        worked_at = worked_until(tx.jobs.live_of(lease.id), tx.jobs.last_ended_at(lease.id), now)
        after = looked_at(before, use, lease, now, self.rule, worked_at)
        tx.use.save(after)
        tx.use.add(UseSample(lease.id, now, after.verdict, use))
        tx.use.forget_before(lease.id, now - SAMPLE_LIFE)
        if shows_another(before, after):
            tx.living.touch(Subject.LEASE, lease.id, Priority.FIGURES)
        if after.idle_since is None or (now - after.idle_since).total_seconds() < self.rule.idle_after_s:
            return
        zone = tx.people.zone(lease.owner) or "UTC"
        if asks(lease, after, tx.questions.latest(lease.id), zone, now, self.rule):
            self._ask(tx, lease, now)
            return
        samples = tx.use.samples(lease.id, after.idle_since)
        notice = reminder(lease, after, samples, zone, now, self.rule)
        if notice is not None:
            able = self.capabilities.get(lease.offer.provider)
            tx.outbox.put(notice.with_facts(can_stop=able is not None and able.can_stop), now)

    def _ask(self, tx: Tx, lease: Lease, now: datetime) -> None:
        """The same question as ever; the reconcilers of looks and messages go on."""
        tx.questions.add(Question(self.new_id(), lease.id, US, now, QuestionState.LOOKING, cause=Cause.IDLE))
        tx.audit.add(AuditEntry(now, US, "release-asked", lease.id, {"cause": Cause.IDLE}))
        self.wake.wake(Duty.INVENTORY)

    def _look(self, lease: Lease) -> Use | None:
        """None: nobody knows, since the machine did not answer."""
        able = self.capabilities.get(lease.offer.provider)
        if able is None or lease.address is None:
            return None
        try:
            login = Login(lease.address, self.vault.unseal(lease.sealed_private_key))
            return self.examiner.use(login, expected_of(lease.offer, able, lease.volume_id))
        except GpubotError as error:
            log.info("use.not-seen", lease=lease.id, code=error.code)
            return None
