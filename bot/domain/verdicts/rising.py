"""Losses that go up: for good, or for a moment."""

from collections.abc import Sequence
from itertools import pairwise
from math import log, sqrt
from statistics import median
from typing import Final

from bot.domain.curve import Mark, Series
from bot.domain.verdicts.kinds import Diverging, Spike
from bot.domain.verdicts.levels import block_medians, noise

_FEWEST_FOR_LEVELS: Final = 12
_DOUBLED: Final = 2.0
_OF_THE_FALL: Final = 0.2
_NOISES: Final = 6.0
_STAYS: Final = 3
_FEWEST_FOR_EXPLODING: Final = 5
_EXPLODED: Final = 3.0
_FEWEST_FOR_SPIKES: Final = 20
_AROUND: Final = 10
_SPIKE: Final = 3.0
_SPREADS: Final = 6.0
_BACK: Final = 1.5
_MOST_SPIKES_SHARE: Final = 0.01


def diverging(series: Series) -> Diverging | None:
    """A training loss that went up and stays up.

    Asks for all of: the level of the last stretch (a median) is at least twice the lowest level; the climb gives back a
    fifth or more of what the run had won; it is six times the noise of single points; and the last three points all lie
    above the middle of the climb. A spike that comes back, a noisy curve, a wave at the end of a run whose loss is
    already tiny, and one bad point fail one of them each. Where the loss is negative (a likelihood), doubling means
    nothing: the climb has to give back everything. Runs of a few points: the last two lie above three times whatever
    came before.
    """
    finite = series.finite
    if len(finite) >= _FEWEST_FOR_EXPLODING:
        before, ends = finite[:-2], finite[-2:]
        highest = max(mark.value for mark in before)
        if highest > 0 and min(mark.value for mark in ends) > _EXPLODED * highest:
            return Diverging(series.metric, series.x_kind, min(before, key=lambda mark: mark.value), finite[-1])
    if len(finite) < _FEWEST_FOR_LEVELS:
        return None
    levels = block_medians(finite)
    low = min(range(len(levels)), key=lambda index: levels[index].value)
    rise, fall = levels[-1].value - levels[low].value, levels[0].value - levels[low].value
    is_up = levels[-1].value >= _DOUBLED * levels[low].value if levels[low].value > 0 else rise >= max(fall, 0.0)
    middle = levels[low].value + rise / 2
    if (
        low < len(levels) - 1
        and is_up
        and rise > 0
        and rise >= _OF_THE_FALL * fall
        and rise >= _NOISES * noise(finite)
        and min(mark.value for mark in finite[-_STAYS:]) > middle
    ):
        return Diverging(series.metric, series.x_kind, levels[low], finite[-1])
    return None


def spike(series: Series) -> Spike | None:
    """A jump of a training loss that came back.

    Asks for three times the median of the twenty points around; for six times the scatter, both of these and of the
    whole curve, by ratio, since the loss of small batches scatters by factors; and that within ten points it is back,
    for three: no more than half above the level that it left. The first ten points are no spike, since a loss falls
    from high; nor are jumps that are more than a hundredth of all points: then they are the curve's way.
    """
    marks = series.finite
    if len(marks) < _FEWEST_FOR_SPIKES or min(mark.value for mark in marks) <= 0:
        return None
    usual = 1.4826 * median(abs(log(b.value) - log(a.value)) for a, b in pairwise(marks)) / sqrt(2)
    runs: list[list[int]] = []
    for index in range(_AROUND, len(marks)):
        if marks[index].value <= _SPIKE * _lowest_near(marks, index):
            continue  # cheap, and true of nearly all
        level, scatter = _around(marks, index)
        ratio = marks[index].value / level
        if ratio > _SPIKE and log(marks[index].value) - log(level) > _SPREADS * max(scatter, usual):
            if runs and index - runs[-1][-1] <= 2:
                runs[-1].append(index)
            else:
                runs.append([index])
    found = [jump for run in runs if (jump := _came_back(marks, run))]
    if not found or len(found) > max(2, len(marks) * _MOST_SPIKES_SHARE):
        return None
    peak, level, back = max(found, key=lambda jump: jump[0].value)
    return Spike(series.metric, series.x_kind, peak, level, back, len(found))


def _came_back(marks: Sequence[Mark], run: list[int]) -> tuple[Mark, float, Mark] | None:
    """The peak, the level that it left, and where it was back."""
    level = median(mark.value for mark in marks[max(0, run[0] - _STAYS) : run[0]])
    for index in range(run[-1] + 1, min(run[-1] + 1 + _AROUND, len(marks) - _STAYS + 1)):
        if (
            marks[index].value <= _BACK * level
            and median(mark.value for mark in marks[index : index + _STAYS]) <= _BACK * level
        ):
            return marks[max(run, key=lambda at: marks[at].value)], level, marks[index]
    return None


def _lowest_near(marks: Sequence[Mark], index: int) -> float:
    return min(marks[index - 1].value, marks[index - 3].value, marks[index - 5].value)


def _around(marks: Sequence[Mark], index: int) -> tuple[float, float]:
    """The median of the neighbours, and how far they scatter from it: the standard deviation of their logarithms."""
    near = [mark.value for mark in (*marks[max(0, index - _AROUND) : index], *marks[index + 1 : index + 1 + _AROUND])]
    level = median(near)
    return level, 1.4826 * median(abs(log(value) - log(level)) for value in near)
