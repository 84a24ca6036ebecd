"""Somebody wants a job's output as a file: the wish, and what became of it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.domain.errand import Errand
from bot.domain.jobs.job import Job
from bot.domain.lease import Lease

SENT_AT_MOST_BYTES: Final = 8 * 1024**2
"""Of a longer output its end is sent: it passes through the bot's memory whole, and stays in Slack."""
PIECE_BYTES: Final = 1536 * 1024


@dataclass(frozen=True, slots=True)
class LogWish(Errand):
    """One wish."""

    id: str
    job_id: str
    asked_by: str
    asked_at: datetime


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
