"""A job as people see it: itself, its last lines, what its curve says, and its picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from bot.domain.curve import CurveFacts, describe, series_of
from bot.domain.jobs.figures import Pace, pace_of
from bot.domain.jobs.forecast import Forecast, forecast
from bot.domain.jobs.job import Job
from bot.domain.jobs.lines import last_lines
from bot.domain.jobs.reading import TAIL_BYTES, JobOutput
from bot.domain.jobs.run_file import NotWhole
from bot.domain.lease import Lease
from bot.domain.metrics import Point
from bot.domain.money import between_microusd
from bot.domain.picture import Picture

LINES_SHOWN: Final = 10
RECENT_POINTS: Final = 200


@dataclass(frozen=True, slots=True)
class JobView:
    """Everything that a job's message shows. ``picture_file`` is empty where there is none to show."""

    job: Job
    lease: Lease
    lines: tuple[str, ...]
    pace: Pace
    curve: CurveFacts | None
    picture_file: str
    now: datetime
    forecast: Forecast | None = None
    """Of a job that runs; None where nobody can tell."""
    source: str = ""
    """The file that its curve was read from; empty: its output."""
    not_whole: tuple[NotWhole, ...] = ()
    """Files beside its output that were not read, or not all of them."""

    @property
    def ran_s(self) -> float | None:
        """How long it has run, by its machine's clock where that is known."""
        if self.job.ran_s is not None or self.job.started_at is None:
            return self.job.ran_s
        return max(0.0, ((self.job.ended_at or self.now) - self.job.started_at).total_seconds())

    @property
    def cost_microusd(self) -> int:
        """What its machine has cost while it ran."""
        if self.job.started_at is None:
            return 0
        until = max(self.job.started_at, self.job.ended_at or self.now)
        return between_microusd(self.lease.offer.price_microusd_per_hour, self.job.started_at, until)


def job_view(
    job: Job,
    lease: Lease,
    output: JobOutput,
    recent: Mapping[str, Sequence[Point]],
    picture: Picture,
    now: datetime,
    sources: Mapping[str, str] = MappingProxyType({}),
    not_whole: tuple[NotWhole, ...] = (),
) -> JobView:
    """The view. ``recent``: of each metric the first and the latest points, in the order of x; ``sources``: the files
    of those that are not from its output."""
    series = series_of(point for points in recent.values() for point in points)
    curve = describe(series)
    points = recent.get(curve.metric, ()) if curve is not None else next(iter(recent.values()), ())
    latest = points[-RECENT_POINTS:]
    ends_at = lease.ends_at if job.is_live else None
    return JobView(
        job=job,
        lease=lease,
        lines=last_lines(output.tail, LINES_SHOWN, is_whole=len(output.tail) < TAIL_BYTES),
        pace=pace_of(job, output.progress, latest),
        curve=curve,
        picture_file=picture.file_to_show(now),
        now=now,
        forecast=forecast(output.progress, latest, ends_at, now) if ends_at is not None else None,
        source=sources.get(curve.metric, "") if curve is not None else "",
        not_whole=not_whole,
    )
