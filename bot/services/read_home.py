"""Read a home: what one person's own page shows, from what is stored."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.domain.home import AskedAbout, HomeView, Spent, TeamView, beginnings, is_waiting
from bot.domain.instance import Capabilities
from bot.domain.jobs.job import Job
from bot.domain.jobs.view import JobView
from bot.domain.ledger import total_microusd
from bot.domain.living import Subject
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.domain.question import Question
from bot.domain.quote import QuoteReason
from bot.domain.spending import spending
from bot.domain.views import LeaseView, QuoteView
from bot.ports.clock import Clock
from bot.ports.job_view import read_job_view
from bot.ports.lease_view import read_lease_views
from bot.ports.store import Store, Tx

MOST_JOBS: Final = 6


@dataclass(frozen=True, slots=True)
class ReadHome:
    """Gathers a home; asks no vendor and no machine."""

    store: Store
    clock: Clock
    policy: Policy
    capabilities: Mapping[str, Capabilities]

    def __call__(self, actor: Actor) -> HomeView:
        """What ``actor`` may see on their home."""
        now = self.clock()
        is_approver = denied(self.policy, actor, Action.APPROVE_RENT) is None
        with self.store.read() as tx:
            waiting = {question.lease_id: question for question in tx.questions.open()}
            mine = read_lease_views(tx, tx.leases.live(actor.user), self.capabilities, now)
            theirs = self._theirs(tx, actor.user, waiting) if is_approver else ()
            quotes = tuple(QuoteView(quote, self.policy, now) for quote in tx.quotes.open(now))
            return HomeView(
                user=actor.user,
                leases=mine,
                jobs=tuple(view for job in tx.jobs.latest(actor.user, MOST_JOBS) if (view := self._job(tx, job))),
                spent=self._spent(tx, actor.user),
                has_key=bool(tx.keys.of(actor.user)),
                quotes=tuple(view for view in quotes if view.quote.owner == actor.user),
                questions=(
                    *self._asked(tx, (*mine, *theirs)),
                    *self._asked_of_disks(tx, None if is_approver else actor.user),
                ),
                team=TeamView(theirs, tuple(_for_approvers(quotes, actor.user))) if is_approver else None,
                now=now,
            )

    def _theirs(self, tx: Tx, user: str, waiting: Mapping[str, Question]) -> tuple[LeaseView, ...]:
        """The others' machines: there may be hundreds, so what is read does not grow with their number."""
        now = self.clock()
        leases = tuple(lease for lease in tx.leases.live() if lease.owner != user)
        ledger = tx.ledger.of(lease.id for lease in leases)
        return tuple(
            LeaseView(
                lease,
                total_microusd(ledger[lease.id], now),
                self.capabilities.get(lease.offer.provider),
                waiting.get(lease.id),
                now,
            )
            for lease in leases
        )

    def _job(self, tx: Tx, job: Job) -> JobView | None:
        lease = tx.leases.get(job.lease_id)
        if lease is None:
            return None
        return read_job_view(tx, job, lease, self.clock())

    def _asked(self, tx: Tx, views: Iterable[LeaseView]) -> Iterable[AskedAbout]:
        for view in views:
            if view.question is not None and is_waiting(view.question):
                living = tx.living.get(Subject.QUESTION, view.question.id)
                yield AskedAbout(view.question, view.lease, living.message if living is not None else None)

    def _asked_of_disks(self, tx: Tx, owner: str | None) -> Iterable[AskedAbout]:
        """``owner``: whose disks; None: everybody's."""
        for question in tx.questions.answerable():
            disk = tx.disks.get(question.disk_id) if question.disk_id is not None else None
            lease = tx.leases.get(question.lease_id) if disk is not None and owner in (None, disk.owner) else None
            if disk is not None and lease is not None and is_waiting(question):
                living = tx.living.get(Subject.QUESTION, question.id)
                yield AskedAbout(question, lease, living.message if living is not None else None, disk)

    def _spent(self, tx: Tx, user: str) -> Spent:
        now = self.clock()
        since = beginnings(now, tx.people.zone(user))
        leases = tx.leases.billed(min(since.week, since.month), user)
        ledger = tx.ledger.of(lease.id for lease in leases)
        disks = tx.disks.billed(user)
        today, week, month = (
            spending(leases, ledger, start, now, disks).total_microusd for start in (since.day, since.week, since.month)
        )
        return Spent(today, week, month)


def _for_approvers(quotes: Iterable[QuoteView], user: str) -> Iterable[QuoteView]:
    """Those of others that only an approver can press."""
    return (v for v in quotes if v.quote.reason is QuoteReason.NEEDS_APPROVER and v.quote.owner != user)
