"""Tables of paths that people named on machines, and of wishes to get something from the archive."""

from datetime import datetime

from sqlalchemy import LargeBinary
from sqlmodel import Field, col

from bot.domain.inventory.wishes import Treatment
from bot.domain.places import MessageRef
from storage.columns import Message, Moment, Word
from storage.tables.base import Row, partial_index


class WatchedRow(Row, table=True):
    """A `WatchedPath`."""

    __tablename__ = "watched"

    lease_id: str = Field(foreign_key="leases.id", primary_key=True)
    path_key: bytes = Field(sa_type=LargeBinary, primary_key=True)
    """Digest of the path: a path itself may be too long for an index."""
    path: bytes = Field(sa_type=LargeBinary)
    treatment: Treatment = Field(sa_type=Word(Treatment))
    by: str
    at: datetime = Field(sa_type=Moment)


class FetchRow(Row, table=True):
    """A `FetchRun`."""

    __tablename__ = "fetches"

    id: str = Field(primary_key=True)
    lease_id: str = Field(foreign_key="leases.id")
    asked_by: str
    asked_at: datetime = Field(sa_type=Moment)
    wanted: bytes = Field(sa_type=LargeBinary)
    told: MessageRef | None = Field(sa_type=Message)
    ended_at: datetime | None = Field(sa_type=Moment)
    attempts: int
    next_try_at: datetime | None = Field(sa_type=Moment)


partial_index("ix_fetches_asked_at_open", col(FetchRow.asked_at), where="ended_at IS NULL")
