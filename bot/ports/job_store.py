"""The port to what is stored about jobs: themselves, their output, their points and their pictures."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from bot.domain.jobs.job import Job
from bot.domain.jobs.reading import JobOutput
from bot.domain.jobs.run_file import NotWhole, RunFile
from bot.domain.metrics import Point
from bot.domain.picture import Picture


class JobStore(Protocol):
    """Jobs. Saving one marks its message and its lease's card when its version grew."""

    def add(self, job: Job) -> Job:
        """Store a new one with the next number of its lease, and its living message. The lease is to be locked."""
        ...

    def get(self, job_id: str) -> Job | None: ...
    def lock(self, job_id: str) -> Job | None:
        """Read it for change: nobody else writes it until the transaction ends."""
        ...

    def save(self, job: Job) -> None: ...
    def live_of(self, lease_id: str) -> tuple[Job, ...]:
        """Those of a lease that may still run, by number."""
        ...

    def live_of_each(self, lease_ids: Iterable[str]) -> dict[str, tuple[Job, ...]]:
        """As `live_of`, per lease; one without such a job is no key."""
        ...

    def followed(self, lease_id: str) -> tuple[Job, ...]:
        """Those of a lease that may still run or have output that was not taken yet, by number."""
        ...

    def of(self, lease_id: str, limit: int) -> tuple[Job, ...]:
        """A lease's jobs, newest first."""
        ...

    def latest(self, owner: str, limit: int) -> tuple[Job, ...]:
        """Somebody's jobs on whatever lease, newest first."""
        ...

    def last_ended_at(self, lease_id: str) -> datetime | None:
        """When one of a lease's jobs ended last that had begun; None: none yet."""
        ...

    def by_number(self, lease_id: str, number: int) -> Job | None: ...
    def due(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of leases with a job that needs a step now and that nobody holds, longest overdue first."""
        ...

    def to_judge(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of jobs whose curves are to be judged now, longest overdue first."""
        ...

    def ask_waiting(self, job_id: str, now: datetime) -> None:
        """Make those due that wait for that job to end."""
        ...

    def output(self, job_id: str) -> JobOutput:
        """What was read of its output; nothing yet is an empty one."""
        ...

    def save_output(self, output: JobOutput) -> None: ...
    def files(self, job_id: str) -> tuple[RunFile, ...]:
        """Those beside its output, by name."""
        ...

    def save_file(self, file: RunFile) -> None: ...
    def not_whole(self, job_id: str) -> tuple[NotWhole, ...]:
        """Those beside its output that were not read, or not all of them, by name; none that was set aside."""
        ...


class PointStore(Protocol):
    """Points of curves. A job keeps some thousand of each metric: of what is too many, each stretch keeps its
    lowest, highest and last value. A metric that several sources have is taken from one: see `metrics.files.richer`."""

    def add(self, job_id: str, points: Sequence[Point]) -> None:
        """Store what its output said; of two of the same metric, kind and x the later one holds. An x that is no number
        is dropped."""
        ...

    def add_from(self, job_id: str, source: str, points: Sequence[Point], *, replaces: bool) -> None:
        """As `add`, of a file; a value that is the same keeps its time. ``replaces``: whatever that file had before and
        has no more is gone."""
        ...

    def sources(self, job_id: str) -> dict[str, str]:
        """Metrics that are taken from a file, with its name."""
        ...

    def of(self, job_id: str) -> dict[str, tuple[Point, ...]]:
        """All points per metric, in the order of x."""
        ...

    def recent(self, job_id: str, limit: int) -> dict[str, tuple[Point, ...]]:
        """Per metric its first point and the latest ``limit``, in the order of x."""
        ...


class PictureStore(Protocol):
    """Pictures of jobs' curves."""

    def due(self, now: datetime, drawn_before: datetime, limit: int) -> tuple[str, ...]:
        """Ids of jobs whose points are newer than their picture (those drawn before ``drawn_before``, those that
        ended, and those that somebody asked for), and of those whose message lacks the newest picture."""
        ...

    def get(self, job_id: str) -> Picture:
        """The picture; none yet is an empty one."""
        ...

    def went_on(self, job_id: str) -> None:
        """There are new points."""
        ...

    def ask(self, job_id: str) -> None:
        """Somebody wants to see it as it is now."""
        ...

    def save(self, picture: Picture) -> None:
        """Write it, but for ``points``: more may have come meanwhile."""
        ...
