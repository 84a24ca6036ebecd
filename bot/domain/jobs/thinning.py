"""Fewer points of a curve that look the same: of each stretch the lowest, the highest and the last one stay."""

from collections.abc import Sequence
from math import isnan
from typing import Final

from bot.domain.metrics import Point

MOST_POINTS: Final = 3000
"""Of one metric of one job."""
_KEPT_OF_A_STRETCH: Final = 5


def thinned(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """At most ``most`` of ``points``, in the order of x: all of them where they are few.

    The first and the last point always stay, and where a value stopped being a number.
    """
    ordered = sorted(points, key=lambda point: point.x)
    if len(ordered) <= most:
        return ordered
    kept: list[Point] = []
    for stretch in _stretches(ordered, max(1, most // _KEPT_OF_A_STRETCH)):
        kept += _telling(stretch)
    if kept[0] is not ordered[0]:
        kept[0] = ordered[0]
    return kept


def _stretches(ordered: list[Point], count: int) -> list[list[Point]]:
    """Equally long ones, so that old and new points are thinned alike; one far-off x must not put all into one."""
    low, high = ordered[0].x, ordered[-1].x
    found: list[list[Point]] = [[] for _ in range(count)]
    if high > low:
        for point in ordered:
            found[min(count - 1, int((point.x - low) / (high - low) * count))].append(point)
        if max(map(len, found)) <= len(ordered) / 4:
            return [stretch for stretch in found if stretch]
    size = -(-len(ordered) // count)
    return [ordered[start : start + size] for start in range(0, len(ordered), size)]


def _telling(stretch: list[Point]) -> list[Point]:
    numbers = [point for point in stretch if not isnan(point.value)]
    chosen = {id(point): point for point in (stretch[0], stretch[-1])} if len(numbers) < len(stretch) else {}
    chosen[id(stretch[-1])] = stretch[-1]
    if numbers:
        for point in (min(numbers, key=lambda p: p.value), max(numbers, key=lambda p: p.value)):
            chosen[id(point)] = point
    first_nan = next((point for point in stretch if isnan(point.value)), None)
    if first_nan is not None:
        chosen[id(first_nan)] = first_nan
    return sorted(chosen.values(), key=lambda point: point.x)
