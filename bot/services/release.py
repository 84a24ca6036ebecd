"""Release: ask before a machine ends, take the answer; what was never handed over goes at once."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.lifecycle.digest import kept_after_all
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.domain.question import Question, QuestionState
from bot.errors import Refused
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake


class ReleaseAnswer(StrEnum):
    """What became of a wish to release."""

    GOING = "going"
    """It was never handed over: it is released without a question."""
    ASKED = "asked"
    ALREADY_ASKED = "already-asked"
    ALREADY_LEAVING = "already-leaving"
    YES = "yes"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Release:
    """The way to the end of a lease. Raises `Refused` with a reason for whatever it does not do."""

    store: Store
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    policy: Policy

    def ask(self, actor: Actor, lease_id: str) -> ReleaseAnswer:
        """Somebody wants the machine gone. At most one question is live; a second wish points to it."""
        now = self.clock()
        with self.store.transaction() as tx:
            lease = self._may(tx, actor, lease_id)
            if lease.state is LeaseState.RELEASING or lease.release_accepted_at is not None:
                return ReleaseAnswer.ALREADY_LEAVING
            if not lease.is_handed_over:
                answer = self._cancel(tx, actor, lease, now)
            else:
                answer = self._question(tx, actor, lease, now)
        self.faults.reach(FaultPoint.RELEASE_ASKED)
        self.wake.wake(Duty.LEASE)
        self.wake.wake(Duty.MESSAGE)
        return answer

    def answer(self, actor: Actor, question_id: str, yes: bool) -> ReleaseAnswer:
        """A press of ✅ or ❌. ❌ also takes a yes back, as long as the vendor was not told."""
        now = self.clock()
        with self.store.transaction() as tx:
            question = tx.questions.lock(question_id)
            if question is None or not question.is_live:
                raise Refused("question-over")
            lease = self._may(tx, actor, question.lease_id)
            if lease.state is LeaseState.RELEASING or lease.release_accepted_at is not None:
                return ReleaseAnswer.ALREADY_LEAVING
            if yes and question.state is QuestionState.YES:
                return ReleaseAnswer.YES
            self._record(tx, actor, lease, question, yes, now)
        self.faults.reach(FaultPoint.RELEASE_ANSWERED)
        self.wake.wake(Duty.LEASE)
        self.wake.wake(Duty.MESSAGE)
        return ReleaseAnswer.YES if yes else ReleaseAnswer.KEPT

    def _may(self, tx: Tx, actor: Actor, lease_id: str) -> Lease:
        lease = tx.leases.lock(lease_id)
        if lease is None:
            raise Refused("no-lease")
        if not lease.is_live:
            raise Refused("lease-over", name=lease.name, state=lease.state)
        if (denial := denied(self.policy, actor, Action.DESTROY, lease.owner)) is not None:
            raise Refused(denial, owner=lease.owner, name=lease.name, destroys=True)
        return lease

    def _cancel(self, tx: Tx, actor: Actor, lease: Lease, now: datetime) -> ReleaseAnswer:
        if lease.want is Want.RELEASED:
            return ReleaseAnswer.ALREADY_LEAVING
        tx.leases.save(lease.evolve(want=Want.RELEASED, next_look_at=now, problem=None), now)
        tx.audit.add(AuditEntry(now, actor.user, "cancel", lease.id))
        return ReleaseAnswer.GOING

    def _question(self, tx: Tx, actor: Actor, lease: Lease, now: datetime) -> ReleaseAnswer:
        live = tx.questions.latest(lease.id)
        if live is not None and live.state is QuestionState.OPEN:
            return ReleaseAnswer.ALREADY_ASKED
        if live is not None and live.state is QuestionState.YES and lease.want is Want.RELEASED:
            return ReleaseAnswer.ALREADY_LEAVING
        tx.questions.add(Question(self.new_id(), lease.id, actor.user, now))
        tx.leases.save(lease.evolve(), now)
        tx.audit.add(AuditEntry(now, actor.user, "release-asked", lease.id))
        return ReleaseAnswer.ASKED

    def _record(self, tx: Tx, actor: Actor, lease: Lease, question: Question, yes: bool, now: datetime) -> None:
        state = QuestionState.YES if yes else QuestionState.NO
        tx.questions.save(question.answered(state, actor.user, now))
        if yes:
            tx.leases.save(lease.evolve(want=Want.RELEASED, next_look_at=now), now)
        elif lease.want is Want.RELEASED:
            tx.leases.save(kept_after_all(lease, now).noted(next_look_at=now), now)
        else:
            tx.leases.save(lease.evolve(), now)
        action = "release-approved" if yes else "release-declined"
        tx.audit.add(AuditEntry(now, actor.user, action, lease.id, {"question": question.id}))
