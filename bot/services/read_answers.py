"""Read answers: reactions under questions that were given while nobody listened, and when the owner had been told."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.domain.answering import Asked, Reading, Said, Sign, said, sign_occasion
from bot.domain.claim import Claim, Duty
from bot.domain.disk import Disk
from bot.domain.living import Subject
from bot.domain.notice import Audience, Notice, NoticeKind, Priority
from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.domain.policy import Action, Policy, denied, refused_at_the_door
from bot.domain.problem import Facts
from bot.domain.question import Answer, Question
from bot.errors import Refused, SlackBusy
from bot.ports.answers import Signs, TakesAnswers
from bot.ports.asked_about import asked_about
from bot.ports.clock import Clock
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

log = structlog.get_logger()
PEOPLE_AT_MOST: Final = 50
TOLD: Final = frozenset({"owner-first", "yes-needs-approver", "save-needs-running"})


class Connected:
    """When somebody last began to listen."""

    def __init__(self, at: datetime) -> None:
        self.at = at


@dataclass(frozen=True, slots=True)
class ReadAnswers:
    """Reconciler of `Duty.ANSWER`; a thing is a question's id. An answer is taken once, by the rule that takes all
    others; a crash before that the reading is noted means another reading."""

    store: Store
    signs: Signs
    takes: TakesAnswers
    wake: Wake
    faults: Faults
    clock: Clock
    policy: Policy
    grace_s: float
    every_s: float
    connected: Connected
    most_at_once: int = 4
    duty: Duty = Duty.ANSWER

    def due(self) -> tuple[str, ...]:
        """Questions that can be answered and were not read since they should have been, the longest unread first."""
        now = self.clock()
        with self.store.read() as tx:
            waiting = tx.questions.answerable()
            if not waiting:
                return ()
            unread = sorted(
                (question for question in waiting if self._reading.is_due(question, now, self.grace_s)),
                key=lambda question: question.signs_read_at or question.asked_at,
            )
            untold = [question for question in waiting if self._is_untold(tx, question)]
        return tuple(dict.fromkeys(question.id for question in (*untold, *unread[: self.most_at_once])))

    def step(self, claim: Claim) -> bool:
        """Read one question's signs, and take the answer that they amount to."""
        now = self.clock()
        with self.store.read() as tx:
            question = tx.questions.get(claim.thing)
            about = asked_about(tx, question) if question is not None else None
            living = tx.living.get(Subject.QUESTION, claim.thing)
            untold = question is not None and self._is_untold(tx, question)
        if question is None or about is None or not about.is_live or not question.is_live:
            return False
        if untold:
            self._owner_first(claim, question, about)
        if not self._reading.is_due(question, now, self.grace_s) or about.is_leaving:
            return False
        try:
            self._read(question, about, living.message if living is not None else None)
        except SlackBusy as error:
            log.info("signs.unread", question=question.id, wait_s=error.retry_after_s)
            return False
        self.faults.reach(FaultPoint.ANSWERS_READ)
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.questions.signs_read(question.id, now)
            if isinstance(about, Disk):
                tx.disks.look_now(about.id, self.clock())
            else:
                tx.leases.look_now((about.id,), self.clock())
        for duty in (Duty.LEASE, Duty.DISK, Duty.NOTICE):
            self.wake.wake(duty)
        return False

    @property
    def _reading(self) -> Reading:
        return Reading(self.connected.at, self.every_s)

    def _read(self, question: Question, about: Asked, message: MessageRef | None) -> None:
        signs = self.signs.read(message) if message is not None else None
        if signs is None or message is None:
            return
        people = self._who_may(signs, about, message)
        if isinstance(about, Disk) and (saves := signs.get(Answer.SAVE)) is not None:
            for user in (user for user in saves.users if user in people):
                self._tell(question, about, user, Answer.SAVE, Refused("save-needs-machine"))
            signs = {answer: sign for answer, sign in signs.items() if answer is not Answer.SAVE}
        found = said(question, signs, frozenset(people))
        if found is not None:
            self._take(question, about, found, people)

    def _who_may(self, signs: Mapping[Answer, Sign], about: Asked, message: MessageRef) -> dict[str, Actor]:
        """People whose answer may count: in the workspace still, and owner or approver. Nobody else is looked up."""
        channel = None if message.channel.startswith("D") else message.channel
        found: dict[str, Actor] = {}
        named = dict.fromkeys(user for sign in signs.values() for user in sign.users)
        can = [user for user in named if user == about.owner or user in self.policy.approvers]
        for user in can[:PEOPLE_AT_MOST]:
            actor = self.signs.person(user)
            if actor is None or refused_at_the_door(self.policy, actor, about.team_id, channel) is not None:
                continue
            if denied(self.policy, actor, Action.DESTROY, about.owner) is None:
                found[user] = actor
        return found

    def _take(self, question: Question, about: Asked, found: Said, people: Mapping[str, Actor]) -> None:
        for user in found.by:
            # Who gave the yes may take it back, whatever has become of them.
            actor = people.get(user) or Actor(user, about.team_id)
            try:
                self.takes.answer(actor, question.id, found.answer, by_sign=True)
            except Refused as refused:
                if refused.reason in TOLD:
                    self._tell(question, about, user, found.answer, refused)
                continue
            log.info("signs.taken", question=question.id, answer=found.answer, by=user)
            self._contradicted(question, about, found)
            return

    def _tell(self, question: Question, about: Asked, user: str, answer: Answer, refused: Refused) -> None:
        """Why it does not count (yet), once."""
        occasion, now = sign_occasion(question.id, user, answer), self.clock()
        facts: Facts = {"to": user, "reason": refused.reason}
        if isinstance(at := refused.facts.get("counts_from"), datetime):
            facts = {**facts, "counts_from": int(at.timestamp())}
        with self.store.transaction() as tx:
            if tx.inbox.first_time(occasion, now):
                tx.outbox.put(_direct(occasion, NoticeKind.SIGN_REFUSED, question, about, facts), now)

    def _contradicted(self, question: Question, about: Asked, found: Said) -> None:
        """Whose other sign does not count is told so."""
        with self.store.transaction() as tx:
            for user in found.against:
                occasion = f"{NoticeKind.SIGNS_CONTRADICT}:{question.id}:{user}"
                facts: Facts = {"to": user, "counts": found.answer.value, "by": found.by[0]}
                notice = _direct(occasion, NoticeKind.SIGNS_CONTRADICT, question, about, facts)
                tx.outbox.put(notice, self.clock())

    def _is_untold(self, tx: Tx, question: Question) -> bool:
        """Somebody else's machine or disk is asked for, and it was not noted yet from when an approver's yes counts."""
        if question.owner_first_until is not None:
            return False
        about = asked_about(tx, question)
        return about is not None and question.is_of_another(about.owner)

    def _owner_first(self, claim: Claim, question: Question, about: Asked) -> None:
        """The owner's time runs from when they had been told; who is no longer there is not waited for."""
        try:
            owner = self.signs.person(about.owner)
        except SlackBusy:
            return
        now = self.clock()
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            stored = tx.questions.lock(question.id)
            told_at = tx.outbox.settled_at(f"{NoticeKind.OWNER_ASKED}:{question.id}")
            is_away = owner is not None and owner.is_deactivated
            if stored is None or not stored.is_live or (told_at is None and not is_away):
                return
            until = now if is_away or told_at is None else told_at + timedelta(seconds=self.policy.owner_first_s)
            tx.questions.save(stored.with_owner_first(until))
        self.wake.wake(Duty.MESSAGE)


def _direct(occasion: str, kind: NoticeKind, question: Question, about: Asked, facts: Facts) -> Notice:
    of_disk: Facts = {"disk": about.name} if isinstance(about, Disk) else {}
    told = {**facts, "question": question.id, "owner": about.owner, **of_disk}
    return Notice(occasion, kind, question.lease_id, Audience.PERSON, Priority.PERSON, facts=told)
