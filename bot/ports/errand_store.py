"""The stores of errands: what people wait for in a direct message."""

from datetime import datetime
from typing import Protocol, TypeVar

from bot.domain.errand import Errand

E = TypeVar("E", bound=Errand)


class ErrandStore(Protocol[E]):
    """Errands of one kind; those that have ended stay."""

    def add(self, errand: E) -> None: ...
    def get(self, errand_id: str) -> E | None: ...
    def save(self, errand: E) -> None: ...
    def due(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of those that have not ended and may be tried now, longest asked for first."""
        ...
