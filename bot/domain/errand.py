"""What somebody waits for in a direct message, and what became of handing it over."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Self

from bot.domain.places import MessageRef

TRIES_AT_MOST: Final = 8
_RETRY_S: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """A wish whose answer is words, and something in their thread: a file, a picture."""

    told: MessageRef | None = None
    """The words that went out; what was wished for follows in their thread."""
    ended_at: datetime | None = None
    attempts: int = 0
    next_try_at: datetime | None = None

    def evolve(self, **changes: Any) -> Self:
        """A copy with ``changes``."""
        return replace(self, **changes)

    def failed(self, now: datetime, wait_s: float | None) -> Self:
        """Slack did not take it: once more after a while, and not for ever."""
        attempts = self.attempts + (wait_s is None)
        if attempts >= TRIES_AT_MOST:
            return self.evolve(attempts=attempts, ended_at=now)
        wait = timedelta(seconds=wait_s if wait_s is not None else _RETRY_S * 2**attempts)
        return self.evolve(attempts=attempts, next_try_at=now + wait)
