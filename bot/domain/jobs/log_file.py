"""Somebody wants a job's output as a file: the wish, and what became of it."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.domain.jobs.job import Job
from bot.domain.lease import Lease
from bot.domain.places import MessageRef

SENT_AT_MOST_BYTES: Final = 8 * 1024**2
"""Of a longer output its end is sent: it passes through the bot's memory whole, and stays in Slack."""
PIECE_BYTES: Final = 1536 * 1024
TRIES_AT_MOST: Final = 8
_RETRY_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class LogWish:
    """One wish."""

    id: str
    job_id: str
    asked_by: str
    asked_at: datetime
    told: MessageRef | None = None
    """The words that went out; the file follows in their thread."""
    ended_at: datetime | None = None
    attempts: int = 0
    next_try_at: datetime | None = None

    def evolve(self, **changes: Any) -> "LogWish":
        """A copy with ``changes``."""
        return replace(self, **changes)

    def failed(self, now: datetime, wait_s: float | None) -> "LogWish":
        """Slack did not take it: once more after a while, and not for ever."""
        attempts = self.attempts + (wait_s is None)
        if attempts >= TRIES_AT_MOST:
            return self.evolve(attempts=attempts, ended_at=now)
        wait = timedelta(seconds=wait_s if wait_s is not None else _RETRY_S * 2**attempts)
        return self.evolve(attempts=attempts, next_try_at=now + wait)


@dataclass(frozen=True, slots=True)
class LogFile:
    """What there is to send. ``content`` holds no value of a secret."""

    wish: LogWish
    job: Job
    lease: Lease
    content: bytes
    size_bytes: int
    """All of the output, as far as is known."""
    is_from_machine: bool
    """False: its machine could not be asked, and this is the end that is kept here."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return self.is_from_machine and self.size_bytes <= SENT_AT_MOST_BYTES
