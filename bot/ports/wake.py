"""The port that wakes a reconciler: nobody waits for a tick."""

from typing import Protocol

from bot.domain.claim import Duty


class Wake(Protocol):
    """Wakes what does a duty; losing a wake costs a tick, nothing else."""

    def wake(self, duty: Duty) -> None:
        """Let the reconciler of ``duty`` look soon. Returns at once; never raises."""
        ...
