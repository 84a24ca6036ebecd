"""The store of leases."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, exists, or_, update
from sqlmodel import Session, col, select

from bot.domain.claim import Duty
from bot.domain.lease import Lease
from bot.domain.living import Subject
from bot.domain.notice import Priority
from bot.domain.places import MessageRef
from bot.errors import Refused
from storage.ledger import SqlLedger
from storage.living import SqlLiving
from storage.mapping import columns_of, value_of
from storage.shelf import Query, Shelf, any_of, for_change, given
from storage.tables import ClaimRow, IntervalRow, LeaseRow, LivingRow, QuestionRow

_OF_ID: Final = select(LeaseRow).where(col(LeaseRow.id) == given("its_id"))
_GET: Final = Query(Lease, LeaseRow, _OF_ID)
_LOCK: Final = Query(Lease, LeaseRow, for_change(_OF_ID))
_BEFORE: Final = select(LeaseRow.version, LeaseRow.state, LeaseRow.release_accepted_at).where(
    col(LeaseRow.id) == given("its_id")
)
_LATEST_QUESTION: Final = (
    select(QuestionRow.id)
    .where(col(QuestionRow.lease_id) == given("its_id"), col(QuestionRow.disk_id).is_(None))
    .order_by(col(QuestionRow.number).desc())
    .limit(1)
)
_LIVE_OF: Final = Query(
    Lease,
    LeaseRow,
    select(LeaseRow)
    .where(col(LeaseRow.is_live), col(LeaseRow.owner).in_(any_of("owners")))
    .order_by(col(LeaseRow.requested_at), col(LeaseRow.id)),
)
_IS_HELD: Final = exists().where(
    col(ClaimRow.thing) == col(LeaseRow.id), col(ClaimRow.duty) == Duty.LEASE, col(ClaimRow.expires_at) > given("now")
)
_DUE: Final = (
    select(LeaseRow.id)
    .where(
        col(LeaseRow.is_live),
        or_(col(LeaseRow.next_look_at).is_(None), col(LeaseRow.next_look_at) <= given("now")),
        ~_IS_HELD,
    )
    .order_by(col(LeaseRow.next_look_at).nulls_first(), col(LeaseRow.requested_at), col(LeaseRow.id))
    .limit(given("limit"))
)


class SqlLeases(Shelf):
    """Leases in the database, each with its ledger and its card."""

    def __init__(self, session: Session, living: SqlLiving, ledger: SqlLedger) -> None:
        super().__init__(session)
        self._living = living
        self._ledger = ledger

    def add(self, lease: Lease) -> None:
        """Store a new one, with its living card.

        Raises:
            Refused: ``name-taken``, when a live lease has that name.
        """
        insert = self._insert(LeaseRow, _columns(lease)).on_conflict_do_nothing(
            index_elements=[col(LeaseRow.name)], index_where=and_(col(LeaseRow.is_live))
        )
        if self._session.exec(insert.returning(col(LeaseRow.id))).first() is None:
            raise Refused("name-taken", name=lease.name)
        self._living.add(Subject.LEASE, lease.id, lease.channel, None, Priority.STATE)
        self._ledger.note(lease, lease.launched_at or lease.requested_at)

    def get(self, lease_id: str) -> Lease | None:
        """The lease of that id."""
        return self._found_first(_GET, its_id=lease_id)

    def lock(self, lease_id: str) -> Lease | None:
        """Read it for change: nobody else writes it until the transaction ends."""
        return self._found_first(_LOCK, its_id=lease_id)

    def save(self, lease: Lease, at: datetime) -> None:
        """Write it back; ``at`` is when a change of rate begins to count. Its card is behind now; where it has
        moved on, so is the message of its latest question, which says what became of it and can still be answered."""
        version, state, accepted_at = self._ask(_BEFORE, {"its_id": lease.id}).one()
        self._write(LeaseRow, lease.id, _columns(lease))
        self._ledger.note(lease, at)
        # before the card, as when a question is saved: who locks both does it in one order
        if (lease.state, lease.release_accepted_at is None) != (state, accepted_at is None):
            for question_id in self._ask(_LATEST_QUESTION, {"its_id": lease.id}).scalars().all():
                self._living.touch(Subject.QUESTION, question_id, Priority.STATE)
        if lease.version > version:
            self._living.touch(Subject.LEASE, lease.id, Priority.STATE)

    def by_name(self, name: str) -> Lease | None:
        """The live one of that name, else the latest that had it."""
        return self._one(
            col(LeaseRow.name) == name, order=(col(LeaseRow.is_live).desc(), col(LeaseRow.requested_at).desc())
        )

    def live(self, owner: str | None = None, limit: int | None = None) -> tuple[Lease, ...]:
        """Those that may still have a machine, oldest first."""
        query = select(LeaseRow).where(col(LeaseRow.is_live))
        if owner is not None:
            query = query.where(col(LeaseRow.owner) == owner)
        oldest_first = query.order_by(col(LeaseRow.requested_at), col(LeaseRow.id))
        return tuple(self._values(Lease, LeaseRow, oldest_first.limit(limit)))

    def live_of(self, owners: Iterable[str]) -> tuple[Lease, ...]:
        """As `live`, of these owners."""
        return tuple(self._found(_LIVE_OF, owners=list(owners)))

    def latest(self, owner: str, since: datetime) -> tuple[Lease, ...]:
        """An owner's leases asked for since then, ended ones included, newest first."""
        query = select(LeaseRow).where(col(LeaseRow.owner) == owner, col(LeaseRow.requested_at) >= since)
        rows = self._all(query.order_by(col(LeaseRow.requested_at).desc(), col(LeaseRow.id).desc()))
        return tuple(value_of(Lease, row) for row in rows)

    def billed(self, since: datetime | None, owner: str | None) -> tuple[Lease, ...]:
        """Leases whose meter ran after ``since``, of one owner or of all, oldest first."""
        ran = exists().where(col(IntervalRow.lease_id) == col(LeaseRow.id))
        if since is not None:
            ran = ran.where(or_(col(IntervalRow.ended_at).is_(None), col(IntervalRow.ended_at) > since))
        query = select(LeaseRow).where(ran)
        if owner is not None:
            query = query.where(col(LeaseRow.owner) == owner)
        rows = self._all(query.order_by(col(LeaseRow.requested_at), col(LeaseRow.id)))
        return tuple(value_of(Lease, row) for row in rows)

    def ending(self, before: datetime) -> tuple[Lease, ...]:
        """Live ones whose end is before then, the earliest first."""
        query = select(LeaseRow).where(col(LeaseRow.is_live), col(LeaseRow.ends_at) < before)
        return tuple(self._values(Lease, LeaseRow, query.order_by(col(LeaseRow.ends_at), col(LeaseRow.id))))

    def in_thread(self, message: MessageRef) -> Lease | None:
        """The lease whose card is that message."""
        return self._one(
            exists().where(
                col(LivingRow.subject) == Subject.LEASE,
                col(LivingRow.subject_id) == col(LeaseRow.id),
                col(LivingRow.message) == message,
            )
        )

    def due(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of live leases whose next look is due and that nobody holds, longest overdue first."""
        return tuple(self._ask(_DUE, {"now": now, "limit": limit}).scalars())

    def look_now(self, lease_ids: Iterable[str], now: datetime) -> None:
        """Make them due; one that is overdue already keeps its place."""
        self._run(
            update(LeaseRow)
            .where(col(LeaseRow.id).in_(list(lease_ids)), col(LeaseRow.next_look_at) > now)
            .values(next_look_at=now)
        )

    def _one(self, where: ColumnElement[bool], order: tuple[ColumnElement[Any], ...] = ()) -> Lease | None:
        row = self._first(select(LeaseRow).where(where).order_by(*order))
        return None if row is None else value_of(Lease, row)


def _columns(lease: Lease) -> dict[str, Any]:
    return {**columns_of(lease), "is_live": lease.is_live}
