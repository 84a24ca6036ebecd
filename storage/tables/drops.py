"""The table of files that people drop into machines' threads."""

from datetime import datetime

from sqlmodel import Field, col

from bot.domain.drops.drop import DroppedFile
from bot.domain.places import MessageRef
from storage.columns import Message, Moment, Value
from storage.tables.base import Row, partial_index


class DropRow(Row, table=True):
    """A `Drop`."""

    __tablename__ = "drops"

    id: str = Field(primary_key=True)
    lease_id: str = Field(foreign_key="leases.id")
    thread: MessageRef = Field(sa_type=Message)
    asked_by: str
    asked_at: datetime = Field(sa_type=Moment)
    files: tuple[DroppedFile, ...] = Field(sa_type=Value(tuple[DroppedFile, ...]))
    tries: int
    told_as: str
    told: MessageRef | None = Field(sa_type=Message)
    ended_at: datetime | None = Field(sa_type=Moment)
    attempts: int
    next_try_at: datetime | None = Field(sa_type=Moment)


partial_index("ix_drops_asked_at_open", col(DropRow.asked_at), where="ended_at IS NULL")
