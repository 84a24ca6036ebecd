"""Tables of machines' use, of checklists that were asked for, and of people's zones."""

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field, col

from bot.domain.use import Use, UseVerdict
from storage.columns import Moment, Value, Word
from storage.tables.base import SERIAL, Row


class PersonRow(Row, table=True):
    """What is known of somebody between their commands."""

    __tablename__ = "people"

    user: str = Field(primary_key=True)
    tz: str
    seen_at: datetime = Field(sa_type=Moment)


class ActivityRow(Row, table=True):
    """An `Activity`."""

    __tablename__ = "activities"

    lease_id: str = Field(foreign_key="leases.id", primary_key=True)
    next_look_at: datetime | None = Field(sa_type=Moment)
    looked_at: datetime | None = Field(sa_type=Moment)
    verdict: UseVerdict = Field(sa_type=Word(UseVerdict))
    use: Use | None = Field(sa_type=Value(Use))
    seen_at: datetime | None = Field(sa_type=Moment)
    idle_since: datetime | None = Field(sa_type=Moment)
    quiet_until: datetime | None = Field(sa_type=Moment)
    busy_s: float
    idle_s: float
    unknown_s: float


class UseSampleRow(Row, table=True):
    """A `UseSample`."""

    __tablename__ = "use_samples"

    id: int = Field(sa_type=SERIAL, primary_key=True)
    lease_id: str = Field(foreign_key="leases.id")
    at: datetime = Field(sa_type=Moment)
    verdict: UseVerdict = Field(sa_type=Word(UseVerdict))
    use: Use | None = Field(sa_type=Value(Use))


Index("ix_use_samples_lease_id_at", col(UseSampleRow.lease_id), col(UseSampleRow.at))


class CheckRow(Row, table=True):
    """A `CheckAsked`."""

    __tablename__ = "checks"

    id: str = Field(primary_key=True)
    lease_id: str = Field(foreign_key="leases.id", index=True)
    asked_by: str
    asked_at: datetime = Field(sa_type=Moment)
    done_at: datetime | None = Field(sa_type=Moment, index=True)
