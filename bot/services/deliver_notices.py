"""Deliver notices: what people should learn, once per occasion."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog

from bot.domain.claim import Claim, Duty
from bot.domain.lease import Lease
from bot.domain.living import Subject
from bot.domain.notice import Audience, NoticeKind
from bot.errors import NotifierError, NowhereToPost, SlackBusy, SlackUnsure
from bot.ports.clock import Clock
from bot.ports.delivery_store import QueuedNotice
from bot.ports.faults import FaultPoint, Faults
from bot.ports.notifier import Notifier
from bot.ports.store import Store, Tx

log = structlog.get_logger()
RETRY_S: Final = 2.0
MOST_TRIES: Final = 20
NEWCOMER_FOR: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class DeliverNotices:
    """Reconciler of `Duty.NOTICE`; a thing is a lease's id, so that its thread keeps its order.

    A reminder is marked as said before it goes out (at most once), everything else after (at least once).
    """

    store: Store
    notifier: Notifier
    faults: Faults
    clock: Clock
    most_at_once: int = 32
    duty: Duty = Duty.NOTICE

    def due(self) -> tuple[str, ...]:
        """Leases with something to say."""
        with self.store.read() as tx:
            due = tx.outbox.due(self.clock(), self.most_at_once)
        return tuple(dict.fromkeys(queued.notice.lease_id for queued in due))

    def step(self, claim: Claim) -> bool:
        """Say what is due about one lease, in the order it was written. True: all of it is out."""
        with self.store.read() as tx:
            due = tx.outbox.due(self.clock(), self.most_at_once * 4)
        mine = sorted((q for q in due if q.notice.lease_id == claim.thing), key=lambda q: q.id)
        return all(self._say(queued) for queued in mine) and bool(mine)

    def _say(self, queued: QueuedNotice) -> bool:
        notice, now = queued.notice, self.clock()
        with self.store.transaction() as tx:
            lease = tx.leases.get(notice.lease_id)
            if lease is not None and notice.kind is NoticeKind.LEASE_READY:
                notice = notice.with_facts(needs_key=_is_first_without_key(tx, lease))
            card = tx.living.get(Subject.LEASE, notice.lease_id)
            if lease is None:
                tx.outbox.give_up(queued.id, now, "no-lease")
                return True
            if card is None or card.message is None:
                # The thread it belongs to is not there yet.
                tx.outbox.postpone(queued.id, now + timedelta(seconds=RETRY_S))
                return False
            about = card.message
            if notice.audience is Audience.PERSON and (question := notice.facts.get("question")):
                # It points to the question, which has to stand there first.
                asked = tx.living.get(Subject.QUESTION, str(question))
                if asked is None or asked.message is None:
                    tx.outbox.postpone(queued.id, now + timedelta(seconds=RETRY_S))
                    return False
                about = asked.message
            if notice.at_most_once:
                tx.outbox.said(queued.id, now)
        try:
            self.notifier.tell(notice, lease, about)
        except NotifierError as error:
            self._later(queued, error)
            return False
        self.faults.reach(FaultPoint.NOTICE_POSTED)
        if not notice.at_most_once:
            with self.store.transaction() as tx:
                tx.outbox.said(queued.id, self.clock())
        return True

    def _later(self, queued: QueuedNotice, error: NotifierError) -> None:
        now = self.clock()
        with self.store.transaction() as tx:
            was_surely_not_said = isinstance(error, SlackBusy) and not isinstance(error, SlackUnsure)
            if queued.notice.at_most_once and not was_surely_not_said:
                return
            # However long Slack is away or its budget short: what people should learn comes afterwards.
            is_hopeless = not isinstance(error, SlackBusy) and queued.attempts >= MOST_TRIES
            if isinstance(error, NowhereToPost) or is_hopeless:
                log.warning("notice.given-up", occasion=queued.notice.occasion, code=error.code)
                tx.outbox.give_up(queued.id, now, error.code)
                return
            wait_s = error.wait_s if error.wait_s is not None else RETRY_S * 2 ** min(queued.attempts, 7)
            tx.outbox.postpone(queued.id, now + timedelta(seconds=wait_s))


def _is_first_without_key(tx: Tx, lease: Lease) -> bool:
    """Whether its owner could not log in and has not been told so with an earlier machine."""
    if tx.keys.of(lease.owner):
        return False
    lately = tx.leases.latest(lease.owner, lease.requested_at - NEWCOMER_FOR)
    return all(other.handed_over_at is None for other in lately if other.id != lease.id)
