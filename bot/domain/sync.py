"""Syncs: copies of what is on a machine into the archive, verified, and what became of them."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

NAMED_AT_MOST: Final = 10
"""So many files that are not safe are named; the others are counted."""


@dataclass(frozen=True, slots=True)
class NotSafe:
    """A file that has no verified copy. ``latin1``: its path, a character a byte; ``why``: a `Reason`'s word."""

    latin1: str
    why: str

    @classmethod
    def of(cls, path: bytes, why: str) -> "NotSafe":
        """The file of that path, as inventories spell it."""
        return cls(path.decode("latin-1"), why)

    @property
    def path(self) -> bytes:
        """As inventories spell it."""
        return self.latin1.encode("latin-1")


@dataclass(frozen=True, slots=True)
class SyncRun:
    """One copy that somebody asked for. ``paths``: only what lies below these (as inventories spell them); empty:
    everything that is watched. It ends in a statement: what is verified, what is not safe, and why."""

    id: str
    lease_id: str
    asked_by: str
    asked_at: datetime
    paths: tuple[str, ...] = ()
    question_id: str | None = None
    """The question that it answers: the release goes on when it has ended."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    place: str = ""
    """Where in the archive it goes."""
    files: int = 0
    """Verified by this run."""
    size_bytes: int = 0
    total_files: int = 0
    """To be copied, as the look at its beginning found."""
    total_bytes: int = 0
    copied_bytes: int = 0
    """Of the part that is under way; figures only."""
    bytes_per_s: float = 0.0
    trouble: str | None = None
    """Why it ended early: a `TroubleKind`'s or a `WhyUnknown`'s word."""
    detail: str = ""
    not_safe: tuple[NotSafe, ...] = ()
    """The first few."""
    not_safe_files: int = 0
    left_files: int = 0
    """Unsynced on the whole machine by the look at its end."""
    left_bytes: int = 0
    why_unknown: str | None = None
    """Why the look at its end cannot be relied on."""

    def evolve(self, **changes: Any) -> "SyncRun":
        """A copy with ``changes``."""
        return replace(self, **changes)

    @property
    def is_whole(self) -> bool:
        """It has ended, and everything that it was for is safe."""
        return self.ended_at is not None and self.trouble is None and not self.not_safe_files

    def covers(self, path: bytes, home: bytes = b"") -> bool:
        """Whether a file is among those it is for. ``home``: where the login home really is; paths below it may have
        been typed by that."""
        if not self.paths:
            return True
        wanted = [path_of.encode("utf-8", "surrogateescape") for path_of in self.paths]
        whole = home + path[1:] if home and path.startswith(b"~/") else path
        return any(name == one or name.startswith(one.rstrip(b"/") + b"/") for one in wanted for name in {path, whole})
