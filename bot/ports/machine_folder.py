"""The port to one folder on a machine: files are put there under one name each, over SFTP, and never read."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Protocol

from bot.domain.drops.drop import Entry
from bot.ports.remote import Login


class MachineFolder(Protocol):
    """``~/work`` of one machine while it is open. A name is one component of a path; no shell ever sees one.

    Each method may raise `FolderRefused`, `FolderFull` and what `MachineFolders.open` raises.
    """

    def look(self, name: str) -> Entry | None:
        """What is there under a name. A link is itself, not what it points to."""
        ...

    def write(self, name: str, pieces: Iterable[bytes], expected_bytes: int) -> Entry:
        """Write a new file, readable by everybody and writable by its owner; what it is then.

        Raises:
            FolderFull: there is no room for ``expected_bytes``, or none is left on the way.
            FolderRefused: also where something has that name.
        """
        ...

    def move(self, name: str, to: str) -> bool:
        """Give something another name; False where that is taken, and nothing has happened."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file; one that is not there is success."""
        ...


class MachineFolders(Protocol):
    """Opens folders on machines."""

    def open(self, login: Login, deadline_s: float) -> AbstractContextManager[MachineFolder]:
        """``~/work``, made where it is not there; closed at the end, or when the deadline is over.

        Raises:
            Unreachable, HostKeyChanged, LoginRefused, StepTimedOut, NoFileTransfer, FolderRefused: see `bot.errors`.
        """
        ...
