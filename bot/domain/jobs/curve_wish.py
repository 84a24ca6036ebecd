"""Somebody wants a picture of their own: of which jobs and metrics, and what became of the wish."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.curve import Series, bare_name, companion, primary, series_of
from bot.domain.errand import Errand
from bot.domain.jobs.job import Job
from bot.domain.lease import Lease
from bot.domain.metrics import Point, meaning


@dataclass(frozen=True, slots=True)
class CurveWish(Errand):
    """One wish. ``metrics``: by the sources' own names; none is the run's main curve. ``last_s``: only so much of it,
    counted back from the newest point."""

    id: str
    job_ids: tuple[str, ...]
    asked_by: str
    asked_at: datetime
    metrics: tuple[str, ...] = ()
    is_log: bool = False
    last_s: int | None = None


@dataclass(frozen=True, slots=True)
class ChosenCurve:
    """One line of the picture: a metric of a job."""

    job: Job
    lease: Lease
    series: Series


@dataclass(frozen=True, slots=True)
class WishedPicture:
    """What is told of a wish: its curves, or none where there is nothing (any more) to draw.

    ``undrawn`` count otherwise than the first of them (epochs, not steps), so they have no place on its axis;
    ``without`` are jobs that have nothing of what was asked for.
    """

    wish: CurveWish
    curves: tuple[ChosenCurve, ...]
    undrawn: tuple[ChosenCurve, ...] = ()
    without: tuple[tuple[Job, Lease], ...] = ()

    @property
    def has_several_jobs(self) -> bool:
        """Whether lines are told apart by their jobs."""
        return len({curve.job.id for curve in self.curves}) > 1


Run = tuple[Job, Lease, Mapping[str, Sequence[Point]]]


def choose(wish: CurveWish, runs: Iterable[Run]) -> WishedPicture:
    """The curves that were asked for, each job's in the order of the metrics."""
    chosen: list[ChosenCurve] = []
    without: list[tuple[Job, Lease]] = []
    for job, lease, curves in runs:
        points = (point for all_of_it in curves.values() for point in all_of_it)
        series = series_of(latest_part(tuple(points), wish.last_s))
        if wish.metrics:
            names = (find_metric(curves, metric) for metric in wish.metrics)
            found = [one for name in dict.fromkeys(names) for one in series if one.metric == name]
        else:
            main = primary(series)
            beside = companion(series, main) if main is not None and len(wish.job_ids) == 1 else None
            found = [one for one in (main, beside) if one is not None]
        chosen += [ChosenCurve(job, lease, one) for one in found]
        without += [] if found else [(job, lease)]
    drawn = tuple(curve for curve in chosen if curve.series.x_kind is chosen[0].series.x_kind)
    undrawn = tuple(curve for curve in chosen if curve.series.x_kind is not chosen[0].series.x_kind)
    return WishedPicture(wish, drawn, undrawn, tuple(without))


def find_metric(names: Iterable[str], wanted: str) -> str | None:
    """The metric that is meant: by its name, in any case, or by what it measures (``loss`` for ``train/loss``)."""
    there = tuple(names)
    folded = wanted.casefold()
    same = [name for name in there if name == wanted] or [name for name in there if name.casefold() == folded]
    if same:
        return same[0]
    meant = meaning(wanted)
    if meant is None:
        return None
    alike = [name for name in there if meaning(name) == meant and bare_name(name) == bare_name(wanted)]
    return alike[0] if alike else None


def latest_part(points: Sequence[Point], last_s: int | None) -> tuple[Point, ...]:
    """Those of the last ``last_s`` seconds before the newest one; None: all."""
    if last_s is None or not points:
        return tuple(points)
    since = max(point.at for point in points) - timedelta(seconds=last_s)
    return tuple(point for point in points if point.at >= since)
