"""Living messages: cards, questions and quotes, edited in place until they show what is stored."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.domain.notice import Priority
from bot.domain.places import MessageRef


class Subject(StrEnum):
    """What a living message shows."""

    LEASE = "lease"
    QUESTION = "question"
    QUOTE = "quote"
    SYNC = "sync"
    JOB = "job"


@dataclass(frozen=True, slots=True)
class LivingMessage:
    """One message and how far it is behind. ``wanted`` grows with each change, ``shown`` follows by delivery."""

    subject: Subject
    subject_id: str
    channel: str
    wanted: int
    shown: int
    priority: Priority
    message: MessageRef | None = None
    thread_of: str | None = None
    """A lease's id: the message belongs into the thread of that lease's card."""
    posting_since: datetime | None = None
    """Set before a first post: after a crash it may be out already and has to be looked for."""
    shown_at: datetime | None = None
    next_try_at: datetime | None = None
    attempts: int = 0
