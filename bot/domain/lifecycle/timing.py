"""How long things may take and how often they are looked at."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds, all of them. ``poll_s`` and ``boot_limit_s`` come from the provider's capabilities."""

    poll_s: float
    boot_limit_s: float
    look_s: float = 30.0
    """How often a machine that is at rest (ready, stopped) is read."""
    stuck_after_s: float = 600.0
    """A release that has not ended the instance after this long is called stuck."""
    launch_limit_s: float = 600.0
    """A vendor that neither launches nor refuses for this long is given up."""
    grace_s: float = 60.0
    """How long a yes may be taken back."""
    settle_s: float = 60.0
    """How long nothing may have been written on a machine that is released without anybody's yes."""
    remind_s: float = 3600.0
    """How often a stuck release or an ended lease is brought up again."""
    warn_before_end_s: float = 1800.0

    @property
    def grace(self) -> timedelta:
        """The same as a span."""
        return timedelta(seconds=self.grace_s)

    @property
    def settle(self) -> timedelta:
        """The same as a span."""
        return timedelta(seconds=self.settle_s)

    def backoff_s(self, attempts: int) -> float:
        """How long to wait after ``attempts`` failures in a row: doubling, from the poll up to the look at rest.

        Trouble is no reason to look less often than at a machine that is well: it may be over any moment.
        """
        return float(min(max(self.look_s, self.poll_s), max(self.poll_s, 0.25) * 2 ** min(attempts, 12)))


def seconds_since(then: datetime | None, now: datetime) -> float:
    """How long ago, never negative; 0 where there is no then."""
    return max(0.0, (now - then).total_seconds()) if then is not None else 0.0
