"""Tables of trainers' files beside jobs' outputs, of the points in them, and of wishes for pictures."""

from datetime import datetime

from sqlalchemy import BigInteger, Float
from sqlmodel import Field, col

from bot.domain.metrics import Progress, ReaderState, XKind
from bot.domain.metrics.event_file import EventState
from bot.domain.metrics.files import FileKind
from bot.domain.places import MessageRef
from storage.columns import Exact, Figure, Message, Moment, Value, Word
from storage.tables.base import Row, partial_index


class RunFileRow(Row, table=True):
    """A `RunFile`."""

    __tablename__ = "run_files"

    job_id: str = Field(foreign_key="jobs.id", primary_key=True)
    source: str = Field(primary_key=True)
    path: str
    kind: FileKind = Field(sa_type=Word(FileKind))
    inode: str
    size_bytes: int = Field(sa_type=BigInteger)
    offset_bytes: int = Field(sa_type=BigInteger)
    version: str
    read_version: str
    progress: Progress = Field(sa_type=Exact(Progress))
    starts_anew: bool
    is_finished: bool
    trouble: str
    reader: ReaderState = Field(sa_type=Exact(ReaderState))
    events: EventState = Field(sa_type=Exact(EventState))


class FilePointRow(Row, table=True):
    """A `Point` of a job that was read from a file; ``source`` is the `RunFile`'s."""

    __tablename__ = "file_points"

    job_id: str = Field(foreign_key="jobs.id", primary_key=True)
    source: str = Field(primary_key=True)
    metric: str = Field(primary_key=True)
    x_kind: XKind = Field(sa_type=Word(XKind), primary_key=True)
    x: float = Field(sa_type=Float(53), primary_key=True)
    value: float | None = Field(sa_type=Figure)
    at: datetime = Field(sa_type=Moment)


class CurveWishRow(Row, table=True):
    """A `CurveWish`."""

    __tablename__ = "curve_wishes"

    id: str = Field(primary_key=True)
    job_ids: tuple[str, ...] = Field(sa_type=Value(tuple[str, ...]))
    asked_by: str
    asked_at: datetime = Field(sa_type=Moment)
    metrics: tuple[str, ...] = Field(sa_type=Value(tuple[str, ...]))
    is_log: bool
    last_s: int | None
    told: MessageRef | None = Field(sa_type=Message)
    ended_at: datetime | None = Field(sa_type=Moment)
    attempts: int
    next_try_at: datetime | None = Field(sa_type=Moment)


partial_index("ix_curve_wishes_asked_at_open", col(CurveWishRow.asked_at), where="ended_at IS NULL")
