"""A job's picture: which points it was drawn from, where it is uploaded, and whether its message shows it."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

NOT_READY_TRIES: Final = 6
"""After so many refusals in a row Slack will not show it in the message."""


NOT_READY_WAIT: Final = timedelta(seconds=0.25)
FAILED_WAIT: Final = timedelta(seconds=5)
SHOW_AGAIN: Final = timedelta(seconds=10)


class Shown(StrEnum):
    """How people see it."""

    IN_MESSAGE = "in-message"
    """In the job's message, which is edited."""
    IN_THREAD = "in-thread"
    """Slack refuses it in the message: a new picture in the thread at milestones."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The newest picture of one job. ``points`` grows with each piece of output that brought points, ``drawn_points``
    follows by drawing."""

    job_id: str
    points: int = 0
    drawn_points: int = 0
    drawn_at: datetime | None = None
    file_id: str = ""
    """The newest one that was uploaded."""
    shown_file_id: str = ""
    """The one that the message showed last."""
    refusals: int = 0
    """How often in a row Slack refused to show it."""
    shown: Shown = Shown.IN_MESSAGE
    milestone: int = 0
    """The last milestone that got a picture in the thread."""
    wanted: bool = False
    """Somebody asked for it: it is drawn without waiting for its turn."""
    attempts: int = 0
    """Tries in a row that failed."""
    next_try_at: datetime | None = None

    def file_to_show(self, now: datetime) -> str:
        """What its message shows now: the newest one, or while Slack refuses that, the one before."""
        if self.shown is Shown.IN_THREAD:
            return ""
        is_waiting = self.refusals > 0 and self.next_try_at is not None and self.next_try_at > now
        return self.shown_file_id if is_waiting else self.file_id

    def uploaded(self, file_id: str, drawn_points: int, now: datetime) -> "Picture":
        """There is a new one. Should its message not show it soon, that is asked for again."""
        return replace(
            self,
            file_id=file_id,
            drawn_points=drawn_points,
            drawn_at=now,
            refusals=0,
            wanted=False,
            attempts=0,
            next_try_at=now + SHOW_AGAIN,
        )

    def refused(self, now: datetime) -> "Picture":
        """Slack did not take it in the message: it is not ready yet, or will never be; then it goes into the thread."""
        refusals = self.refusals + 1
        if refusals >= NOT_READY_TRIES:
            return replace(self, shown=Shown.IN_THREAD, drawn_points=0, shown_file_id=self.file_id, next_try_at=None)
        return replace(self, refusals=refusals, next_try_at=now + NOT_READY_WAIT * 2**refusals)

    def failed(self, now: datetime) -> "Picture":
        """It could not be drawn or uploaded."""
        wait = FAILED_WAIT * 2 ** min(self.attempts, 6)
        return replace(self, attempts=self.attempts + 1, next_try_at=now + wait)

    def was_shown(self, file_id: str) -> "Picture":
        """The message shows ``file_id``."""
        return replace(self, shown_file_id=file_id, refusals=0)


MILESTONES: Final = (0.0, 0.25, 0.5, 1.0)


def milestone_of(share: float | None, is_over: bool) -> int:
    """Which milestone a run has reached: 1 (its first points) to 4 (its end)."""
    if is_over:
        return len(MILESTONES)
    reached = sum(1 for mark in MILESTONES[1:-1] if share is not None and share >= mark)
    return 1 + reached
