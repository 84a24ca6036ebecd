"""Fewer points of a curve that look the same: of each stretch the lowest, the highest and the last one stay."""

from collections.abc import Sequence
from math import isfinite
from typing import Final, Protocol, TypeVar

MOST_POINTS: Final = 3000
"""Of one metric of one job."""
_KEPT_OF_A_STRETCH: Final = 4


class Placed(Protocol):
    """Anything on a curve."""

    @property
    def x(self) -> float:
        """Where it lies."""
        ...

    @property
    def value(self) -> float:
        """How high."""
        ...


P = TypeVar("P", bound=Placed)


def thinned(points: Sequence[P], most: int = MOST_POINTS) -> list[P]:
    """At most ``most`` (6 or more) of ``points``, in the order of x: all of them where they are few.

    The very first point stays; of each stretch the lowest, the highest and the last number, and the first that is NaN
    or infinite. So spikes and NaN stay visible however often a curve is thinned.
    """
    ordered = sorted(points, key=lambda point: point.x)
    if len(ordered) <= most:
        return ordered
    kept = [ordered[0]]
    for stretch in _stretches(ordered, max(1, (most - 2) // _KEPT_OF_A_STRETCH)):
        kept += [point for point in _telling(stretch) if point is not ordered[0]]
    if kept[-1] is not ordered[-1]:
        kept.append(ordered[-1])
    return kept


def _stretches(ordered: list[P], count: int) -> list[list[P]]:
    """Equally long ones, so that old and new points are thinned alike; one far-off x must not put all into one."""
    low, high = ordered[0].x, ordered[-1].x
    found: list[list[P]] = [[] for _ in range(count)]
    if high > low:
        for point in ordered:
            found[min(count - 1, int((point.x - low) / (high - low) * count))].append(point)
        if max(map(len, found)) <= len(ordered) / 4:
            return [stretch for stretch in found if stretch]
    size = -(-len(ordered) // count)
    return [ordered[start : start + size] for start in range(0, len(ordered), size)]


def _telling(stretch: list[P]) -> list[P]:
    finite = [index for index, point in enumerate(stretch) if isfinite(point.value)]
    kept = {len(stretch) - 1} if len(finite) in (0, len(stretch)) else {finite[-1]}
    if finite:
        kept.add(min(finite, key=lambda index: stretch[index].value))
        kept.add(max(finite, key=lambda index: stretch[index].value))
    if len(finite) < len(stretch):
        kept.add(next(index for index, point in enumerate(stretch) if not isfinite(point.value)))
    return [stretch[index] for index in sorted(kept)]
