"""Somebody wants something from the archive: what was asked for, and what a look into the archive makes of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.domain.errand import Errand
from bot.domain.fetching.browse import BROWSED_AT_MOST, EARLIER, ArchivedFile, Child, folder_of
from bot.domain.inventory.files import archived_as
from bot.domain.lease import Lease

SENT_AT_MOST_BYTES: Final = 8 * 1024**2
"""A file up to this size is sent through Slack: it passes through the bot's memory whole and stays in Slack. For what
is larger rclone is the better way, which resumes and verifies."""
NAMED_AT_MOST: Final = 10


@dataclass(frozen=True, slots=True)
class FetchRun(Errand):
    """One wish. ``wanted``: a file, a folder, or (empty) everything; as inventories spell it, or ``earlier/…``."""

    id: str
    lease_id: str
    asked_by: str
    asked_at: datetime
    wanted: bytes = b""


@dataclass(frozen=True, slots=True)
class Sized:
    """Something in the archive, by where it lies below the lease's place."""

    name: bytes
    size_bytes: int


@dataclass(frozen=True, slots=True)
class FetchReport:
    """What the archive holds, against what the manifest says."""

    run: FetchRun
    lease: Lease
    place: str
    """The lease's own folder in the archive, as people are told it."""
    trouble: str | None = None
    """Why the archive could not be looked into: a `TroubleKind`'s word; nothing else is known then."""
    detail: str = ""
    confirmed_files: int = 0
    """With a verified copy, and there, and of the same size."""
    confirmed_bytes: int = 0
    missing: tuple[bytes, ...] = ()
    """With a verified copy, and not there now, or of another size: paths as inventories spell them."""
    unverified: tuple[Sized, ...] = ()
    """There, and on no record: copied and never verified."""
    earlier: tuple[Sized, ...] = ()
    """Earlier versions, the newest first."""
    file: Sized | None = None
    """The one file that is wanted, where it is there."""
    is_recorded: bool = False
    """It has a verified copy on record."""
    children: tuple[Child, ...] = ()
    """What lies in the folder that is wanted, where its files were too many to be listed at once."""
    is_refused: bool = False
    """Slack does not take the file."""
    is_damaged: bool = False
    """Its bytes are not those that were verified, or could not be read."""

    @property
    def is_to_be_sent(self) -> bool:
        """Whether its content goes to the asker."""
        if self.file is None or self.is_refused or self.is_damaged:
            return False
        return 0 < self.file.size_bytes <= SENT_AT_MOST_BYTES


def report(
    run: FetchRun, lease: Lease, place: str, files: Iterable[ArchivedFile], held: Mapping[bytes, int]
) -> FetchReport:
    """``held``: sizes by name below the lease's place, of everything that lies there."""
    if run.wanted.startswith(EARLIER):
        return _of_earlier(run, lease, place, held)
    name = archived_as(run.wanted) if run.wanted else b""
    recorded = {archived_as(file.path): file for file in files if _covers(run.wanted, file.path)}
    there = {n: file for n, file in recorded.items() if held.get(n) == file.size_bytes}
    missing = sorted(file.path for n, file in recorded.items() if n not in there)
    here = {n: size for n, size in held.items() if not n.startswith(EARLIER) and _covers(name, n)}
    return FetchReport(
        run=run,
        lease=lease,
        place=place,
        confirmed_files=len(there),
        confirmed_bytes=sum(file.size_bytes for file in there.values()),
        missing=tuple(missing),
        unverified=tuple(Sized(n, here[n]) for n in sorted(here.keys() - recorded.keys())),
        earlier=_versions(name, held),
        file=Sized(name, held[name]) if name in held else None,
        is_recorded=name in there,
        children=folder_of(run.wanted, recorded.values()).children if len(recorded) > BROWSED_AT_MOST else (),
    )


def _of_earlier(run: FetchRun, lease: Lease, place: str, held: Mapping[bytes, int]) -> FetchReport:
    inside = tuple(Sized(n, size) for n, size in sorted(held.items()) if _covers(run.wanted, n))
    file = Sized(run.wanted, held[run.wanted]) if run.wanted in held else None
    return FetchReport(run, lease, place, earlier=() if file is not None else inside, file=file)


def _versions(name: bytes, held: Mapping[bytes, int]) -> tuple[Sized, ...]:
    """``earlier/STAMP/home/…`` of that name, or of what is below it."""
    found = [
        Sized(n, size)
        for n, size in held.items()
        if n.startswith(EARLIER) and _covers(name, n.removeprefix(EARLIER).partition(b"/")[2])
    ]
    return tuple(sorted(found, key=lambda version: version.name, reverse=True))


def _covers(wanted: bytes, path: bytes) -> bool:
    return not wanted or path == wanted or path.startswith(wanted.rstrip(b"/") + b"/")
