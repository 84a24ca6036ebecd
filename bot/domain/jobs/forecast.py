"""Whether a run will be done before its machine's end, by its pace; and how much more it needs where not."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.domain.jobs.figures import share_done, start_of_pace
from bot.domain.metrics import Point, Progress

RESERVE: Final = 1.2
"""What is left takes this many times what the pace says: evaluations, checkpoints and slower nights are in no pace."""
_FEWEST_POINTS: Final = 5
_LEAST_SPAN_S: Final = 60.0
_LEAST_SHARE: Final = 0.001
_LONGEST_S: Final = 1e8
_ROUNDED_TO_S: Final = 300


@dataclass(frozen=True, slots=True)
class Forecast:
    """When a run will be done, with the reserve, against ``ends_at``."""

    done_at: datetime
    ends_at: datetime
    remaining_s: float
    """Of running, from now, with the reserve."""

    @property
    def fits(self) -> bool:
        """Whether it is done by then."""
        return self.done_at <= self.ends_at

    @property
    def missing_s(self) -> int:
        """How much longer the machine would have to stay, in whole five minutes; 0 where it fits."""
        over_s = (self.done_at - self.ends_at).total_seconds()
        return 0 if over_s <= 0 else math.ceil(over_s / _ROUNDED_TO_S) * _ROUNDED_TO_S


def forecast(
    progress: Progress, points: Sequence[Point], ends_at: datetime, now: datetime, reserve: float = RESERVE
) -> Forecast | None:
    """By the latest ``points`` of one metric, in the order of x, and the totals that the run printed.

    None where nobody can tell: no total, fewer than five points, less than a minute between first and last, or done.
    Counted from the last point, so that a run that is looked at rarely is not called slow; never before ``now``.
    """
    share = share_done(progress)
    if share is None or not _LEAST_SHARE <= share < 1.0 or len(points) < _FEWEST_POINTS:
        return None
    first, last = start_of_pace(points), points[-1]
    span_s = (last.at - first.at).total_seconds()
    if span_s < _LEAST_SPAN_S or last.x <= first.x or last.x <= 0:
        return None
    left_x = last.x / share - last.x
    left_s = left_x * span_s / (last.x - first.x) * reserve
    if not 0 <= left_s < _LONGEST_S:
        return None
    done_at = max(now, last.at + timedelta(seconds=left_s))
    return Forecast(done_at, ends_at, (done_at - now).total_seconds())
