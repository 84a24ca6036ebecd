"""What a manifest says of a path that somebody typed: one file, a folder, several that may be meant, or nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from rapidfuzz import process

from bot.domain.inventory.names import path_of, read_name

BROWSED_AT_MOST: Final = 20_000
"""Of more files than this an answer that has to come within three seconds says their sum; the list follows."""
EARLIER = b"earlier/"
"""What a copy replaced lies below it, by the copy's stamp: ``earlier/STAMP/home/…``."""


class ArchivedFile(NamedTuple):
    """One file with a verified copy. ``path``: as inventories spell it. A tuple, since there may be very many."""

    path: bytes
    size_bytes: int
    verified_at: datetime | None = None
    """None where it was not asked for."""


@dataclass(frozen=True, slots=True)
class Child:
    """What lies in a folder: a file, or a folder with so many files in it."""

    path: bytes
    files: int
    size_bytes: int
    is_folder: bool


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder, or all there is (``path`` is empty)."""

    path: bytes
    files: int
    size_bytes: int
    children: tuple[Child, ...]
    """By size, the biggest first."""


@dataclass(frozen=True, slots=True)
class Several:
    """Files whose paths end in what was typed."""

    files: tuple[ArchivedFile, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing of that name has a verified copy. ``near``: what looks like it."""

    near: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Version:
    """An earlier version, by where it lies below the lease's place; only the archive knows of these."""

    path: bytes


Found = ArchivedFile | Folder | Several | Nothing | Version


def browse(files: Sequence[ArchivedFile], text: str | None) -> Found:
    """What is meant: the whole path, or the end of one if only one ends so."""
    if text is None:
        return folder_of(b"", files)
    typed = read_name(text)
    if typed.startswith(EARLIER):
        return Version(typed.rstrip(b"/"))
    path = path_of(text)
    for file in files:
        if file.path == path:
            return file
    inside = [file for file in files if file.path.startswith(path.rstrip(b"/") + b"/")]
    if inside:
        return folder_of(path, inside)
    end = b"/" + typed.removeprefix(b"./").strip(b"/")
    alike = [file for file in files if file.path.endswith(end)]
    if alike:
        return alike[0] if len(alike) == 1 else Several(tuple(alike))
    folders = {file.path[: file.path.index(end + b"/") + len(end)] for file in files if end + b"/" in file.path}
    if len(folders) == 1:
        only = folders.pop()
        return folder_of(only, [file for file in files if file.path.startswith(only + b"/")])
    return Nothing(_near(end, files))


def folder_of(path: bytes, files: Iterable[ArchivedFile]) -> Folder:
    """``files`` are those in it, however deep."""
    found: dict[bytes, Child] = {}
    for file in files:
        top = 2 if file.path.startswith(b"~/") else 1
        cut = file.path.find(b"/", len(path.rstrip(b"/")) + 1 if path else top)
        name = file.path if cut < 0 else file.path[:cut]
        before = found.get(name, Child(name, 0, 0, cut >= 0))
        found[name] = Child(name, before.files + 1, before.size_bytes + file.size_bytes, before.is_folder)
    children = sorted(found.values(), key=lambda child: (-child.size_bytes, child.path))
    total = sum(child.size_bytes for child in children)
    return Folder(path, sum(child.files for child in children), total, tuple(children))


def _near(end: bytes, files: Sequence[ArchivedFile]) -> tuple[bytes, ...]:
    names = {file.path: file.path.rpartition(b"/")[2].decode("utf-8", "replace") for file in files[:20_000]}
    wanted = end.rpartition(b"/")[2].decode("utf-8", "replace")
    return tuple(path for _, _, path in process.extract(wanted, names, limit=3, score_cutoff=70))
