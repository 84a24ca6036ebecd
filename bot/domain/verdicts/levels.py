"""Levels of a noisy curve: medians of its stretches, its noise, and a line through a part of it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from bot.domain.curve import Mark

MOST_BLOCKS: Final = 40
FEWEST_IN_BLOCK: Final = 3
_MOST_IN_LINE: Final = 200


@dataclass(frozen=True, slots=True)
class Moves:
    """How far a straight line through a part goes, in per cent of the part's level, and how sure that is."""

    percent: float
    error_percent: float


def block_medians(marks: Sequence[Mark]) -> list[Mark]:
    """At most 40 equally many-pointed stretches of three points or more, each as its middle x and its median."""
    count = min(MOST_BLOCKS, len(marks) // FEWEST_IN_BLOCK)
    blocks = []
    for block in range(count):
        part = marks[len(marks) * block // count : len(marks) * (block + 1) // count]
        blocks.append(Mark(part[len(part) // 2].x, median(mark.value for mark in part)))
    return blocks


def noise(marks: Sequence[Mark]) -> float:
    """The standard deviation of single points around the curve, by the median step between neighbours."""
    steps = [abs(b.value - a.value) for a, b in pairwise(marks)]
    return 1.4826 * median(steps) / math.sqrt(2) if steps else 0.0


def line_moves(part: Sequence[Mark]) -> Moves | None:
    """The line of least squares through ``part``; None where there is none."""
    if len(part) > _MOST_IN_LINE:
        means = []
        for block in range(_MOST_IN_LINE):
            some = part[len(part) * block // _MOST_IN_LINE : len(part) * (block + 1) // _MOST_IN_LINE]
            means.append(Mark(sum(m.x for m in some) / len(some), sum(m.value for m in some) / len(some)))
        part = means
    count = len(part)
    if count < 3:
        return None
    mean_x, level = sum(m.x for m in part) / count, sum(m.value for m in part) / count
    spread = sum((m.x - mean_x) ** 2 for m in part)
    if not (0 < spread < math.inf) or level == 0:
        return None
    slope = sum((m.x - mean_x) * (m.value - level) for m in part) / spread
    missed = sum((m.value - level - slope * (m.x - mean_x)) ** 2 for m in part)
    span = part[-1].x - part[0].x
    moves = Moves(100 * slope * span / level, 100 * math.sqrt(missed / (count - 2) / spread) * span / abs(level))
    return moves if math.isfinite(moves.percent) and math.isfinite(moves.error_percent) else None
