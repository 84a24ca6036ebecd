"""Curves: points as series, and what one curve says, as facts for the words and the picture."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from bot.domain.metrics.names import Meaning, Role, Split, meaning
from bot.domain.metrics.point import Point, XKind

# The last part of a curve: a quarter of its points, but never so few that one of them decides.
_PARTS: Final = (0.25, 0.5, 1.0)
_FEWEST_IN_PART: Final = 3
_ENOUGH_IN_PART: Final = 10
_MOST_IN_PART: Final = 200
# A slope is believed when it is this many times its own error, and moves the level by this share over the part.
_SURE: Final = 2.5
_MOVES: Final = 0.01
# Flat is a claim too: few points are so only where the slope, error and all, moves the level by less than this.
_STILL: Final = 0.02
# Of several scores the one that says it all: precision and recall are halves.
_WHOLE_SCORES: Final = ("acc", "map", "auc", "f1", "准确率")


class Direction(StrEnum):
    """Where a curve went over its last part."""

    FALLING = "falling"
    FLAT = "flat"
    RISING = "rising"
    UNKNOWN = "unknown"
    """Too few finite points, or too unsteady ones."""


class Mark(NamedTuple):
    """One place on a curve. A tuple, since a curve may have a million."""

    x: float
    value: float


@dataclass(frozen=True, slots=True)
class Series:
    """One metric's points by growing x, each x once; values may be NaN or infinite."""

    metric: str
    x_kind: XKind
    points: Sequence[Mark]

    @property
    def meaning(self) -> Meaning:
        """Role and split, by its name."""
        return meaning(self.metric) or Meaning(Role.OTHER, Split.TRAIN)

    @property
    def finite(self) -> tuple[Mark, ...]:
        """Without NaN and infinite values."""
        return tuple(mark for mark in self.points if math.isfinite(mark.value))


@dataclass(frozen=True, slots=True)
class Trend:
    """Direction over the last part of a curve. ``percent_per_unit`` is negative where it falls.

    A unit is one epoch, or ``unit_x`` steps (a power of ten); None where the level is about zero, or unknown.
    """

    direction: Direction
    percent_per_unit: float | None = None
    unit_x: float = 1.0


@dataclass(frozen=True, slots=True)
class CurveFacts:
    """What a curve says. ``first``, ``last`` and ``best`` are finite points; None where there is none.

    ``ends_nonfinite``: the very last value is NaN or infinite; so is ``validation_ends_nonfinite``. ``validation`` and
    ``score`` are the last finite points of the metrics named with them. ``other_metrics`` are all that were read and
    are not named here.
    """

    metric: str
    role: Role
    x_kind: XKind
    points: int
    nonfinite: int
    ends_nonfinite: bool
    first: Mark | None
    last: Mark | None
    best: Mark | None
    trend: Trend
    validation_metric: str = ""
    validation: Mark | None = None
    validation_best: Mark | None = None
    validation_ends_nonfinite: bool = False
    score_metric: str = ""
    score: Mark | None = None
    other_metrics: tuple[str, ...] = ()


def series_of(points: Iterable[Point]) -> tuple[Series, ...]:
    """The points as curves, in order of first appearance.

    Of two points at one x the later holds. A metric that was counted in two ways is drawn as the more frequent one.
    """
    by_metric: dict[str, dict[XKind, dict[float, float]]] = {}
    for point in points:
        by_metric.setdefault(point.metric, {}).setdefault(point.x_kind, {})[point.x] = point.value
    series = []
    for metric, by_kind in by_metric.items():
        x_kind, values = max(by_kind.items(), key=lambda item: len(item[1]))
        series.append(Series(metric, x_kind, tuple(Mark(x, values[x]) for x in sorted(values))))
    return tuple(series)


def primary(series: Sequence[Series]) -> Series | None:
    """The curve that tells how the run goes: a reward where one is learnt, else the training loss; None if neither."""

    def rank(one: Series) -> tuple[bool, bool, int]:
        is_plain = one.metric.lower().replace("train", "").strip(" _/-") in ("loss", "total_loss", "total loss")
        return is_plain, one.meaning.split is Split.TRAIN, min(len(one.points), _MOST_IN_PART)

    for role in (Role.REWARD, Role.LOSS, Role.ERROR, Role.SCORE):
        found = [one for one in series if one.meaning.role is role and one.points]
        if role is Role.REWARD:  # a reward beside many others is one term of it
            found = [one for one in found if "mean" in one.metric.lower() or one.metric.lower() == "reward"]
        if found:
            return max(found, key=rank)  # of equals, the one seen first
    return None


def companion(series: Sequence[Series], main: Series) -> Series | None:
    """The validation curve beside ``main``: of the same role, measured on data that is not trained on."""
    others = [one for one in series if one.meaning.role is main.meaning.role and one.meaning.split is not Split.TRAIN]
    if main.meaning.split is not Split.TRAIN or not others:
        return None

    def alike(one: Series) -> tuple[bool, bool, int]:
        same_name = bare_name(one.metric) == bare_name(main.metric)
        return same_name, one.meaning.split is Split.VALIDATION, len(one.points)

    return max(others, key=alike)


def score_beside(series: Sequence[Series]) -> Series | None:
    """The accuracy, or its like, to be shown beside the loss: of unseen data where there is a choice."""
    scores = [one for one in series if one.meaning.role is Role.SCORE and one.points]

    def rank(one: Series) -> tuple[bool, bool, int]:
        is_whole = any(word in one.metric.lower() for word in _WHOLE_SCORES)
        return one.meaning.split is not Split.TRAIN, is_whole, len(one.points)

    return max(scores, key=rank, default=None)


def describe(series: Sequence[Series]) -> CurveFacts | None:
    """What the primary curve says, or None where there is nothing to tell."""
    main = primary(series)
    if main is None:
        return None
    validation, score = companion(series, main), score_beside(series)
    score = None if score is main else score
    finite = main.finite
    best = max if _is_better_higher(main.meaning.role) else min
    named = {main.metric} | {one.metric for one in (validation, score) if one}
    return CurveFacts(
        metric=main.metric,
        role=main.meaning.role,
        x_kind=main.x_kind,
        points=len(main.points),
        nonfinite=len(main.points) - len(finite),
        ends_nonfinite=_ends_nonfinite(main),
        first=finite[0] if finite else None,
        last=finite[-1] if finite else None,
        best=best(finite, key=lambda mark: mark.value) if finite else None,
        trend=trend(main),
        validation_metric=validation.metric if validation else "",
        validation=_last_finite(validation),
        validation_best=best(validation.finite, key=lambda m: m.value, default=None) if validation else None,
        validation_ends_nonfinite=_ends_nonfinite(validation),
        score_metric=score.metric if score else "",
        score=_last_finite(score),
        other_metrics=tuple(one.metric for one in series if one.metric not in named),
    )


def trend(series: Series) -> Trend:
    """Where the curve went over its last quarter: a straight line through it, believed only beyond its own error.

    A quarter of few points that settles nothing is widened to the half, then to the whole.
    """
    finite = series.finite
    for share in _PARTS:
        part = finite[-max(_FEWEST_IN_PART, math.ceil(len(finite) * share)) :]
        line = _line_through(_averaged(part)) if len(part) >= _FEWEST_IN_PART else None
        if line is None:
            break
        unit = 1.0 if series.x_kind is XKind.EPOCH else 10.0 ** math.floor(math.log10(max(line.span, 1.0)))
        percent = 100.0 * line.slope * unit / line.scale if line.is_one_sided else None
        moved, unsure = abs(line.slope) * line.span, line.error * line.span
        if moved > _SURE * unsure and moved >= _MOVES * line.scale:
            return Trend(Direction.FALLING if line.slope < 0 else Direction.RISING, percent, unit)
        if len(part) >= _ENOUGH_IN_PART or moved + _SURE * unsure < _STILL * line.scale or line.scale == 0:
            return Trend(Direction.FLAT, percent, unit)
    return Trend(Direction.UNKNOWN)


@dataclass(frozen=True, slots=True)
class _Line:
    """A straight line through a part of a curve; ``scale`` is the mean size of its values."""

    slope: float
    error: float
    span: float
    scale: float
    is_one_sided: bool


def _line_through(part: Sequence[Mark]) -> _Line | None:
    """The line of least squares, with the standard error of its slope; None where the numbers are too big for one."""
    count = len(part)
    mean_x = sum(mark.x for mark in part) / count
    level = sum(mark.value for mark in part) / count
    spread = sum((mark.x - mean_x) * (mark.x - mean_x) for mark in part)
    scale = sum(abs(mark.value) for mark in part) / count
    if spread <= 0:
        return None
    slope = sum((mark.x - mean_x) * (mark.value - level) for mark in part) / spread
    misses = [mark.value - level - slope * (mark.x - mean_x) for mark in part]
    error = math.sqrt(sum(miss * miss for miss in misses) / (count - 2) / spread)
    if not (math.isfinite(slope) and math.isfinite(error) and math.isfinite(scale)):
        return None
    return _Line(slope, error, part[-1].x - part[0].x, scale, scale > 0 and abs(level) > scale / 2)


def _averaged(marks: Sequence[Mark]) -> Sequence[Mark]:
    """Not more than ``_MOST_IN_PART`` marks, each the mean of its neighbours."""
    if len(marks) <= _MOST_IN_PART:
        return marks
    means = []
    for bucket in range(_MOST_IN_PART):
        some = marks[len(marks) * bucket // _MOST_IN_PART : len(marks) * (bucket + 1) // _MOST_IN_PART]
        means.append(Mark(sum(m.x for m in some) / len(some), sum(m.value for m in some) / len(some)))
    return means


def _is_better_higher(role: Role) -> bool:
    return role in (Role.SCORE, Role.REWARD)


def _ends_nonfinite(series: Series | None) -> bool:
    return series is not None and len(series.points) > 0 and not math.isfinite(series.points[-1].value)


def _last_finite(series: Series | None) -> Mark | None:
    return series.finite[-1] if series and series.finite else None


def bare_name(metric: str) -> str:
    """The name without what says on which data it was measured: ``val_loss`` and ``train_loss`` are alike."""
    lower = metric.lower()
    for word in ("validation", "valid", "train", "training", "eval", "test", "val", "训练", "验证", "测试"):
        lower = lower.replace(word, "")
    return lower.strip(" _/-.")
