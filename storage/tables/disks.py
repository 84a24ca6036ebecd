"""The table of kept data disks."""

from datetime import datetime

from sqlalchemy import BigInteger
from sqlmodel import Field, col

from bot.domain.disk import DiskInterval, DiskState
from storage.columns import Moment, Value, Word
from storage.tables.base import Row, partial_index


class DiskRow(Row, table=True):
    """A `Disk`."""

    __tablename__ = "disks"

    id: str = Field(primary_key=True)
    name: str
    owner: str
    team_id: str
    channel: str
    provider: str
    region: str
    size_gib: int
    rate_microusd_per_hour: int = Field(sa_type=BigInteger)
    lease_id: str = Field(foreign_key="leases.id")
    state: DiskState = Field(sa_type=Word(DiskState))
    since: datetime = Field(sa_type=Moment)
    volume_id: str | None
    intervals: tuple[DiskInterval, ...] = Field(sa_type=Value(tuple[DiskInterval, ...]))
    asked_by: str | None
    asked_at: datetime | None = Field(sa_type=Moment)
    answered_by: str | None
    answered_at: datetime | None = Field(sa_type=Moment)
    seen_at: datetime | None = Field(sa_type=Moment)
    next_look_at: datetime | None = Field(sa_type=Moment)
    fault: str | None


_LIVE = "state NOT IN ('deleted', 'lost')"
partial_index("uq_disks_name_live", col(DiskRow.name), where=_LIVE, unique=True)
partial_index("ix_disks_next_look_at_live", col(DiskRow.next_look_at), where=_LIVE)
