"""Tables of what is known about people's data: baselines, verified copies, looks, syncs."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, LargeBinary
from sqlmodel import Field, col

from bot.domain.inventory.hashes import HashKind
from bot.domain.places import MessageRef
from bot.domain.sync import NotSafe
from storage.columns import Message, Moment, Value, Word
from storage.tables.base import Row, partial_index


class BaselineRow(Row, table=True):
    """What was on a machine at its hand-over."""

    __tablename__ = "baselines"

    lease_id: str = Field(foreign_key="leases.id", primary_key=True)
    keys: bytes = Field(sa_type=LargeBinary)
    """As of `KnownFiles`."""
    taken_at: datetime = Field(sa_type=Moment)


class ManifestRow(Row, table=True):
    """A `ManifestEntry`: the newest verified copy of one file."""

    __tablename__ = "manifest"

    lease_id: str = Field(foreign_key="leases.id", primary_key=True)
    path_key: bytes = Field(sa_type=LargeBinary, primary_key=True)
    """Digest of the path: a path itself may be too long for an index."""
    path: bytes = Field(sa_type=LargeBinary)
    size_bytes: int = Field(sa_type=BigInteger)
    mtime_ns: int = Field(sa_type=BigInteger)
    ctime_ns: int = Field(sa_type=BigInteger)
    inode: int = Field(sa_type=BigInteger)
    hash_kind: HashKind = Field(sa_type=Word(HashKind))
    hash: str
    verified_at: datetime = Field(sa_type=Moment)


class LookRow(Row, table=True):
    """An `Inventory` that a question showed, or the last one before its release."""

    __tablename__ = "looks"

    question_id: str = Field(foreign_key="questions.id", primary_key=True)
    which: str = Field(primary_key=True)
    """``shown``, or ``last:`` and the number of the look: rows are only ever added."""
    taken_at: datetime = Field(sa_type=Moment)
    why_unknown: str | None
    jobs: tuple[str, ...] = Field(sa_type=Value(tuple[str, ...]))
    told: bytes = Field(sa_type=LargeBinary)
    """`Inventory.told`, compressed."""
    is_fenced: bool


class ListingRow(Row, table=True):
    """A `Listed`: all the files that a question was about. Rows are only ever added."""

    __tablename__ = "listings"

    question_id: str = Field(foreign_key="questions.id", primary_key=True)
    files: int = Field(sa_type=BigInteger)
    is_whole: bool
    packed: bytes = Field(sa_type=LargeBinary)


class SyncRow(Row, table=True):
    """A `SyncRun`."""

    __tablename__ = "syncs"

    id: str = Field(primary_key=True)
    lease_id: str = Field(foreign_key="leases.id")
    asked_by: str
    asked_at: datetime = Field(sa_type=Moment)
    paths: tuple[str, ...] = Field(sa_type=Value(tuple[str, ...]))
    question_id: str | None
    started_at: datetime | None = Field(sa_type=Moment)
    ended_at: datetime | None = Field(sa_type=Moment)
    place: str
    files: int = Field(sa_type=BigInteger)
    size_bytes: int = Field(sa_type=BigInteger)
    total_files: int = Field(sa_type=BigInteger)
    total_bytes: int = Field(sa_type=BigInteger)
    copied_bytes: int = Field(sa_type=BigInteger)
    bytes_per_s: float
    trouble: str | None
    detail: str
    not_safe: tuple[NotSafe, ...] = Field(sa_type=Value(tuple[NotSafe, ...]))
    not_safe_files: int = Field(sa_type=BigInteger)
    left_files: int = Field(sa_type=BigInteger)
    left_bytes: int = Field(sa_type=BigInteger)
    why_unknown: str | None


Index("ix_syncs_lease_id_asked_at", col(SyncRow.lease_id), col(SyncRow.asked_at))
partial_index("ix_syncs_asked_at_open", col(SyncRow.asked_at), where="ended_at IS NULL")


class ListWishRow(Row, table=True):
    """A `ListWish`."""

    __tablename__ = "list_wishes"

    id: str = Field(primary_key=True)
    question_id: str = Field(foreign_key="questions.id")
    asked_by: str
    asked_at: datetime = Field(sa_type=Moment)
    told: MessageRef | None = Field(sa_type=Message)
    ended_at: datetime | None = Field(sa_type=Moment)
    attempts: int
    next_try_at: datetime | None = Field(sa_type=Moment)


partial_index("ix_list_wishes_asked_at_open", col(ListWishRow.asked_at), where="ended_at IS NULL")
