"""The looks at a machine that a release is decided by: what a question showed, and the last one after fencing."""

from dataclasses import dataclass
from typing import Final

from bot.domain.inventory.inventory import Inventory


@dataclass(frozen=True, slots=True)
class LastLook:
    """The inventory that was taken once nobody new could log in any more."""

    inventory: Inventory
    is_fenced: bool
    """The doors were closed before it was taken; False: they could not be."""


@dataclass(frozen=True, slots=True)
class Looks:
    """Both are of one question."""

    shown: Inventory | None = None
    last: LastLook | None = None


NO_LOOKS: Final = Looks()
