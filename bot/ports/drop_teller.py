"""The port to the answer to dropped files: one message in the thread in which they were dropped."""

from typing import Protocol

from bot.domain.drops.drop import Drop
from bot.domain.lease import Lease
from bot.domain.places import MessageRef


class DropTeller(Protocol):
    """Each method is one call, and may raise any `NotifierError`."""

    def tell(self, drop: Drop, lease: Lease) -> MessageRef:
        """Say what became of the files, and ask where something has to be decided."""
        ...

    def retell(self, drop: Drop, lease: Lease, message: MessageRef) -> None:
        """Make that message say it.

        Raises:
            MessageLost: it can no longer be edited.
        """
        ...
