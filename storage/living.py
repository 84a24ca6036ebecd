"""The store of living messages."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Update, and_, case, exists, func, literal, or_, update
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from bot.domain.living import LivingMessage, Subject
from bot.domain.notice import Priority
from bot.domain.places import MessageRef
from storage.columns import Rank
from storage.mapping import columns_of, value_of
from storage.shelf import Query, Shelf, given
from storage.tables import IntervalRow, JobOutputRow, JobRow, LivingRow
from storage.tables.messages import LIVING_BEHIND

_OF_SUBJECT: Final = and_(col(LivingRow.subject) == given("its_subject"), col(LivingRow.subject_id) == given("its_id"))
_GET: Final = Query(LivingMessage, LivingRow, select(LivingRow).where(_OF_SUBJECT))


class SqlLiving(Shelf):
    """Living messages in the database. Those behind wait their turn, a number given when they fall behind."""

    def add(self, subject: Subject, subject_id: str, channel: str, thread_of: str | None, priority: Priority) -> None:
        """A new one, not shown yet."""
        living = LivingMessage(subject, subject_id, channel, 1, 0, priority, thread_of=thread_of)
        self._run(self._insert(LivingRow, {**columns_of(living), "turn": _NEXT_TURN}))

    def get(self, subject: Subject, subject_id: str) -> LivingMessage | None:
        """The one of that subject."""
        return self._found_first(_GET, its_subject=subject, its_id=subject_id)

    def subject_at(self, subject: Subject, message: MessageRef) -> str | None:
        """What a message shows."""
        query = select(LivingRow).where(col(LivingRow.subject) == subject, col(LivingRow.message) == message)
        row = self._first(query)
        return None if row is None else row.subject_id

    def touch(self, subject: Subject, subject_id: str, priority: Priority) -> None:
        """It is behind by one more change; the more urgent of both priorities holds."""
        self._ask(_TOUCH[priority], {"its_subject": subject, "its_id": subject_id})

    def touch_figures(self, shown_before: datetime, limit: int) -> int:
        """Mark cards whose meter runs that are up to date but were shown before then; how many."""
        query = (
            select(LivingRow)
            .where(
                col(LivingRow.subject) == Subject.LEASE,
                ~LIVING_BEHIND,
                col(LivingRow.shown_at) < shown_before,
                exists().where(
                    col(IntervalRow.lease_id) == col(LivingRow.subject_id), col(IntervalRow.ended_at).is_(None)
                ),
            )
            .order_by(col(LivingRow.shown_at), col(LivingRow.subject_id))
            .limit(limit)
            .with_for_update(skip_locked=True, of=LivingRow)
        )
        leases = [row.subject_id for row in self._all(query)]
        self._run(
            _one_more_change(Priority.FIGURES).where(
                col(LivingRow.subject) == Subject.LEASE, col(LivingRow.subject_id).in_(leases)
            )
        )
        return len(leases)

    def touch_outputs(self, shown_before: datetime, limit: int) -> int:
        """Mark messages of jobs that are up to date but whose output went on since they were shown; how many."""
        went_on = exists().where(
            col(JobOutputRow.job_id) == col(LivingRow.subject_id), col(JobOutputRow.output_at) > col(LivingRow.shown_at)
        )
        followed = select(JobRow.id).where(col(JobRow.is_followed))  # of what has ended the state is what was touched
        query = (
            select(LivingRow)
            .where(
                col(LivingRow.subject) == Subject.JOB,
                col(LivingRow.subject_id).in_(followed),
                ~LIVING_BEHIND,
                col(LivingRow.shown_at) < shown_before,
                went_on,
            )
            .order_by(col(LivingRow.shown_at), col(LivingRow.subject_id))
            .limit(limit)
            .with_for_update(skip_locked=True, of=LivingRow)
        )
        jobs = [row.subject_id for row in self._all(query)]
        self._run(
            _one_more_change(Priority.FIGURES).where(
                col(LivingRow.subject) == Subject.JOB, col(LivingRow.subject_id).in_(jobs)
            )
        )
        return len(jobs)

    def due(self, now: datetime, limit: int) -> tuple[LivingMessage, ...]:
        """Those behind that may be tried now; one that goes into a thread waits until its lease's card is out."""
        card = aliased(LivingRow)
        # looked up for each by its key: as an EXISTS within the OR, PostgreSQL would read the whole table
        card_that_is_out = (
            select(card.subject_id)
            .where(
                col(card.subject) == Subject.LEASE,
                col(card.subject_id) == col(LivingRow.thread_of),
                col(card.message).is_not(None),
            )
            .scalar_subquery()
        )
        query = (
            select(LivingRow)
            .where(
                LIVING_BEHIND,
                or_(col(LivingRow.next_try_at).is_(None), col(LivingRow.next_try_at) <= now),
                or_(col(LivingRow.thread_of).is_(None), card_that_is_out.is_not(None)),
            )
            .order_by(col(LivingRow.priority), col(LivingRow.turn), col(LivingRow.subject_id))
            .limit(limit)
        )
        return tuple(value_of(LivingMessage, row) for row in self._all(query))

    def posting(self, living: LivingMessage, channel: str, at: datetime) -> None:
        """About to post it in ``channel`` for the first time."""
        self._set(living, channel=channel, posting_since=at)

    def shown(self, living: LivingMessage, message: MessageRef, at: datetime) -> None:
        """``message`` shows version ``living.wanted``; what was touched meanwhile goes to the end of the queue."""
        self._set(
            living,
            message=message,
            channel=message.channel,
            shown=living.wanted,
            shown_at=at,
            posting_since=None,
            next_try_at=None,
            attempts=0,
            turn=_NEXT_TURN,
        )

    def lost(self, living: LivingMessage) -> None:
        """Its message cannot be edited any more: to be posted anew."""
        self._set(
            living,
            message=None,
            shown=0,
            shown_at=None,
            posting_since=None,
            next_try_at=None,
            turn=case((LIVING_BEHIND, col(LivingRow.turn)), else_=_NEXT_TURN),
        )

    def postpone(self, living: LivingMessage, until: datetime) -> None:
        """One more try later."""
        self._set(living, next_try_at=until, attempts=col(LivingRow.attempts) + 1)

    def _set(self, living: LivingMessage, **columns: Any) -> None:
        self._run(update(LivingRow).where(_is(living.subject, living.subject_id)).values(**columns))


_EVERY = aliased(LivingRow)
_NEXT_TURN: ColumnElement[int] = (
    select(func.coalesce(func.max(col(_EVERY.turn)), 0) + 1).select_from(_EVERY).scalar_subquery()
)


def _is(subject: Subject, subject_id: str) -> ColumnElement[bool]:
    return and_(col(LivingRow.subject) == subject, col(LivingRow.subject_id) == subject_id)


def _one_more_change(priority: Priority) -> Update:
    """What was up to date takes the priority and a new turn; what was behind keeps its turn."""
    stays = and_(LIVING_BEHIND, col(LivingRow.priority) <= priority)
    return update(LivingRow).values(
        wanted=col(LivingRow.wanted) + 1,
        priority=case((stays, col(LivingRow.priority)), else_=literal(priority, Rank())),
        turn=case((LIVING_BEHIND, col(LivingRow.turn)), else_=_NEXT_TURN),
    )


_TOUCH: Final = {priority: _one_more_change(priority).where(_OF_SUBJECT) for priority in Priority}
