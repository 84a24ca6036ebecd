"""The tables of kept data disks, and of looks at them."""

from datetime import datetime

from sqlalchemy import BigInteger, LargeBinary
from sqlmodel import Field, col

from bot.domain.disk import DiskInterval, DiskState
from storage.columns import Moment, Value, Word
from storage.tables.base import SERIAL, Row, partial_index


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
    seen_at: datetime | None = Field(sa_type=Moment)
    next_look_at: datetime | None = Field(sa_type=Moment)
    fault: str | None


_LIVE = "state NOT IN ('deleted', 'lost')"
partial_index("uq_disks_name_live", col(DiskRow.name), where=_LIVE, unique=True)
partial_index("ix_disks_next_look_at_live", col(DiskRow.next_look_at), where=_LIVE)


class DiskLookRow(Row, table=True):
    """An `OnDisk`: one look at what lies on a disk. Rows are only ever added."""

    __tablename__ = "disk_looks"

    number: int = Field(sa_type=SERIAL, primary_key=True)
    disk_id: str = Field(foreign_key="disks.id", index=True)
    lease_id: str = Field(foreign_key="leases.id")
    looked_at: datetime = Field(sa_type=Moment)
    """When it was put on record; ``taken_at`` is when its inventory was asked for."""
    taken_at: datetime = Field(sa_type=Moment)
    why_unknown: str | None
    told: bytes = Field(sa_type=LargeBinary)
    """`Inventory.told`, compressed."""
    files: int = Field(sa_type=BigInteger)
    size_bytes: int = Field(sa_type=BigInteger)
    listed_files: int | None = Field(sa_type=BigInteger)
    listed_is_whole: bool | None
    listed: bytes | None = Field(sa_type=LargeBinary)
