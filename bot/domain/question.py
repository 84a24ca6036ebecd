"""Questions: what was asked before a release, and what became of it."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from bot.domain.places import MessageRef


class QuestionState(StrEnum):
    """A question is open until answered or superseded."""

    OPEN = "open"
    YES = "yes"
    NO = "no"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Question:
    """One question about one lease. There is one live one per lease."""

    id: str
    lease_id: str
    asked_by: str
    asked_at: datetime
    state: QuestionState = QuestionState.OPEN
    answered_by: str | None = None
    answered_at: datetime | None = None
    message: MessageRef | None = None

    def answered(self, state: QuestionState, by: str, at: datetime) -> "Question":
        """The question with its answer."""
        return replace(self, state=state, answered_by=by, answered_at=at)

    @property
    def is_live(self) -> bool:
        """Still waiting for an answer, or answered yes and so still able to be taken back."""
        return self.state in (QuestionState.OPEN, QuestionState.YES)
