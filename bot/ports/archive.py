"""The port to the archive: where finished data goes to be safe."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.domain.inventory.hashes import Answers, HashKind
from bot.domain.inventory.verification import FileResult, ManifestEntry
from bot.domain.lease import Lease
from bot.ports.clock import Clock
from bot.ports.remote import Login


@dataclass(frozen=True, slots=True)
class Place:
    """Where one lease's files lie: ``ARCHIVE/owner/name-id``; below it ``home/…``, ``root/…`` and ``earlier/…``."""

    owner: str
    lease: str

    @classmethod
    def of(cls, lease: Lease) -> "Place":
        """A lease's."""
        return cls(lease.owner, f"{lease.name}-{lease.id}")

    @property
    def path(self) -> str:
        """Relative to the archive."""
        return f"{_plain(self.owner)}/{_plain(self.lease)}"

    def below(self, destination: str) -> str:
        """Its whole address: in a destination that is a remote alone, a slash would mean another place."""
        return f"{destination}{'' if destination.endswith(':') else '/'}{self.path}"


@dataclass(frozen=True, slots=True)
class CopyOrder:
    """Copy these files of one machine. What is there already and is the same is not copied again."""

    login: Login
    home: bytes
    """Where the login home really is (`Inventory.home`)."""
    place: Place
    paths: tuple[bytes, ...]
    """As inventories spell them. Regular files only."""
    stamp: str
    """Names this copy: what it replaces goes to ``earlier/STAMP``."""
    bytes_per_s: int | None = None
    """The most it may take of the network; None: all."""


class TroubleKind(StrEnum):
    """Why a copy or a look into the archive ended early."""

    NO_ARCHIVE = "no-archive"
    """None is configured, or rclone is not installed, or does not know the destination's name."""
    DESTINATION_REFUSED = "destination-refused"
    """It does not take files: credentials, permissions, a name that it does not allow."""
    DESTINATION_FULL = "destination-full"
    DESTINATION_AWAY = "destination-away"
    CONNECTION_CUT = "connection-cut"
    """The machine could not be reached, or no longer."""
    HOST_KEY_CHANGED = "host-key-changed"
    LOGIN_REFUSED = "login-refused"
    STOPPED = "stopped"
    """It was told to stop."""
    STALLED = "stalled"
    """Nothing moved for too long."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong as a whole; ``detail`` is in rclone's own words, without secrets."""

    kind: TroubleKind
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a copy is. Totals grow while rclone is still looking."""

    size_bytes: int
    total_bytes: int
    files: int
    total_files: int
    bytes_per_s: float
    eta_s: float | None


@dataclass(frozen=True, slots=True)
class Saved:
    """What a copy came to: the fate of each file that was ordered, whatever happened."""

    results: tuple[FileResult, ...]
    trouble: Trouble | None = None

    @property
    def manifest(self) -> tuple[ManifestEntry, ...]:
        """Those that are safe."""
        return tuple(result.entry for result in self.results if result.entry is not None)


OnProgress = Callable[[Progress], None]
ShouldStop = Callable[[], bool]
HashFiles = Callable[[Sequence[bytes], HashKind], Answers]
"""Hashes of files on the machine, with their states; never raises (no answer is `WhyNot.NOT_REACHED`)."""


class Archive(Protocol):
    """Copies from machines into the archive, and says what it holds. Safe from several threads.

    Nothing here raises for what happens outside: troubles are values, since each file's fate has to be told anyway.
    """

    def save(
        self, order: CopyOrder, hash_files: HashFiles, on_progress: OnProgress, should_stop: ShouldStop, clock: Clock
    ) -> Saved:
        """Copy, then verify each file by a hash of both sides, or by reading back where there is no shared one.

        What changed meanwhile is copied and verified once more. Repeatable at any time: an interrupted copy goes
        on where it was. A process that an earlier call for the same place left running is ended first.
        """
        ...

    def hashes(self, place: Place, paths: Sequence[bytes], should_stop: ShouldStop) -> Mapping[bytes, str] | Trouble:
        """What the archive holds of ``paths``, by path: its hash of `hash_kind`, empty where it tells none."""
        ...

    def held(self, place: Place, should_stop: ShouldStop) -> Mapping[bytes, int] | Trouble:
        """Sizes of all that lies below a place, by name relative to it; empty where there is no such place."""
        ...

    def read(self, place: Place, name: bytes, most_bytes: int, should_stop: ShouldStop) -> bytes | Trouble:
        """The content of one small file below a place, never more than a little over ``most_bytes`` of it."""
        ...

    def hash_kind(self) -> HashKind | Trouble:
        """The hash that destination and machines share; where they share none, what reading back makes."""
        ...

    def end_strays(self, place: Place) -> int:
        """End what a dead process left running for that place; how many that were. Repeatable."""
        ...


def _plain(name: str) -> str:
    """A name as one folder of any destination."""
    kept = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "-" for letter in name)
    return kept or "-"
