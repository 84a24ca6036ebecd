"""Time and chance, handed to those that act; only entry points look at a real clock."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time, aware and in UTC."""

    def __call__(self) -> datetime:
        """Now."""
        ...


class NewId(Protocol):
    """Makes ids."""

    def __call__(self) -> str:
        """A new id: 16 lower-case hexadecimal digits that were never given before."""
        ...
