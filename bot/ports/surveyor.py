"""The port to looks at what is on machines and nowhere else; bounded, and unknown where it could not be seen."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from bot.domain.inventory.files import FileState, KnownFiles
from bot.domain.inventory.hashes import Answers, HashKind
from bot.domain.inventory.inventory import Inventory
from bot.domain.inventory.listed import Listed
from bot.domain.lease import Lease
from bot.domain.on_disk import Familiar, OnDisk
from bot.ports.remote import Login


class Surveyor(Protocol):
    """Looks at leases' machines, each time within one deadline. Safe from several threads."""

    def login(self, lease: Lease) -> Login:
        """How to get in, for those that copy.

        Raises:
            VaultLocked: the machine's own key cannot be opened.
            Unreachable: there is no address to log in at.
        """
        ...

    def baseline(self, lease: Lease) -> KnownFiles:
        """Everything that is there. What could not be told is not in it, and will count as a person's.

        Raises:
            RemoteError, VaultLocked: the machine could not be asked.
        """
        ...

    def inventory(
        self,
        lease: Lease,
        known: KnownFiles,
        at: datetime,
        jobs: tuple[str, ...] = (),
        again: Inventory | None = None,
    ) -> Inventory:
        """What is not known to be safe. Never raises for what the machine did: that is an unknown inventory.

        ``again``: what a question showed, so that the two can be compared.
        """
        ...

    def on_disk(self, lease: Lease, known: Familiar, at: datetime) -> OnDisk:
        """What people put on the data disk alone, and what of it has no verified copy; of a disk that is kept it is the
        last that can be seen. Never raises for what the machine did."""
        ...

    def listing(self, lease: Lease, known: KnownFiles, share: tuple[int, int]) -> tuple[FileState, ...]:
        """The files of the k-th of n equal shares of what is unsynced.

        Raises:
            RemoteError, VaultLocked: the machine could not be asked.
        """
        ...

    def listed(self, lease: Lease, known: KnownFiles, inventory: Inventory) -> Listed | None:
        """The whole list of what an inventory counted, packed; None where there is none or it was not told. Never
        raises for what the machine did."""
        ...

    def hashes(self, lease: Lease, paths: Sequence[bytes], kind: HashKind) -> Answers:
        """Hashes of files with the states they belong to. Never raises for what the machine did."""
        ...

    def close_doors(self, lease: Lease) -> bool:
        """Let nobody but the bot log in from now on (sessions that are open stay open); putting people's keys
        again opens them. True: done. Never raises for what the machine did."""
        ...
