"""One wall-clock deadline over everything that a step does."""

from dataclasses import dataclass
from time import monotonic


@dataclass(frozen=True, slots=True)
class Deadline:
    """An instant on the monotonic clock. ``seconds`` is how long it was when it began, for messages."""

    at: float
    seconds: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        """The deadline that many seconds from now."""
        return cls(monotonic() + seconds, seconds)

    @property
    def remaining_s(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at - monotonic())

    @property
    def passed(self) -> bool:
        """Whether nothing is left."""
        return monotonic() >= self.at
