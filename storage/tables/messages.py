"""Tables of what is said: notices, living messages, and deliveries that were taken in."""

from datetime import datetime

from sqlalchemy import and_
from sqlmodel import Field, col

from bot.domain.living import Subject
from bot.domain.notice import Audience, NoticeKind, Priority
from bot.domain.places import MessageRef
from bot.domain.problem import Facts
from storage.columns import Message, Moment, Rank, Value, Word
from storage.tables.base import SERIAL, Row, partial_index


class NoticeRow(Row, table=True):
    """A `Notice` on its way out; the row stays, so that its occasion never comes twice."""

    __tablename__ = "notices"

    id: int = Field(sa_type=SERIAL, primary_key=True)
    occasion: str = Field(unique=True)
    kind: NoticeKind = Field(sa_type=Word(NoticeKind))
    lease_id: str
    audience: Audience = Field(sa_type=Word(Audience))
    priority: Priority = Field(sa_type=Rank)
    at_most_once: bool
    facts: Facts = Field(sa_type=Value(Facts))
    queued_at: datetime = Field(sa_type=Moment)
    attempts: int
    next_try_at: datetime | None = Field(sa_type=Moment)
    said_at: datetime | None = Field(sa_type=Moment)
    given_up_at: datetime | None = Field(sa_type=Moment)
    given_up_reason: str | None


NOTICE_WAITS = and_(col(NoticeRow.said_at).is_(None), col(NoticeRow.given_up_at).is_(None))
"""Neither said nor given up."""

partial_index(
    "ix_notices_priority_waiting",
    col(NoticeRow.priority),
    col(NoticeRow.id),
    where="said_at IS NULL AND given_up_at IS NULL",
)


class LivingRow(Row, table=True):
    """A `LivingMessage`."""

    __tablename__ = "living_messages"

    subject: Subject = Field(sa_type=Word(Subject), primary_key=True)
    subject_id: str = Field(primary_key=True)
    channel: str
    wanted: int
    shown: int
    priority: Priority = Field(sa_type=Rank)
    message: MessageRef | None = Field(sa_type=Message, index=True)
    thread_of: str | None = Field(foreign_key="leases.id")
    posting_since: datetime | None = Field(sa_type=Moment)
    shown_at: datetime | None = Field(sa_type=Moment)
    next_try_at: datetime | None = Field(sa_type=Moment)
    attempts: int
    turn: int = Field(index=True)
    """Its place in the queue of those behind: the smaller, the longer behind."""


LIVING_BEHIND = col(LivingRow.shown) < col(LivingRow.wanted)
"""It does not show yet what is stored."""

partial_index(
    "ix_living_messages_priority_behind", col(LivingRow.priority), col(LivingRow.turn), where="shown < wanted"
)


class DeliveryRow(Row, table=True):
    """One delivery to us that was taken in."""

    __tablename__ = "deliveries"

    delivery: str = Field(primary_key=True)
    taken_at: datetime = Field(sa_type=Moment, index=True)
