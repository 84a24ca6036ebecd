"""A steady clock: whether the system's clock went at the pace of the one that nobody sets. After a jump nobody knows
which time is right, so no rule that only a clock sets off may go by it for a while."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

JUMP_S: Final = 10.0
"""Corrections of less are everyday."""
HOLD_S: Final = 900.0
"""So long after a jump the clock has to have been steady."""


@dataclass(frozen=True, slots=True)
class Steady:
    """Both clocks as last read; ``jumped_s`` is the monotonic time of the last jump."""

    at: datetime
    monotonic_s: float
    jumped_s: float | None = None

    def read(self, at: datetime, monotonic_s: float) -> "Steady":
        """Both clocks once more."""
        off_s = (at - self.at).total_seconds() - (monotonic_s - self.monotonic_s)
        after = replace(self, at=at, monotonic_s=monotonic_s)
        return replace(after, jumped_s=monotonic_s) if abs(off_s) > JUMP_S else after

    @property
    def is_steady(self) -> bool:
        """Whether rules may go by it."""
        return self.jumped_s is None or self.monotonic_s - self.jumped_s >= HOLD_S
