"""The port to what is stored about files that people drop into machines' threads."""

from typing import Protocol

from bot.domain.drops.drop import Drop
from bot.ports.errand_store import ErrandStore


class DropStore(ErrandStore[Drop], Protocol):
    """Drops; those that have ended stay."""

    def lock(self, drop_id: str) -> Drop | None:
        """Read it for change: nobody else writes it until the transaction ends. People answer while files are put."""
        ...

    def left_over(self, lease_id: str) -> tuple[Drop, ...]:
        """Those of a lease that have ended and left something on its machine."""
        ...
