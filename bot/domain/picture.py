"""A job's picture: which points it was drawn from, where it is uploaded, and whether its message shows it."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

NOT_READY_TRIES: Final = 8
"""After so many refusals in a row Slack will not show it in the message."""


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
    alt_text: str = ""
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

    def refused(self) -> "Picture":
        """Slack did not take it in the message: not yet, or not at all."""
        refusals = self.refusals + 1
        how = Shown.IN_THREAD if refusals >= NOT_READY_TRIES else self.shown
        return replace(self, refusals=refusals, shown=how)

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
