"""Answer a question: ✅, 💾 or ❌ to the release of a machine or the deletion of a kept disk, and taking it back."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.answering import check_answer, sign_occasion
from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.departure import ReleaseAnswer, inventory_facts
from bot.domain.disk import Disk, DiskState
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


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """Takes answers. Raises `Refused` with a reason for whatever does not count."""

    store: Store
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    policy: Policy
    has_archive: bool

    def answer(self, actor: Actor, question_id: str, answer: Answer, *, by_sign: bool = False) -> ReleaseAnswer:
        """✅, 💾 or ❌; ``by_sign``: as a reaction. ❌ also takes the others back, until the vendor is told."""
        now = self.clock()
        with self.store.transaction() as tx:
            question = tx.questions.lock(question_id)
            if question is None or not question.is_live or question.state is _Q.LOOKING:
                raise Refused("question-over", disk=question is not None and question.disk_id is not None)
            about = self._about(tx, actor, question)
            if about.is_leaving:
                return ReleaseAnswer.ALREADY_LEAVING
            check_answer(about, question, tx.looks.of(question_id).shown, actor.user, answer, self.policy, now)
            if isinstance(about, Disk):
                became = self._take_of_disk(tx, actor, about, question, answer, now, by_sign=by_sign)
            else:
                became = self._take(tx, actor, about, question, answer, now, by_sign=by_sign)
        self.faults.reach(FaultPoint.RELEASE_ANSWERED)
        for duty in (Duty.LEASE, Duty.DISK, Duty.INVENTORY, Duty.SYNC, Duty.MESSAGE, Duty.ANSWER):
            self.wake.wake(duty)
        return became

    def told_of(self, actor: Actor, question_id: str, answer: Answer) -> None:
        """The person was told that their reaction does not count (yet): whoever reads it later need not."""
        with self.store.transaction() as tx:
            tx.inbox.first_time(sign_occasion(question_id, actor.user, answer), self.clock())

    def take_back(self, actor: Actor, question_id: str) -> ReleaseAnswer | None:
        """A reaction was taken back. It counts where it is that person's answer by which it goes on."""
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

    def _about(self, tx: Tx, actor: Actor, question: Question) -> Lease | Disk:
        about: Lease | Disk
        if question.disk_id is None:
            about = of_a_live_one(tx.leases.lock(question.lease_id))
        else:
            disk = tx.disks.lock(question.disk_id)
            if disk is None or disk.state not in (DiskState.KEPT, DiskState.DELETING):
                raise Refused("question-over", disk=True)
            about = disk
        if (denial := denied(self.policy, actor, Action.DESTROY, about.owner)) is not None:
            of_disk = {"disk": True} if isinstance(about, Disk) else {"destroys": True}
            raise Refused(denial, owner=about.owner, name=about.name, **of_disk)
        return about

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
            raise Refused("no-archive", stays=by_sign)
        if not may_answer(lease):
            raise Refused("save-needs-running", name=lease.name, state=lease.state, stays=by_sign)
        run = SyncRun(self.new_id(), lease.id, actor.user, now, question_id=question.id)
        tx.syncs.add(run)
        tx.questions.save(question.answered(_Q.SAVING, actor.user, now, by_sign=by_sign).with_sync(run.id))
        tx.leases.save(_kept(lease, now), now)
        self._note(tx, actor, question, "save-first", now)
        return ReleaseAnswer.SAVING

    def _take_of_disk(
        self, tx: Tx, actor: Actor, disk: Disk, question: Question, answer: Answer, now: datetime, *, by_sign: bool
    ) -> ReleaseAnswer:
        match answer:
            case Answer.SAVE:
                raise Refused("save-needs-machine", disk=disk.name)
            case Answer.YES if question.state is _Q.YES:
                return ReleaseAnswer.YES
            case Answer.YES:
                tx.questions.save(question.answered(_Q.YES, actor.user, now, by_sign=by_sign))
                self._note(tx, actor, question, "disk-delete-approved", now, disk)
            case Answer.NO:
                tx.questions.save(question.answered(_Q.NO, actor.user, now))
                self._note(tx, actor, question, "disk-delete-declined", now, disk)
        tx.disks.save(disk.evolve(next_look_at=now))
        return ReleaseAnswer.YES if answer is Answer.YES else ReleaseAnswer.KEPT

    def _note(
        self, tx: Tx, actor: Actor, question: Question, action: str, now: datetime, disk: Disk | None = None
    ) -> None:
        """Answer, who, when, and to what; the inventory itself is kept with the question."""
        shown = tx.looks.of(question.id).shown
        facts: Facts = {"question": question.id, **(inventory_facts(shown) if shown is not None else {})}
        if disk is not None:
            facts = {**facts, "disk": disk.name, "volume": disk.volume_id}
        tx.audit.add(AuditEntry(now, actor.user, action, question.lease_id, facts))


def _kept(lease: Lease, now: datetime) -> Lease:
    return kept_after_all(lease, now).noted(next_look_at=now) if lease.want is Want.RELEASED else lease.evolve()
