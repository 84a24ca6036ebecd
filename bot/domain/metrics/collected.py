"""Points of one run as they come, kept as curves in bounded memory."""

from collections.abc import Iterable
from itertools import groupby, repeat
from operator import attrgetter
from typing import Final

from bot.domain.curve import Mark, Series
from bot.domain.metrics.point import Point, XKind
from bot.domain.metrics.thinning import thinned

MOST_KEPT: Final = 20_000
"""Of one metric; beyond it half of them are thinned away, so that what stays looks the same."""
_Key = tuple[str, XKind]
_KEY: Final = attrgetter("metric", "x_kind")
_PLACE: Final = attrgetter("x", "value")


class Collected:
    """The curves of one run. Of two points of one metric, kind and x the later one holds."""

    def __init__(self, most_kept: int = MOST_KEPT) -> None:
        self._values: dict[_Key, dict[float, float]] = {}
        self._gone: dict[_Key, int] = {}
        self._most_kept = most_kept

    def add(self, points: Iterable[Point]) -> None:
        """Take the next points."""
        values = self._values
        for key, some in groupby(points, _KEY):
            values.setdefault(key, {}).update(map(_PLACE, some))
        for key, by_x in values.items():
            if len(by_x) > self._most_kept:
                # As `Mark._make` does it, without a call of Python's for each.
                marks: list[Mark] = list(map(tuple.__new__, repeat(Mark), by_x.items()))
                kept = thinned(marks, self._most_kept // 2)
                self._gone[key] = self._gone.get(key, 0) + len(by_x) - len(kept)
                values[key] = dict(kept)

    def series(self) -> tuple[Series, ...]:
        """The curves, in order of first appearance; a metric that was counted in two ways is the more frequent one."""
        best: dict[str, XKind] = {}
        for metric, kind in self._values:
            if metric not in best or self._count(metric, kind) > self._count(metric, best[metric]):
                best[metric] = kind
        return tuple(
            Series(metric, kind, tuple(Mark(x, value) for x, value in sorted(self._values[metric, kind].items())))
            for metric, kind in best.items()
        )

    def count(self, series: Series) -> int:
        """How many points the curve has, those that were thinned away included (repeats of such count again)."""
        return self._count(series.metric, series.x_kind)

    def _count(self, metric: str, kind: XKind) -> int:
        return len(self._values.get((metric, kind), ())) + self._gone.get((metric, kind), 0)
