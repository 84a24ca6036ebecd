"""Checklists: what was looked at on a machine before it is handed over, a line each."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Verdict(StrEnum):
    """How one look ended. Could-not-look is not ok."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"
    UNKNOWN = "unknown"


class Item(StrEnum):
    """What is looked at; the words for each are in `handlers.words`."""

    PROVIDER = "provider"
    SSH = "ssh"
    DATA_DISK = "data-disk"
    DISK_WRITABLE = "disk-writable"
    DISK_SPACE = "disk-space"
    GPU = "gpu"
    FRAMEWORK = "framework"
    VERSIONS = "versions"
    NETWORK = "network"


_BESIDE = frozenset({Item.DISK_SPACE, Item.VERSIONS, Item.NETWORK})
"""Good to know; a machine is handed over also where these could not be looked at."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: ``code`` says in which way, ``seen`` what was seen (from outside: to be escaped)."""

    item: Item
    verdict: Verdict
    code: str = ""
    seen: str = ""


@dataclass(frozen=True, slots=True)
class Checklist:
    """All lines of one look."""

    lines: tuple[Line, ...]
    at: datetime

    @property
    def passed(self) -> bool:
        """No line failed, and every line that a hand-over hangs on could be looked at."""
        return all(
            line.verdict in (Verdict.OK, Verdict.WARN) or (line.verdict is Verdict.UNKNOWN and line.item in _BESIDE)
            for line in self.lines
        )
