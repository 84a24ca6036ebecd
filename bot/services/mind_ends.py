"""Mind ends: at a lease's end its release is asked for, once; beforehand its owner hears of it; an unused machine whose
question waits is stopped. Nothing is released here."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

import structlog

from bot.domain.audit import AuditEntry
from bot.domain.claim import Claim, Duty
from bot.domain.departure import US
from bot.domain.ending import (
    HORIZON,
    LEFT_ALONE,
    AskForRelease,
    AtWork,
    Ending,
    EndRule,
    Remind,
    StopUnused,
    ends_soon,
    next_ending,
    stopped_at_end,
)
from bot.domain.idle import IdleRule, is_unused
from bot.domain.instance import Capabilities
from bot.domain.lease import Lease, Want
from bot.domain.ledger import total_microusd
from bot.domain.question import Cause, Question, QuestionState
from bot.domain.steady import Steady
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

log = structlog.get_logger()


class SteadyClock:
    """Watches whether the system's clock keeps the pace of the monotonic one."""

    def __init__(self, clock: Clock, monotonic: Callable[[], float]) -> None:
        self._clock, self._monotonic = clock, monotonic
        self._seen = Steady(clock(), monotonic())

    def is_steady(self) -> bool:
        """Whether rules may go by it now."""
        before = self._seen
        self._seen = before.read(self._clock(), self._monotonic())
        if self._seen.jumped_s != before.jumped_s:
            log.warning("clock.jumped", was=before.at.isoformat(), now=self._seen.at.isoformat())
        return self._seen.is_steady


@dataclass(frozen=True, slots=True)
class MindEnds:
    """Reconciler of `Duty.ENDING`; a thing is a lease's id. What is due is decided anew inside the transaction that
    writes it: a question is asked once, as the row is, and a reminder at most once."""

    store: Store
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    steady: SteadyClock
    capabilities: Mapping[str, Capabilities]
    rule: EndRule
    idle: IdleRule
    duty: Duty = Duty.ENDING

    def due(self) -> tuple[str, ...]:
        """Leases whose end brings something up now; none as long as nobody knows what time it is."""
        now = self.clock()
        if not self.steady.is_steady():
            return ()
        with self.store.read() as tx:
            return tuple(lease.id for lease in self._possible(tx, now) if self._next(tx, lease, now))

    def step(self, claim: Claim) -> bool:
        """Bring it up. Never again at once."""
        now = self.clock()
        if not self.steady.is_steady():
            return False
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            lease = tx.leases.lock(claim.thing)
            ending = self._next(tx, lease, now) if lease is not None else None
            if lease is None or ending is None:
                return False
            self._bring_up(tx, lease, ending, now)
        self.faults.reach(FaultPoint.END_STORED)
        log.info("end.minded", lease=lease.id, what=type(ending).__name__)
        for duty in (Duty.LEASE, Duty.INVENTORY, Duty.NOTICE, Duty.MESSAGE):
            self.wake.wake(duty)
        return False

    def _bring_up(self, tx: Tx, lease: Lease, ending: Ending, now: datetime) -> None:
        question = tx.questions.latest(lease.id)
        match ending:
            case Remind(occasion):
                cost = total_microusd(tx.ledger.of((lease.id,))[lease.id], now)
                tx.outbox.put(ends_soon(lease, self._work(tx, lease, now), cost, occasion), now)
            case AskForRelease():
                asked = Question(self.new_id(), lease.id, US, now, QuestionState.LOOKING, cause=Cause.LEASE_END)
                tx.questions.add(asked)
                tx.audit.add(AuditEntry(now, US, "release-asked", lease.id, {"cause": Cause.LEASE_END}))
            case StopUnused() if question is not None:
                tx.leases.save(lease.evolve(want=Want.STOPPED, next_look_at=now), now)
                tx.audit.add(AuditEntry(now, US, "stop", lease.id, {"cause": Cause.LEASE_END}))
                tx.outbox.put(stopped_at_end(lease, question), now)

    def _possible(self, tx: Tx, now: datetime) -> Iterator[Lease]:
        """Leases that are worth a closer look: most are far from their end, and all of them are asked after often."""
        leases = tx.leases.ending(now + HORIZON)
        questions = tx.questions.latest_of(lease.id for lease in leases)
        zones = tx.people.zones({lease.owner for lease in leases})
        for lease in leases:
            if self._ending(lease, questions.get(lease.id), LEFT_ALONE, zones.get(lease.owner), now) is not None:
                yield lease

    def _ending(
        self, lease: Lease, question: Question | None, work: AtWork, zone: str | None, now: datetime
    ) -> Ending | None:
        able = self.capabilities.get(lease.offer.provider)
        return next_ending(lease, question, work, able, zone or "UTC", now, self.rule)

    def _next(self, tx: Tx, lease: Lease, now: datetime) -> Ending | None:
        question = tx.questions.latest(lease.id)
        ending = self._ending(lease, question, self._work(tx, lease, now), tx.people.zone(lease.owner), now)
        match ending:
            case Remind(occasion) if tx.outbox.has(occasion):
                return None
            case StopUnused() if question is not None and tx.outbox.has(stopped_at_end(lease, question).occasion):
                return None  # whoever has started it again wants it running
            case _:
                return ending

    def _work(self, tx: Tx, lease: Lease, now: datetime) -> AtWork:
        activity = tx.use.get(lease.id)
        return AtWork(
            len(tx.jobs.live_of(lease.id)),
            len(tx.syncs.open_of(lease.id)),
            activity,
            is_unused(activity, now, self.idle),
        )
