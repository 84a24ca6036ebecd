"""Somebody wants a picture of their own: of which jobs and metrics, and what became of the wish."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.domain.metrics import Point
from bot.domain.places import MessageRef

TRIES_AT_MOST: Final = 8
_RETRY_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class CurveWish:
    """One wish. ``metrics``: by the sources' own names; none is the run's main curve. ``last_s``: only so much of it,
    counted back from the newest point."""

    id: str
    job_ids: tuple[str, ...]
    asked_by: str
    asked_at: datetime
    metrics: tuple[str, ...] = ()
    is_log: bool = False
    last_s: int | None = None
    told: MessageRef | None = None
    """The words that went out; the picture follows in their thread."""
    ended_at: datetime | None = None
    attempts: int = 0
    next_try_at: datetime | None = None

    def evolve(self, **changes: Any) -> "CurveWish":
        """A copy with ``changes``."""
        return replace(self, **changes)

    def failed(self, now: datetime, wait_s: float | None) -> "CurveWish":
        """Slack did not take it: once more after a while, and not for ever."""
        attempts = self.attempts + (wait_s is None)
        if attempts >= TRIES_AT_MOST:
            return self.evolve(attempts=attempts, ended_at=now)
        wait = timedelta(seconds=wait_s if wait_s is not None else _RETRY_S * 2**attempts)
        return self.evolve(attempts=attempts, next_try_at=now + wait)


def latest_part(points: Sequence[Point], last_s: int | None) -> tuple[Point, ...]:
    """Those of the last ``last_s`` seconds before the newest one; None: all."""
    if last_s is None or not points:
        return tuple(points)
    since = max(point.at for point in points) - timedelta(seconds=last_s)
    return tuple(point for point in points if point.at >= since)
