"""Release: a wish to end a machine, and the answers to its question; what was never handed over goes at once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from bot.domain.answering import check_answer, sign_occasion
from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.departure import inventory_facts
from bot.domain.disk import free_name, to_be_kept
from bot.domain.instance import Capabilities
from bot.domain.inventory.watched import may_answer
from bot.domain.lease import Lease, Want
from bot.domain.lifecycle.digest import kept_after_all
from bot.domain.living import Subject
from bot.domain.operating import of_a_live_one
from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.domain.policy import Action, Policy, denied
from bot.domain.problem import Facts
from bot.domain.question import Answer, Question, QuestionState
from bot.domain.sync import SyncRun
from bot.errors import Refused
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

_Q = QuestionState


class ReleaseAnswer(StrEnum):
    """What became of a wish to release."""

    GOING = "going"
    """It was never handed over: it is released without a question."""
    LOOKING = "looking"
    """What is on it is being looked at; the question comes after."""
    ALREADY_LOOKING = "already-looking"
    ALREADY_ASKED = "already-asked"
    ALREADY_LEAVING = "already-leaving"
    YES = "yes"
    SAVING = "saving"
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
    has_archive: bool
    capabilities: Mapping[str, Capabilities]

    def ask(self, actor: Actor, lease_id: str, *, keep_disk: bool = False) -> ReleaseAnswer:
        """Somebody wants the machine gone. At most one question is live; a second wish points to it, unless it is the
        first that wants the data disk kept: then it is asked anew, about what would be lost all the same."""
        now = self.clock()
        with self.store.transaction() as tx:
            lease = self._may(tx, actor, lease_id, Action.ASK_RELEASE)
            if lease.is_leaving:
                return ReleaseAnswer.ALREADY_LEAVING
            if keep_disk and not lease.keeps_disk:
                lease = self._keep_disk(tx, actor, lease, now)
            if not lease.is_handed_over:
                answer = self._cancel(tx, actor, self._may(tx, actor, lease_id), now)
            else:
                answer = self._question(tx, actor, lease, now)
        self.faults.reach(FaultPoint.RELEASE_ASKED)
        self._awake()
        return answer

    def answer(self, actor: Actor, question_id: str, answer: Answer, *, by_sign: bool = False) -> ReleaseAnswer:
        """✅, 💾 or ❌; ``by_sign``: as a reaction. ❌ also takes the others back, until the vendor is told."""
        now = self.clock()
        with self.store.transaction() as tx:
            question = tx.questions.lock(question_id)
            if question is None or not question.is_live or question.state is _Q.LOOKING:
                raise Refused("question-over")
            lease = self._may(tx, actor, question.lease_id)
            if lease.is_leaving:
                return ReleaseAnswer.ALREADY_LEAVING
            check_answer(lease, question, tx.looks.of(question_id).shown, actor.user, answer, self.policy, now)
            became = self._take(tx, actor, lease, question, answer, now, by_sign=by_sign)
        self.faults.reach(FaultPoint.RELEASE_ANSWERED)
        self._awake()
        return became

    def told_of(self, actor: Actor, question_id: str, answer: Answer) -> None:
        """The person was told that their reaction does not count (yet): whoever reads it later need not."""
        with self.store.transaction() as tx:
            tx.inbox.first_time(sign_occasion(question_id, actor.user, answer), self.clock())

    def take_back(self, actor: Actor, question_id: str) -> ReleaseAnswer | None:
        """A reaction was taken back. It counts where it is that person's answer by which the release goes on."""
        with self.store.read() as tx:
            question = tx.questions.get(question_id)
        if question is None or not question.is_yes_of(actor.user):
            return None
        return self.answer(actor, question_id, Answer.NO)

    def question_at(self, message: MessageRef) -> tuple[str, str | None] | None:
        """Id of the question that a message shows, and the thread it stands in; None: it shows none."""
        with self.store.read() as tx:
            question_id = tx.questions.at(message)
            question = tx.questions.get(question_id) if question_id is not None else None
            if question is None:
                return None
            card = tx.living.get(Subject.LEASE, question.lease_id)
        is_in_thread = card is not None and card.message is not None and card.message.channel == message.channel
        return question.id, card.message.ts if card is not None and card.message is not None and is_in_thread else None

    def _may(self, tx: Tx, actor: Actor, lease_id: str, action: Action = Action.DESTROY) -> Lease:
        lease = of_a_live_one(tx.leases.lock(lease_id))
        if (denial := denied(self.policy, actor, action, lease.owner)) is not None:
            raise Refused(denial, owner=lease.owner, name=lease.name, destroys=True)
        return lease

    def _keep_disk(self, tx: Tx, actor: Actor, lease: Lease, now: datetime) -> Lease:
        able = self.capabilities.get(lease.offer.provider)
        if able is None or not able.keeps_disks:
            raise Refused("cannot-keep-disk", provider=lease.offer.provider, name=lease.name)
        if not lease.is_handed_over:
            raise Refused("not-now", name=lease.name, state=lease.state, verb="keep")
        name = free_name(lease.name, {disk.name for disk in tx.disks.live()})
        tx.disks.add(to_be_kept(self.new_id(), name, lease, able, now))
        lease = lease.evolve(keep_disk_as=name)
        tx.leases.save(lease, now)
        tx.audit.add(AuditEntry(now, actor.user, "disk-keep", lease.id, {"disk": name}))
        live = tx.questions.latest(lease.id)
        if live is not None and live.state in (_Q.LOOKING, _Q.OPEN):
            tx.questions.save(replace(live, state=_Q.SUPERSEDED))
        return lease

    def _cancel(self, tx: Tx, actor: Actor, lease: Lease, now: datetime) -> ReleaseAnswer:
        if lease.want is Want.RELEASED:
            return ReleaseAnswer.ALREADY_LEAVING
        tx.leases.save(lease.evolve(want=Want.RELEASED, next_look_at=now, problem=None), now)
        tx.audit.add(AuditEntry(now, actor.user, "cancel", lease.id))
        return ReleaseAnswer.GOING

    def _question(self, tx: Tx, actor: Actor, lease: Lease, now: datetime) -> ReleaseAnswer:
        live = tx.questions.latest(lease.id)
        match live.state if live is not None else _Q.NO:
            case _Q.LOOKING:
                return ReleaseAnswer.ALREADY_LOOKING
            case _Q.OPEN | _Q.SAVING:
                return ReleaseAnswer.ALREADY_ASKED
            case _Q.YES | _Q.CLEAN if lease.want is Want.RELEASED:
                return ReleaseAnswer.ALREADY_LEAVING
        tx.questions.add(Question(self.new_id(), lease.id, actor.user, now, _Q.LOOKING))
        tx.leases.save(lease.evolve(), now)
        tx.audit.add(AuditEntry(now, actor.user, "release-asked", lease.id))
        return ReleaseAnswer.LOOKING

    def _take(
        self,
        tx: Tx,
        actor: Actor,
        lease: Lease,
        question: Question,
        answer: Answer,
        now: datetime,
        *,
        by_sign: bool,
    ) -> ReleaseAnswer:
        match answer, question.state:
            case Answer.YES, _Q.YES | _Q.CLEAN:
                return ReleaseAnswer.YES
            case Answer.YES, _Q.SAVING:
                raise Refused("saving-now", name=lease.name)
            case Answer.SAVE, _Q.SAVING | _Q.CLEAN:
                return ReleaseAnswer.SAVING
            case Answer.SAVE, _:
                return self._save(tx, actor, lease, question, now, by_sign=by_sign)
            case Answer.YES, _:
                tx.questions.save(question.answered(_Q.YES, actor.user, now, by_sign=by_sign))
                tx.leases.save(lease.evolve(want=Want.RELEASED, next_look_at=now), now)
                self._note(tx, actor, question, "release-approved", now)
                return ReleaseAnswer.YES
            case _:
                tx.questions.save(question.answered(_Q.NO, actor.user, now))
                tx.leases.save(_kept(lease, now), now)
                self._note(tx, actor, question, "release-declined", now)
                return ReleaseAnswer.KEPT

    def _save(
        self, tx: Tx, actor: Actor, lease: Lease, question: Question, now: datetime, *, by_sign: bool
    ) -> ReleaseAnswer:
        if not self.has_archive:
            raise Refused("no-archive")
        if not may_answer(lease):
            raise Refused("save-needs-running", name=lease.name, state=lease.state)
        run = SyncRun(self.new_id(), lease.id, actor.user, now, question_id=question.id)
        tx.syncs.add(run)
        tx.questions.save(question.answered(_Q.SAVING, actor.user, now, by_sign=by_sign).with_sync(run.id))
        tx.leases.save(_kept(lease, now), now)
        self._note(tx, actor, question, "save-first", now)
        return ReleaseAnswer.SAVING

    def _note(self, tx: Tx, actor: Actor, question: Question, action: str, now: datetime) -> None:
        """Answer, who, when, and to what; the inventory itself is kept with the question."""
        shown = tx.looks.of(question.id).shown
        facts: Facts = {"question": question.id, **(inventory_facts(shown) if shown is not None else {})}
        tx.audit.add(AuditEntry(now, actor.user, action, question.lease_id, facts))

    def _awake(self) -> None:
        for duty in (Duty.LEASE, Duty.DISK, Duty.INVENTORY, Duty.SYNC, Duty.MESSAGE, Duty.ANSWER):
            self.wake.wake(duty)


def _kept(lease: Lease, now: datetime) -> Lease:
    return kept_after_all(lease, now).noted(next_look_at=now) if lease.want is Want.RELEASED else lease.evolve()
