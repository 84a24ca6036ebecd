"""Tables of jobs: themselves, what was read of their output, the points in it, and their pictures."""

from datetime import datetime

from sqlalchemy import BigInteger, Float, Index, LargeBinary, UniqueConstraint, or_, text
from sqlmodel import Field, col

from bot.domain.jobs.ending import Ending
from bot.domain.jobs.git import GitSource
from bot.domain.jobs.job import Continuation, JobState
from bot.domain.metrics import Progress, ReaderState, XKind
from bot.domain.picture import Shown
from bot.domain.places import MessageRef
from bot.domain.problem import Problem
from storage.columns import Exact, Figure, Message, Moment, Value, Word
from storage.tables.base import Row, partial_index

_DOUBLE = Float(53)


class JobRow(Row, table=True):
    """A `Job`."""

    __tablename__ = "jobs"
    __table_args__ = (UniqueConstraint("lease_id", "number"),)

    id: str = Field(primary_key=True)
    lease_id: str = Field(foreign_key="leases.id")
    number: int
    owner: str
    command: str
    requested_at: datetime = Field(sa_type=Moment)
    state: JobState = Field(sa_type=Word(JobState))
    state_since: datetime = Field(sa_type=Moment)
    name: str | None
    directory: str | None
    env_names: tuple[str, ...] = Field(sa_type=Value(tuple[str, ...]))
    sealed_env: str
    git: GitSource | None = Field(sa_type=Value(GitSource))
    max_s: int | None
    kill_wanted_by: str | None
    kill_sent_at: datetime | None = Field(sa_type=Moment)
    accepted_at: datetime | None = Field(sa_type=Moment)
    started_at: datetime | None = Field(sa_type=Moment)
    ended_at: datetime | None = Field(sa_type=Moment)
    ran_s: float | None
    seen_at: datetime | None = Field(sa_type=Moment)
    cwd: str
    commit: str
    offset_bytes: int = Field(sa_type=BigInteger)
    size_bytes: int = Field(sa_type=BigInteger)
    ending: Ending | None = Field(sa_type=Value(Ending))
    problem: Problem | None = Field(sa_type=Value(Problem))
    attempts: int
    next_look_at: datetime | None = Field(sa_type=Moment)
    version: int
    script: str
    then: Continuation | None = Field(sa_type=Word(Continuation))
    after_id: str | None
    after_name: str | None
    every_s: int | None
    next_sync_at: datetime | None = Field(sa_type=Moment)
    sealed_secrets: str | None
    judge_at: datetime | None = Field(sa_type=Moment)
    free_at_start_bytes: int | None = Field(sa_type=BigInteger)
    free_bytes: int | None = Field(sa_type=BigInteger)
    find_files_at: datetime | None = Field(sa_type=Moment)
    unread_files: int | None
    is_live: bool
    """`Job.is_live` as it was saved."""
    is_followed: bool
    """Whether its machine is still asked about it: it may run, or there is output that was not taken."""


Index("ix_jobs_lease_id_followed", col(JobRow.lease_id), col(JobRow.next_look_at),
      postgresql_where=text("is_followed"), sqlite_where=text("is_followed = 1"))  # fmt: skip


partial_index("ix_jobs_judge_at", col(JobRow.judge_at), where="judge_at IS NOT NULL")
partial_index("ix_jobs_after_id", col(JobRow.after_id), where="after_id IS NOT NULL AND state = 'requested'")


Index("ix_jobs_owner_requested_at", col(JobRow.owner), col(JobRow.requested_at))


class JobOutputRow(Row, table=True):
    """A `JobOutput`."""

    __tablename__ = "job_outputs"

    job_id: str = Field(foreign_key="jobs.id", primary_key=True)
    reader: ReaderState = Field(sa_type=Exact(ReaderState))
    progress: Progress = Field(sa_type=Exact(Progress))
    output_at: datetime | None = Field(sa_type=Moment)
    is_finished: bool
    tail: bytes = Field(sa_type=LargeBinary)
    """Last, so that the other columns are found without it."""


class PointRow(Row, table=True):
    """A `Point` of a job."""

    __tablename__ = "points"

    job_id: str = Field(foreign_key="jobs.id", primary_key=True)
    metric: str = Field(primary_key=True)
    x_kind: XKind = Field(sa_type=Word(XKind), primary_key=True)
    x: float = Field(sa_type=_DOUBLE, primary_key=True)
    value: float | None = Field(sa_type=Figure)
    at: datetime = Field(sa_type=Moment)


class LogWishRow(Row, table=True):
    """A `LogWish`."""

    __tablename__ = "log_wishes"

    id: str = Field(primary_key=True)
    job_id: str = Field(foreign_key="jobs.id")
    asked_by: str
    asked_at: datetime = Field(sa_type=Moment)
    told: MessageRef | None = Field(sa_type=Message)
    ended_at: datetime | None = Field(sa_type=Moment)
    attempts: int
    next_try_at: datetime | None = Field(sa_type=Moment)


partial_index("ix_log_wishes_asked_at_open", col(LogWishRow.asked_at), where="ended_at IS NULL")


class PictureRow(Row, table=True):
    """A `Picture`."""

    __tablename__ = "pictures"

    job_id: str = Field(foreign_key="jobs.id", primary_key=True)
    points: int
    drawn_points: int
    drawn_at: datetime | None = Field(sa_type=Moment)
    file_id: str
    shown_file_id: str
    refusals: int
    shown: Shown = Field(sa_type=Word(Shown))
    milestone: int
    wanted: bool
    attempts: int
    next_try_at: datetime | None = Field(sa_type=Moment)


PICTURE_BEHIND = or_(
    col(PictureRow.drawn_points) < col(PictureRow.points), col(PictureRow.file_id) != col(PictureRow.shown_file_id)
)
"""There are points that it does not show, or its message does not show it."""

partial_index(
    "ix_pictures_drawn_at_behind",
    col(PictureRow.drawn_at),
    where="drawn_points < points OR file_id <> shown_file_id",
)
