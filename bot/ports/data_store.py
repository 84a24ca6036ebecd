"""The port to what is stored about people's data: what is known to be safe, looks at machines, syncs."""

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from bot.domain.inventory.files import KnownFiles
from bot.domain.inventory.inventory import Inventory
from bot.domain.inventory.listed import Listed
from bot.domain.inventory.verification import ManifestEntry
from bot.domain.looks import LastLook, Looks
from bot.domain.notice import Priority
from bot.domain.sync import SyncRun


class SafeStore(Protocol):
    """What needs no copy: what the image brought, and what has a verified one."""

    def keep_baseline(self, lease_id: str, baseline: KnownFiles, at: datetime) -> None:
        """Once a lease: a later one changes nothing."""
        ...

    def baseline(self, lease_id: str) -> KnownFiles:
        """What the image brought."""
        ...

    def known(self, lease_id: str) -> KnownFiles:
        """Baseline and verified copies together."""
        ...

    def manifest(self, lease_id: str) -> tuple[ManifestEntry, ...]:
        """The newest verified copy of each file, in no order."""
        ...

    def archived(self, lease_id: str) -> tuple[int, int]:
        """(files, bytes) with a verified copy."""
        ...

    def verified(self, lease_id: str, entries: Iterable[ManifestEntry]) -> None:
        """These are safe; each replaces an older copy of the same path."""
        ...


class LookStore(Protocol):
    """Inventories, each of one question. They stay for good and are never changed: they say what a yes was to."""

    def show(self, question_id: str, inventory: Inventory) -> None:
        """What a question shows."""
        ...

    def last(self, question_id: str, look: LastLook) -> None:
        """The last look by which it is decided; a later one counts instead, and both stay."""
        ...

    def keep_list(self, question_id: str, listed: Listed) -> None:
        """All the files that a question is about, once."""
        ...

    def listed(self, question_id: str) -> Listed | None: ...

    def of(self, question_id: str) -> Looks:
        """Both, as far as there are any."""
        ...


class SyncStore(Protocol):
    """Syncs. Each has a living message; saving one marks it."""

    def add(self, run: SyncRun) -> None: ...
    def get(self, sync_id: str) -> SyncRun | None: ...
    def save(self, run: SyncRun, priority: Priority) -> None:
        """Write it back; ``priority``: of the edit that shows it."""
        ...

    def due(self, limit: int) -> tuple[str, ...]:
        """Ids of leases with a sync that has not ended, longest asked for first."""
        ...

    def open_of(self, lease_id: str) -> tuple[SyncRun, ...]:
        """A lease's that have not ended, oldest first."""
        ...

    def latest(self, lease_id: str) -> SyncRun | None:
        """The newest of a lease, ended or not."""
        ...
