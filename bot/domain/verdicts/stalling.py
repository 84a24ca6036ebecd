"""A run that has fallen silent."""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from statistics import median
from typing import Final

from bot.domain.verdicts.kinds import Stalled

TIMES_THE_USUAL: Final = 10.0
_FEWEST_GAPS: Final = 5
_LEAST_S: Final = 300.0
_BEYOND_THE_LONGEST: Final = 2.0


def stalled(times: Sequence[datetime], now: datetime, times_the_usual: float = TIMES_THE_USUAL) -> Stalled | None:
    """Whether the points that came at ``times`` have stopped coming.

    Asks for five gaps between points; for ten times the usual one (the median); for twice the longest so far, since
    evaluations and checkpoints make gaps of their own; and for five minutes, which a machine's polls and a compiler may
    take. Points that were read together came at one time.
    """
    moments = sorted(set(times))
    gaps = [(b - a).total_seconds() for a, b in pairwise(moments)]
    if len(gaps) < _FEWEST_GAPS:
        return None
    usual, silent = median(gaps), (now - moments[-1]).total_seconds()
    if silent <= max(times_the_usual * usual, _BEYOND_THE_LONGEST * max(gaps), _LEAST_S):
        return None
    return Stalled(moments[-1], silent, usual)
