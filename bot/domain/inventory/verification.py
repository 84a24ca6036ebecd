"""What became of each file that was to be copied, and what is on record of those that are safe."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.domain.inventory.files import FileState
from bot.domain.inventory.hashes import Answers, Hashed, HashKind, WhyNot


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """One file that is safe: the archive holds the very bytes that the machine had in that state."""

    state: FileState
    hash_kind: HashKind
    hash: str
    verified_at: datetime


class Fate(StrEnum):
    """What became of a file. Whatever is not verified counts as unsynced."""

    VERIFIED = "verified"
    NOT_VERIFIED = "not-verified"
    """It was copied, and the copy is not known to be what the machine has."""
    FAILED = "failed"
    """There is no copy."""


class Reason(StrEnum):
    """Why a file is not verified."""

    DIFFERS = "differs"
    """The archive holds other bytes: the file changed while it was copied, or the copy is damaged."""
    MISSING = "missing"
    """The archive does not hold it."""
    NOT_READ_BACK = "not-read-back"
    """The archive holds something and tells no hash of it."""
    GONE = "gone"
    UNREADABLE = "unreadable"
    NOT_A_FILE = "not-a-file"
    CHANGING = "changing"
    NOT_REACHED = "not-reached"
    TROUBLE = "trouble"


_REASONS = {
    WhyNot.GONE: Reason.GONE,
    WhyNot.UNREADABLE: Reason.UNREADABLE,
    WhyNot.NOT_A_FILE: Reason.NOT_A_FILE,
    WhyNot.CHANGING: Reason.CHANGING,
    WhyNot.FAILED: Reason.TROUBLE,
    WhyNot.NOT_REACHED: Reason.NOT_REACHED,
}


@dataclass(frozen=True, slots=True)
class FileResult:
    """The fate of one file; ``entry`` if it is verified, else ``reason``."""

    path: bytes
    fate: Fate
    reason: Reason | None = None
    entry: ManifestEntry | None = None


def verify(
    paths: Iterable[bytes], answers: Answers, archived: Mapping[bytes, str], kind: HashKind, at: datetime
) -> tuple[FileResult, ...]:
    """Each file's fate. ``archived``: hash by path of what the archive holds, empty where it tells none."""
    return tuple(_result(path, answers.get(path, WhyNot.NOT_REACHED), archived.get(path), kind, at) for path in paths)


def worth_another_try(results: Iterable[FileResult]) -> tuple[bytes, ...]:
    """Files that were caught while they changed, or whose copy differs."""
    again = (Reason.DIFFERS, Reason.CHANGING, Reason.MISSING)
    return tuple(result.path for result in results if result.reason in again)


def _result(path: bytes, answer: Hashed | WhyNot, archived: str | None, kind: HashKind, at: datetime) -> FileResult:
    if isinstance(answer, WhyNot):
        return FileResult(path, Fate.FAILED if archived is None else Fate.NOT_VERIFIED, _REASONS[answer])
    if archived is None:
        return FileResult(path, Fate.FAILED, Reason.MISSING)
    if not archived:
        return FileResult(path, Fate.NOT_VERIFIED, Reason.NOT_READ_BACK)
    if archived.lower() != answer.hash.lower():
        return FileResult(path, Fate.NOT_VERIFIED, Reason.DIFFERS)
    return FileResult(path, Fate.VERIFIED, None, ManifestEntry(answer.state, kind, answer.hash.lower(), at))
