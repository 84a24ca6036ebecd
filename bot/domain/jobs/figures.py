"""What a job's points say of its way: the loss and where it goes, speed, and when it will be done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from math import isfinite
from typing import Final

from bot.domain.jobs.job import Job
from bot.domain.metrics import Point, Progress, Role, Split, XKind, meaning

_SPLITS: Final = (Split.TRAIN, Split.VALIDATION, Split.TEST)
_SAME: Final = 0.01
_LEAST_SPAN_S: Final = 1.0
_LEAST_SHARE: Final = 0.02
RECENT_POINTS: Final = 200


class Direction(StrEnum):
    """Where the latest values go."""

    FALLING = "falling"
    RISING = "rising"
    FLAT = "flat"
    BROKEN = "broken"
    """The last value is no number, or infinite."""
    UNCLEAR = "unclear"
    """Too few values."""


@dataclass(frozen=True, slots=True)
class Trend:
    """One metric in a few words; ``recent`` values decide on the direction."""

    metric: str
    first: float
    last: float
    direction: Direction


@dataclass(frozen=True, slots=True)
class Figures:
    """What is shown of a run. All may be missing."""

    progress: Progress
    loss: Trend | None = None
    score: Trend | None = None
    per_s: float | None = None
    """Steps or epochs a second, of ``speed_of``."""
    speed_of: XKind | None = None
    done_at: datetime | None = None
    """When it will be done, if it goes on like this."""


def main_metric(names: Sequence[str], role: Role) -> str | None:
    """The metric that stands for its role: what is trained on before what is only measured, the shortest name."""
    found = [(name, meant) for name in names if (meant := meaning(name)) is not None and meant.role is role]
    if not found:
        return None
    return min(found, key=lambda one: (_SPLITS.index(one[1].split), len(one[0]), one[0]))[0]


def figures_of(job: Job, progress: Progress, recent: Mapping[str, Sequence[Point]]) -> Figures:
    """The figures. ``recent``: per metric its first point and then the latest ones, in the order of x."""
    loss = main_metric(list(recent), Role.LOSS)
    score = main_metric(list(recent), Role.SCORE)
    points = recent[loss] if loss else next(iter(recent.values()), ())
    per_s, kind = _speed(points[1:] or points)
    return Figures(
        progress,
        trend_of(recent[loss]) if loss else None,
        trend_of(recent[score]) if score else None,
        per_s,
        kind,
        _done_at(job, progress, points),
    )


def trend_of(points: Sequence[Point]) -> Trend | None:
    """First, last and direction of a metric's points."""
    if not points:
        return None
    return Trend(points[0].metric, points[0].value, points[-1].value, _direction([point.value for point in points]))


def share_done(progress: Progress) -> float | None:
    """How much of the run is done, 0 to 1; None where its output has not said."""
    epoch, epochs, step, steps = progress.epoch, progress.epochs, progress.step, progress.steps
    within = min(1.0, step / steps) if step is not None and steps else None
    if epochs and epoch is not None:
        whole = epoch - 1 + within if within is not None and epoch >= 1 else epoch
        return max(0.0, min(1.0, whole / epochs))
    return within


def _direction(values: list[float]) -> Direction:
    if not isfinite(values[-1]):
        return Direction.BROKEN
    numbers = [value for value in values[-40:] if isfinite(value)]
    if len(numbers) < 2:
        return Direction.UNCLEAR
    half = len(numbers) // 2
    before, after = sum(numbers[:half]) / half, sum(numbers[-half:]) / half
    if abs(after - before) <= _SAME * max(abs(before), abs(after)):
        return Direction.FLAT
    return Direction.FALLING if after < before else Direction.RISING


def _speed(points: Sequence[Point]) -> tuple[float | None, XKind | None]:
    """Between the recent points; output comes in pieces, so that neighbours may have been read in one moment."""
    if len(points) < 2:
        return None, None
    first, last = points[0], points[-1]
    span_s = (last.at - first.at).total_seconds()
    if span_s < _LEAST_SPAN_S or last.x <= first.x:
        return None, None
    return (last.x - first.x) / span_s, last.x_kind


def _done_at(job: Job, progress: Progress, points: Sequence[Point]) -> datetime | None:
    share = share_done(progress)
    if share is None or not _LEAST_SHARE <= share < 1 or job.started_at is None or not points:
        return None
    spent_s = (points[-1].at - job.started_at).total_seconds()
    return job.started_at + timedelta(seconds=spent_s / share) if 0 < spent_s / share < 1e9 else None
