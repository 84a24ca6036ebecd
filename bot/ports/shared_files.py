"""The port to files that people shared where they talk."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SharedFile:
    """One file as the platform tells it. ``address`` is the platform's own; nobody else is to read it."""

    id: str
    name: str
    size_bytes: int
    mimetype: str
    address: str


class SharedFiles(Protocol):
    """Asks the platform. Each method may raise `SlackBusy` (not now) and `SharedFileRefused` (never)."""

    def look(self, file_id: str) -> SharedFile:
        """What it is called and how big it is; of one that was taken back meanwhile, that it is gone."""
        ...

    def content(self, file: SharedFile, most_bytes: int, deadline_s: float) -> AbstractContextManager[Iterator[bytes]]:
        """Its bytes, piece by piece, in order: all of them, or an error from within. Held in memory is one piece.

        Raises:
            SharedFileRefused: also for one that turns out to be longer than ``most_bytes``.
        """
        ...
