"""Tables of leases and what hangs on them. Columns are named as the domain's fields are."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Index, text
from sqlmodel import Field, col

from bot.domain.checklist import Checklist
from bot.domain.instance import InstanceRef, SshAddress
from bot.domain.inventory.compare import Change
from bot.domain.lease import LeaseState, Want
from bot.domain.offers import Offer
from bot.domain.places import MessageRef
from bot.domain.problem import Problem
from bot.domain.question import Cause, QuestionState
from bot.domain.quote import QuoteReason, QuoteState, RentOrder
from storage.columns import Message, Moment, Value, Word
from storage.tables.base import SERIAL, Row, partial_index


class LeaseRow(Row, table=True):
    """A `Lease`."""

    __tablename__ = "leases"

    id: str = Field(primary_key=True)
    name: str = Field(index=True)
    team_id: str
    owner: str
    channel: str
    offer: Offer = Field(sa_type=Value(Offer))
    disk_gib: int
    length_s: int
    quote_microusd: int = Field(sa_type=BigInteger)
    requested_at: datetime = Field(sa_type=Moment)
    state: LeaseState = Field(sa_type=Word(LeaseState))
    state_since: datetime = Field(sa_type=Moment)
    want: Want = Field(sa_type=Word(Want))
    tried: tuple[Offer, ...] = Field(sa_type=Value(tuple[Offer, ...]))
    spare: tuple[Offer, ...] = Field(sa_type=Value(tuple[Offer, ...]))
    ref: InstanceRef | None = Field(sa_type=Value(InstanceRef))
    launched_at: datetime | None = Field(sa_type=Moment)
    boot_began_at: datetime | None = Field(sa_type=Moment)
    ends_at: datetime | None = Field(sa_type=Moment)
    handed_over_at: datetime | None = Field(sa_type=Moment)
    released_at: datetime | None = Field(sa_type=Moment)
    release_accepted_at: datetime | None = Field(sa_type=Moment)
    address: SshAddress | None = Field(sa_type=Value(SshAddress))
    volume_id: str | None
    public_key: str
    sealed_private_key: str
    keys_applied: str
    checklist: Checklist | None = Field(sa_type=Value(Checklist))
    problem: Problem | None = Field(sa_type=Value(Problem))
    seen_at: datetime | None = Field(sa_type=Moment)
    missing_reads: int
    attempts: int
    next_look_at: datetime | None = Field(sa_type=Moment)
    disk_id: str | None
    keep_disk_as: str | None
    version: int
    is_live: bool
    """`Lease.is_live` as it was saved, so that the domain alone says what that means."""


def _live_index(name: str, column: Any, unique: bool) -> Index:
    # written as SQLAlchemy writes it in queries: SQLite compares conditions by their text
    return Index(name, column, unique=unique, postgresql_where=text("is_live"), sqlite_where=text("is_live = 1"))


_live_index("uq_leases_name_live", col(LeaseRow.name), unique=True)
_live_index("ix_leases_next_look_at_live", col(LeaseRow.next_look_at), unique=False)
Index("ix_leases_owner_requested_at", col(LeaseRow.owner), col(LeaseRow.requested_at))


class IntervalRow(Row, table=True):
    """An `Interval` of the ledger."""

    __tablename__ = "intervals"

    id: int = Field(sa_type=SERIAL, primary_key=True)
    lease_id: str = Field(foreign_key="leases.id", index=True)
    rate_microusd_per_hour: int = Field(sa_type=BigInteger)
    started_at: datetime = Field(sa_type=Moment)
    ended_at: datetime | None = Field(sa_type=Moment)


partial_index("uq_intervals_lease_id_open", col(IntervalRow.lease_id), where="ended_at IS NULL", unique=True)


class QuestionRow(Row, table=True):
    """A `Question`."""

    __tablename__ = "questions"

    number: int = Field(sa_type=SERIAL, primary_key=True)
    """Counts up, so that the latest is known also where two were asked in the same moment."""
    id: str = Field(unique=True)
    lease_id: str = Field(foreign_key="leases.id", index=True)
    asked_by: str
    asked_at: datetime = Field(sa_type=Moment)
    state: QuestionState = Field(sa_type=Word(QuestionState))
    answered_by: str | None
    answered_at: datetime | None = Field(sa_type=Moment)
    message: MessageRef | None = Field(sa_type=Message)
    fingerprint: str
    follows: str | None
    changes: tuple[Change, ...] = Field(sa_type=Value(tuple[Change, ...]))
    sync_id: str | None
    cause: Cause | None = Field(sa_type=Word(Cause))
    owner_first_until: datetime | None = Field(sa_type=Moment)
    signed_at: datetime | None = Field(sa_type=Moment)
    signs_read_at: datetime | None = Field(sa_type=Moment)
    after_job: str | None
    disk_id: str | None


partial_index(
    "uq_questions_lease_id_open",
    col(QuestionRow.lease_id),
    where="state IN ('looking', 'open') AND disk_id IS NULL",
    unique=True,
)
partial_index(
    "uq_questions_disk_id_open",
    col(QuestionRow.disk_id),
    where="state IN ('open', 'yes') AND disk_id IS NOT NULL",
    unique=True,
)


class QuoteRow(Row, table=True):
    """A `Quote`."""

    __tablename__ = "quotes"

    id: str = Field(primary_key=True)
    owner: str
    team_id: str
    channel: str
    order: RentOrder = Field(sa_type=Value(RentOrder))
    reason: QuoteReason = Field(sa_type=Word(QuoteReason))
    asked_at: datetime = Field(sa_type=Moment)
    expires_at: datetime = Field(sa_type=Moment, index=True)
    state: QuoteState = Field(sa_type=Word(QuoteState))
    answered_by: str | None
    lease_id: str | None
