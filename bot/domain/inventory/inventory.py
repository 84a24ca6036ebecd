"""The inventory: what would be lost if the machine ended now, as far as it could be seen."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Generic, TypeVar

from bot.domain.inventory.files import FileState

T = TypeVar("T")


class Verdict(StrEnum):
    """Whether something would be lost. Unknown is never clean."""

    CLEAN = "clean"
    DIRTY = "dirty"
    UNKNOWN = "unknown"


class WhyUnknown(StrEnum):
    """Why a look cannot be relied on."""

    NOT_RUNNING = "not-running"
    """The machine is stopped or down: its disk cannot be looked at."""
    UNREACHABLE = "unreachable"
    HOST_KEY_CHANGED = "host-key-changed"
    LOGIN_REFUSED = "login-refused"
    TIMED_OUT = "timed-out"
    """It did not end; nothing of it is known."""
    CUT_SHORT = "cut-short"
    """It told a part only; what it told is shown, and is not all."""
    GARBLED = "garbled"
    """What came back is not what the script says."""
    NO_PYTHON = "no-python"
    NEVER_LOOKED = "never-looked"
    """A disk that no look was taken at when its machine ended."""
    TOUCHED = "touched"
    """A disk that was attached to something else since the last look at it."""


class WhyBlind(StrEnum):
    """Why a place could not be looked into."""

    MISSING = "missing"
    """A watched place is not there."""
    UNREADABLE = "unreadable"
    """The login user may not look, and root's eyes were not to be had."""
    MOUNT = "mount"
    """Another disk or share is mounted there; it is entered only when it is watched by name."""
    NOT_A_FOLDER = "not-a-folder"
    """A watched place is something else."""
    LINK = "link"
    """A new link that leads out of what is watched."""


@dataclass(frozen=True, slots=True)
class Some(Generic[T]):
    """The first few of something, and how many there are."""

    count: int = 0
    first: tuple[T, ...] = ()

    @property
    def is_all(self) -> bool:
        return self.count == len(self.first)


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file that a question shows."""

    path: bytes
    size_bytes: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, order=True)
class BlindSpot:
    """A place whose content is not in the inventory; a person may accept it."""

    path: bytes
    why: WhyBlind


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What one rule hides: cache, packages, environment, editor, shell, logins, job-logs, gpubot, skipped."""

    rule: str
    files: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class GitTree:
    """A git tree with unsynced files in it, or one that a rule leaves out."""

    path: bytes
    rule: str
    """Under which its files are left out; empty: they are in the inventory and go to the archive like all others."""
    is_touched: bool
    """Unsynced files lie in it."""
    was_seen: bool
    """Whether git answered; if not, the rest says nothing."""
    uncommitted: int = 0
    unpushed: int = 0
    stashed: int = 0
    has_remote: bool = True

    @property
    def has_local_work(self) -> bool:
        """Whether there is work that no remote has, or may be."""
        return not (self.was_seen and self.has_remote) or bool(self.uncommitted + self.unpushed + self.stashed)


@dataclass(frozen=True, slots=True)
class Inventory:
    """One look. ``files`` and ``size_bytes`` are of what is unsynced: new or changed, and in no verified copy."""

    taken_at: datetime
    why_unknown: WhyUnknown | None = None
    files: int = 0
    size_bytes: int = 0
    young: int = 0
    """Files changed within the last minute, synced or not: somebody is likely at work."""
    newest: tuple[ShownFile, ...] = ()
    biggest: tuple[ShownFile, ...] = ()
    open: Some[bytes] = field(default_factory=Some)
    """Files that are open for writing."""
    git: Some[GitTree] = field(default_factory=Some)
    blind: Some[BlindSpot] = field(default_factory=Some)
    left_out: tuple[LeftOut, ...] = ()
    links: Some[bytes] = field(default_factory=Some)
    """New symbolic links: named, not followed, not copied."""
    special: Some[bytes] = field(default_factory=Some)
    """New sockets, pipes and devices: named, never read."""
    by_root: Some[bytes] = field(default_factory=Some)
    """Folders that only root may list: seen, but not to be copied by the login user."""
    unseen_processes: int = 0
    """Processes of others whose open files could not be seen."""
    jobs: tuple[str, ...] = ()
    """Jobs that run."""
    rest: str = ""
    """Stands for every unsynced file that is not in ``apart``."""
    apart: tuple[FileState, ...] = ()
    """The files that were to be told one by one: those open for writing when it was asked."""
    home: bytes = b""
    """Where the login home really is."""
    told: str = ""
    """The script's closing line: what all of this was read from."""

    @property
    def verdict(self) -> Verdict:
        """Clean only if the look was whole and found nothing at all that could be lost."""
        if self.why_unknown is not None:
            return Verdict.UNKNOWN
        hidden_work = not self.git.is_all or any(tree.rule and tree.has_local_work for tree in self.git.first)
        if self.files or self.open.count or self.blind.count or self.jobs or hidden_work:
            return Verdict.DIRTY
        return Verdict.CLEAN

    @property
    def is_settled(self) -> bool:
        """Nothing was written for a minute: what a release without a person's yes asks for on top of *clean*."""
        return not self.young

    @property
    def fingerprint(self) -> str:
        """Stands for all that would be lost, whatever order it was found in: what a yes is bound to."""
        parts: list[object] = [self.why_unknown and self.why_unknown.value, self.files, self.size_bytes, self.rest]
        parts += sorted((state.path, state.size_bytes, state.mtime_ns, state.inode) for state in self.apart)
        parts += [self.open.count, *sorted(self.open.first), self.blind.count]
        parts += sorted((spot.path, spot.why.value) for spot in self.blind.first)
        parts += [sorted((tree.path, tree.uncommitted, tree.unpushed, tree.stashed) for tree in self.hidden_work)]
        parts += sorted(self.jobs)
        return blake2b(repr(parts).encode("ascii", "backslashreplace"), digest_size=16).hexdigest()

    @property
    def hidden_work(self) -> tuple[GitTree, ...]:
        """Git trees with local work that a rule leaves out: no copy of their files would save it."""
        return tuple(tree for tree in self.git.first if tree.rule and tree.has_local_work)

    def with_jobs(self, jobs: tuple[str, ...]) -> "Inventory":
        """The inventory with the jobs that run."""
        return replace(self, jobs=jobs)


def unknown(why: WhyUnknown, at: datetime, jobs: tuple[str, ...] = ()) -> Inventory:
    """What is known of a machine that could not be looked at: nothing."""
    return Inventory(at, why, jobs=jobs)
