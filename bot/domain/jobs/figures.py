"""What a job's points say of its way: how far it is, how fast, and when it will be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.domain.jobs.job import Job
from bot.domain.metrics import Point, Progress, XKind

_LEAST_SPAN_S: Final = 1.0
_LEAST_SHARE: Final = 0.02
_LONGEST_S: Final = 1e8


@dataclass(frozen=True, slots=True)
class Pace:
    """What is shown of a run's way. All may be missing."""

    progress: Progress
    per_s: float | None = None
    """Steps or epochs a second, of ``kind``."""
    kind: XKind | None = None
    done_at: datetime | None = None
    """When it will be done, if it goes on like this."""


def pace_of(job: Job, progress: Progress, points: Sequence[Point]) -> Pace:
    """The pace by the latest ``points`` of one metric, in the order of x."""
    per_s, kind = _speed(points)
    return Pace(progress, per_s, kind, _done_at(job, progress, points))


def share_done(progress: Progress) -> float | None:
    """How much of the run is done, 0 to 1; None where its output has not said."""
    epoch, epochs, step, steps = progress.epoch, progress.epochs, progress.step, progress.steps
    within = max(0.0, min(1.0, step / steps)) if step is not None and steps else None
    if epochs and epoch is not None:
        whole = epoch - 1 + within if within is not None and epoch >= 1 else epoch
        return max(0.0, min(1.0, whole / epochs))
    return within


def start_of_pace(points: Sequence[Point]) -> Point:
    """From where a pace counts: of those that were read in one moment the last one is where the run was then."""
    return next(b for b, after in zip(points, (*points[1:], None), strict=True) if after is None or after.at != b.at)


def _speed(points: Sequence[Point]) -> tuple[float | None, XKind | None]:
    """Between the first and the last: neighbours may have been read in one moment."""
    if len(points) < 2:
        return None, None
    first, last = start_of_pace(points), points[-1]
    span_s = (last.at - first.at).total_seconds()
    if span_s < _LEAST_SPAN_S or last.x <= first.x:
        return None, None
    return (last.x - first.x) / span_s, last.x_kind


def _done_at(job: Job, progress: Progress, points: Sequence[Point]) -> datetime | None:
    share = share_done(progress)
    if share is None or not _LEAST_SHARE <= share < 1 or job.started_at is None or not points:
        return None
    whole_s = (points[-1].at - job.started_at).total_seconds() / share
    return job.started_at + timedelta(seconds=whole_s) if 0 < whole_s < _LONGEST_S else None
