"""Deliver living messages: cards, questions and quotes are made to show what is stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.domain.claim import Claim, Duty
from bot.domain.disk import disk_cost_microusd
from bot.domain.ending import EndRule, asks_at, stop_planned_at
from bot.domain.instance import Capabilities
from bot.domain.inventory.inventory import WhyUnknown, unknown
from bot.domain.inventory.wishes import added_paths
from bot.domain.jobs.view import JobView
from bot.domain.lease import Lease
from bot.domain.living import LivingMessage, Subject
from bot.domain.notice import Audience, Notice, NoticeKind, Priority
from bot.domain.places import MessageRef, Place
from bot.domain.policy import Policy
from bot.domain.problem import Facts
from bot.domain.question import Question, QuestionState
from bot.domain.quote import QuoteReason
from bot.domain.views import DiskQuestionView, LeaseView, QuestionView, QuoteView, SyncView, View
from bot.errors import MessageLost, NotifierError, NowhereToPost, PictureRefused, SlackBusy
from bot.ports.clock import Clock
from bot.ports.faults import FaultPoint, Faults
from bot.ports.job_view import read_job_view
from bot.ports.lease_view import read_lease_views
from bot.ports.notifier import Notifier
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

log = structlog.get_logger()
RETRY_S: Final = 5.0
FIGURES_AGE: Final = timedelta(minutes=5)
FIGURES_AT_ONCE: Final = 5
_SLACK_OF_CLOCKS: Final = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class DeliverMessages:
    """Reconciler of `Duty.MESSAGE`; a thing is ``subject:id``. A crash after posting is healed by looking for
    the message before posting another."""

    store: Store
    notifier: Notifier
    wake: Wake
    faults: Faults
    clock: Clock
    policy: Policy
    capabilities: Mapping[str, Capabilities]
    grace_s: float
    home_channel: str
    ends: EndRule
    has_archive: bool = False
    output_age_s: float = 60.0
    """How old a job's message may be while output comes."""
    most_at_once: int = 16
    duty: Duty = Duty.MESSAGE

    def due(self) -> tuple[str, ...]:
        """Messages that are behind, the most urgent first."""
        now = self.clock()
        with self.store.read() as tx:
            due = tx.living.due(now, self.most_at_once)
        if not due:
            with self.store.transaction() as tx:
                tx.living.touch_outputs(now - timedelta(seconds=self.output_age_s), FIGURES_AT_ONCE)
                tx.living.touch_figures(now - FIGURES_AGE, FIGURES_AT_ONCE)
        return tuple(f"{living.subject}:{living.subject_id}" for living in due)

    def step(self, claim: Claim) -> bool:
        """Bring one message up to date. True: it is out for the first time, so its thread can be used."""
        subject, _, subject_id = claim.thing.partition(":")
        now = self.clock()
        with self.store.transaction() as tx:
            living = tx.living.get(Subject(subject), subject_id)
            if living is None or living.shown >= living.wanted:
                return False
            view = self._view(tx, living)
            place = self._place(tx, living)
            if view is None or place is None:
                return False
            if living.message is None:
                tx.living.posting(living, place.channel, living.posting_since or now)
        try:
            message = self._show(claim, living, view, place)
        except PictureRefused as error:
            return self._without_picture(claim, living, error)
        except NotifierError as error:
            self._later(claim, living, view, error)
            return False
        if message is None:
            return False
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.living.shown(living, message, self.clock())
            if isinstance(view, JobView) and view.picture_file:
                tx.pictures.save(tx.pictures.get(view.job.id).was_shown(view.picture_file))
        if living.message is None:
            self.wake.wake(Duty.NOTICE)
            self.notifier.invite_answers(view, message)
        return living.message is None

    def _show(self, claim: Claim, living: LivingMessage, view: View, place: Place) -> MessageRef | None:
        if living.message is not None:
            try:
                self.notifier.edit(view, living.message)
            except MessageLost as error:
                log.info("message.lost", subject=living.subject, id=living.subject_id, reason=error.reason)
                with self.store.transaction() as tx:
                    tx.claims.check(claim)
                    tx.living.lost(living)
                return None
            return living.message
        if living.posting_since is not None:
            since = living.posting_since - _SLACK_OF_CLOCKS
            found = self.notifier.find(living.subject, living.subject_id, place, since)
            if found is not None:
                self.notifier.edit(view, found)
                return found
        message = self.notifier.post(view, place)
        self.faults.reach(FaultPoint.MESSAGE_POSTED)
        return message

    def _without_picture(self, claim: Claim, living: LivingMessage, error: PictureRefused) -> bool:
        """Slack is not done with the picture: the message goes out with the one before; this one is tried later."""
        log.info("picture.refused", job=living.subject_id, reason=error.reason)
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.pictures.save(tx.pictures.get(living.subject_id).refused(self.clock()))
        return True

    def _later(self, claim: Claim, living: LivingMessage, view: View, error: NotifierError) -> None:
        now = self.clock()
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            match error:
                case NowhereToPost() if (channel := self._elsewhere(living, view)) is not None:
                    log.info("message.moved", subject=living.subject, id=living.subject_id, reason=error.reason)
                    tx.living.posting(living, channel, now)
                    if isinstance(view, LeaseView) and channel != view.lease.owner:
                        tx.outbox.put(_card_elsewhere(view.lease, living.channel), now)
                case SlackBusy(wait_s):
                    tx.living.postpone(living, now + timedelta(seconds=wait_s))
                case _:
                    log.warning("message.undelivered", subject=living.subject, id=living.subject_id, code=error.code)
                    wait_s = min(300.0, RETRY_S * 2 ** min(living.attempts, 6))
                    tx.living.postpone(living, now + timedelta(seconds=wait_s))

    def _elsewhere(self, living: LivingMessage, view: View) -> str | None:
        """Where to post instead: the home channel, then the owner directly (Slack takes a person for a channel)."""
        owner = view.quote.owner if isinstance(view, QuoteView) else view.lease.owner
        tried = {living.channel, *((self.home_channel,) if living.channel == owner else ())}
        places = [self.home_channel, owner]
        if isinstance(view, QuoteView) and view.quote.reason is not QuoteReason.NEEDS_APPROVER:
            # Whoever was just told to press it has to find it.
            places, tried = [owner, self.home_channel], {living.channel}
        return next((channel for channel in places if channel and channel not in tried), None)

    def _place(self, tx: Tx, living: LivingMessage) -> Place | None:
        if living.thread_of is None:
            return Place(living.channel)
        card = tx.living.get(Subject.LEASE, living.thread_of)
        if card is None or card.message is None:
            return None
        return Place(card.message.channel, card.message.ts)

    def _view(self, tx: Tx, living: LivingMessage) -> View | None:
        now = self.clock()
        match living.subject:
            case Subject.QUOTE:
                quote = tx.quotes.get(living.subject_id)
                return None if quote is None else QuoteView(quote, self.policy, now)
            case Subject.LEASE:
                return self._lease_view(tx, living.subject_id)
            case Subject.JOB:
                return self._job_view(tx, living.subject_id)
            case Subject.QUESTION:
                question = tx.questions.get(living.subject_id)
                if question is not None and question.disk_id is not None:
                    return self._disk_question(tx, question, question.disk_id)
                lease_view = None if question is None else self._lease_view(tx, question.lease_id)
                if question is None or lease_view is None:
                    return None
                return QuestionView(
                    question,
                    lease_view.lease,
                    lease_view.capabilities,
                    self.policy,
                    self.grace_s,
                    now,
                    tx.looks.of(question.id).shown,
                    tx.syncs.get(question.sync_id) if question.sync_id is not None else None,
                    self.has_archive,
                    named=added_paths(tx.watched.of(question.lease_id)),
                    **self._clock(tx, lease_view.lease, question),
                )
            case Subject.SYNC:
                run = tx.syncs.get(living.subject_id)
                lease = tx.leases.get(run.lease_id) if run is not None else None
                return None if run is None or lease is None else SyncView(run, lease, now)

    def _disk_question(self, tx: Tx, question: Question, disk_id: str) -> DiskQuestionView | None:
        disk, lease, now = tx.disks.get(disk_id), tx.leases.get(question.lease_id), self.clock()
        if disk is None or lease is None:
            return None
        look, shown = tx.disks.look(disk_id), tx.looks.of(question.id).shown
        shown = shown or unknown(WhyUnknown.NEVER_LOOKED, question.asked_at)
        is_that = look is not None and look.inventory.taken_at == shown.taken_at
        copied = look.copied if look is not None and is_that and shown.why_unknown is None else None
        changed = look.inventory.why_unknown if look is not None else None
        cost = disk_cost_microusd(disk, now)
        return DiskQuestionView(question, disk, lease, cost, self.policy, self.grace_s, now, shown, copied, changed)

    def _clock(self, tx: Tx, lease: Lease, question: Question) -> dict[str, datetime | None]:
        """What the lease's end brings up next, as things are."""
        again: datetime | None = None
        if lease.ends_at is not None and lease.ends_at <= self.clock() and question.state is QuestionState.NO:
            again = asks_at(lease.ends_at, question, tx.people.zone(lease.owner) or "UTC", self.ends)
        able = self.capabilities.get(lease.offer.provider)
        return {"asked_again_at": again, "stops_at": stop_planned_at(lease, question, able, self.ends)}

    def _job_view(self, tx: Tx, job_id: str) -> JobView | None:
        job = tx.jobs.get(job_id)
        lease = None if job is None else tx.leases.get(job.lease_id)
        if job is None or lease is None:
            return None
        return read_job_view(tx, job, lease, self.clock())

    def _lease_view(self, tx: Tx, lease_id: str) -> LeaseView | None:
        lease = tx.leases.get(lease_id)
        if lease is None:
            return None
        return read_lease_views(tx, (lease,), self.capabilities, self.clock())[0]


def _card_elsewhere(lease: Lease, asked_in: str) -> Notice:
    """Whoever rented looks for the card where they typed."""
    facts: Facts = {"asked_in": asked_in}
    return Notice(
        f"elsewhere:{lease.id}", NoticeKind.CARD_ELSEWHERE, lease.id, Audience.PERSON, Priority.PERSON, facts=facts
    )
