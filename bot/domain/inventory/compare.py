"""Whether a last inventory still is what a person said yes to."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from bot.domain.inventory.files import FileState
from bot.domain.inventory.inventory import Inventory, Some

T = TypeVar("T")


class Change(StrEnum):
    """In which way two inventories differ."""

    SIGHT = "sight"
    """One could be seen and the other could not, or not for the same reason."""
    FILES = "files"
    """Unsynced files came, went or changed."""
    WRITERS = "writers"
    """Other files are open for writing now, or one that was shown as open did not just grow."""
    BLIND_SPOTS = "blind-spots"
    JOBS = "jobs"
    GIT = "git"
    """Work in a git tree whose files are left out."""


@dataclass(frozen=True, slots=True)
class Same:
    """Nothing is on the machine that was not shown."""


@dataclass(frozen=True, slots=True)
class Growth:
    """A file that was shown as open for writing and has grown."""

    path: bytes
    by_bytes: int


@dataclass(frozen=True, slots=True)
class Grown:
    """Only files that were shown as open have grown."""

    files: tuple[Growth, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """There is something that was not shown: a person has to be asked anew."""

    what: tuple[Change, ...]


Comparison = Same | Grown | Changed


def compare(shown: Inventory, last: Inventory) -> Comparison:
    """``last`` against what a question showed. It has to be asked for with ``again=shown``.

    Of what was shown, blind spots may have cleared up, jobs may have ended, open files may have been closed,
    removed or have grown; all else is a change. Where neither could see anything, nothing is known to differ.
    """
    if last.why_unknown != shown.why_unknown:
        return Changed((Change.SIGHT,))
    if not last.told and not shown.told:
        return Same() if set(last.jobs) <= set(shown.jobs) else Changed((Change.JOBS,))
    after = {state.path: state for state in last.apart}
    open_before = {state.path: state for state in shown.apart}
    moves = [_growth(before, after.get(path)) for path, before in open_before.items()]
    suspected = {
        Change.SIGHT: not (last.told and shown.told),
        Change.FILES: last.rest != shown.rest,
        Change.WRITERS: None in moves or after.keys() - open_before.keys() or _is_new(last.open, shown.open),
        Change.BLIND_SPOTS: _is_new(last.blind, shown.blind),
        Change.JOBS: set(last.jobs) - set(shown.jobs),
        Change.GIT: set(last.hidden_work) - set(shown.hidden_work) or (not last.git.is_all and last.git != shown.git),
    }
    changes = tuple(change for change, is_so in suspected.items() if is_so)
    if changes:
        return Changed(changes)
    grown = tuple(move for move in moves if move is not None and move.by_bytes)
    return Grown(grown) if grown else Same()


def _is_new(last: Some[T], shown: Some[T]) -> bool:
    """Whether there is one that was not shown, as far as both are told."""
    return bool(set(last.first) - set(shown.first)) if last.is_all else last != shown


def _growth(before: FileState, after: FileState | None) -> Growth | None:
    """None where it did anything but grow, stay or go."""
    if after is None or after == before:
        return Growth(before.path, 0)
    if after.inode != before.inode or after.size_bytes <= before.size_bytes:
        return None
    return Growth(before.path, after.size_bytes - before.size_bytes)
