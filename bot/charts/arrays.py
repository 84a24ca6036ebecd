"""Curves as arrays: what can be drawn, thinned to what can be seen, smoothed, and parted from its spikes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Final

import numpy as np
from tsdownsample import MinMaxDownsampler

from bot.charts.columns import Columns, Numbers
from bot.domain.curve import Mark, Series
from bot.domain.metrics import Role

_MOST_DRAWN: Final = 2400  # two a pixel column: more cannot be seen
_MOST_GAPS: Final = 400
_MOST_SMOOTHED: Final = 24_000  # ten a pixel column: of more points, means of neighbours are smoothed instead
_SMOOTH_SHARE: Final = 50  # the window is this part of the curve
_SPIKE: Final = 2.5  # times the median around it
_MOST_SPIKES_SHARE: Final = 0.1
_FEWEST_FOR_SPIKES: Final = 12
_DRAWABLE: Final = 1e30  # beyond it an axis cannot be laid out: shown as infinity is


@dataclass(frozen=True)
class Curve:
    """A series as arrays by growing x: the points that can be drawn, and the x of all others."""

    series: Series
    x: Numbers
    y: Numbers
    broken_x: Numbers
    span: tuple[float, float]
    """The lowest and the highest x, of what can be drawn and what cannot."""

    @cached_property
    def best(self) -> int:
        """Index of the best point; there has to be one."""
        is_better_higher = self.series.meaning.role in (Role.REWARD, Role.SCORE)
        return int(self.y.argmax() if is_better_higher else self.y.argmin())

    @cached_property
    def thinned(self) -> tuple[Numbers, Numbers]:
        """As many of its points as can be seen."""
        return thinned(self.x, self.y)

    @cached_property
    def smoothed(self) -> tuple[Numbers, Numbers]:
        """Its smoothed line, which no spike pulls away."""
        calm = self._calm
        if len(self.x) <= _MOST_SMOOTHED:
            return thinned(self.x, smoothed(calm))
        size = -(-len(self.x) // _MOST_SMOOTHED)
        stretches = len(self.x) // size
        means = calm[: stretches * size].reshape(stretches, size).mean(axis=1)
        middles = self.x[size // 2 :: size][:stretches]
        # the line begins and ends where the curve does
        x = np.concatenate([self.x[:1], middles, self.x[-1:]])
        return thinned(x, smoothed(np.concatenate([calm[:1], means, calm[-1:]])))

    @cached_property
    def parted(self) -> tuple[Numbers, tuple[Numbers, Numbers]]:
        """See `without_spikes`."""
        return without_spikes(self)

    @property
    def _calm(self) -> Numbers:
        """The values, with a straight line in place of each spike."""
        plain, (peaks, _) = self.parted
        if not len(peaks):
            return self.y
        low, high = plain.min(), plain.max()
        odd = np.flatnonzero((self.y < low) | (self.y > high))
        if not len(odd):
            return self.y
        # of all other points a line over the odd ones goes by those right beside them
        beside = np.setdiff1d(np.concatenate([odd - 1, odd + 1]), odd)
        beside = beside[(beside >= 0) & (beside < len(self.y))]
        calm = self.y.copy()
        calm[odd] = np.interp(self.x[odd], self.x[beside], self.y[beside])
        return calm


def curve_of(series: Series | None) -> Curve | None:
    """The series as arrays, or None where it has no point at all."""
    if series is None or not series.points:
        return None
    x, y = _columns(series.points)
    if not _are_drawable(span := _span(x)):
        x = np.where(np.abs(x) < _DRAWABLE, x, 0.0)
        span = _span(x)
    if _are_drawable(_span(y)):
        return Curve(series, x, y, np.empty(0), span)
    drawable = np.abs(y) < _DRAWABLE  # False for NaN
    return Curve(series, x[drawable], y[drawable], x[~drawable], span)


def _columns(points: Sequence[Mark]) -> tuple[Numbers, Numbers]:
    if isinstance(points, Columns):
        return points.x, points.y
    both = np.fromiter(chain.from_iterable(points), float, count=2 * len(points)).reshape(-1, 2)
    return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


def _span(values: Numbers) -> tuple[float, float]:
    return float(values.min()), float(values.max())


def _are_drawable(span: tuple[float, float]) -> bool:
    """Whether none of all values is NaN, infinite or beyond any axis."""
    return span[0] > -_DRAWABLE and span[1] < _DRAWABLE


def thinned(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
    """At most as many points as can be seen; highest and lowest of each stretch stay."""
    if len(x) <= _MOST_DRAWN:
        return x, y
    downsampler: Any = MinMaxDownsampler  # comes without types
    kept = downsampler().downsample(y, n_out=_MOST_DRAWN)
    return x[kept], y[kept]


def broken_at(x: Numbers, y: Numbers, gaps: Numbers) -> tuple[Numbers, Numbers]:
    """The line, interrupted wherever a value could not be drawn."""
    if not len(gaps):
        return x, y
    gaps = gaps[:: max(1, len(gaps) // _MOST_GAPS)]
    all_x = np.concatenate([x, gaps])
    order = np.argsort(all_x, kind="stable")
    return all_x[order], np.concatenate([y, np.full(len(gaps), np.nan)])[order]


def smoothed(y: Numbers) -> Numbers:
    """The mean over a window around each point, narrower towards the ends so that they stay where they are."""
    count = len(y)
    half = max(1, count // _SMOOTH_SHARE // 2)
    at = np.arange(count)
    reach = np.minimum(half, np.minimum(at, count - 1 - at))
    sums = np.concatenate([[0.0], np.cumsum(y)])
    means: Numbers = (sums[at + reach + 1] - sums[at - reach]) / (2 * reach + 1)
    return means


def without_spikes(curve: Curve) -> tuple[Numbers, tuple[Numbers, Numbers]]:
    """The values that set the scale, and the (x, y) of each spike's peak: few points, far beyond their neighbours.

    A curve's fall at its beginning is no spike: its neighbours are as high.
    """
    none = (np.empty(0), np.empty(0))
    x, y = curve.thinned
    if len(y) < _FEWEST_FOR_SPIKES:
        return y, none
    half = max(5, len(y) // 20)
    around = np.lib.stride_tricks.sliding_window_view(np.pad(y, half, mode="reflect"), 2 * half + 1)
    # neighbouring windows hold nearly the same points: wide ones are told at every few of them
    centres = np.arange(0, len(y), max(1, half // 16))
    level = np.interp(np.arange(len(y)), centres, np.median(around[centres], axis=1))
    usual = np.median(np.abs(y - level))
    is_spike = np.abs(y - level) > np.maximum((_SPIKE - 1.0) * np.abs(level), 20.0 * usual)
    if not is_spike.any() or is_spike.mean() > _MOST_SPIKES_SHARE:
        return y, none
    runs = np.split(np.flatnonzero(is_spike), np.flatnonzero(np.diff(np.flatnonzero(is_spike)) > 1) + 1)
    peaks = np.array([run[np.abs(y[run] - level[run]).argmax()] for run in runs])
    if len(peaks) > 3:  # more would cover each other: the three farthest
        peaks = peaks[np.argsort(-np.abs(y[peaks] - level[peaks]))[:3]]
    return y[~is_spike], (x[peaks], y[peaks])
