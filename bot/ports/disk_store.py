"""The port to what is stored about kept data disks."""

from datetime import datetime
from typing import Protocol

from bot.domain.disk import Disk
from bot.domain.on_disk import OnDisk


class DiskStore(Protocol):
    """Kept disks; saving one marks its latest question where that shows something else then. Looks stay for good."""

    def add(self, disk: Disk) -> None: ...
    def get(self, disk_id: str) -> Disk | None: ...
    def lock(self, disk_id: str) -> Disk | None: ...
    def save(self, disk: Disk) -> None: ...
    def called(self, name: str) -> Disk | None:
        """The live one of that name."""
        ...

    def of_lease(self, lease_id: str) -> Disk | None:
        """The live one that a lease's machine has, is to leave, or had last."""
        ...

    def look(self, disk_id: str) -> OnDisk | None:
        """The latest look at it."""
        ...

    def looked(self, disk_id: str, found: OnDisk, at: datetime) -> None:
        """One more look; the latest counts, and all stay."""
        ...

    def look_now(self, disk_id: str, now: datetime) -> None:
        """Make it due."""
        ...

    def had_by(self, volume_id: str) -> tuple[str, ...]:
        """Ids of all leases whose machines had it."""
        ...

    def live(self, owner: str | None = None) -> tuple[Disk, ...]:
        """Those that may still exist, by name."""
        ...

    def billed(self, owner: str | None) -> tuple[Disk, ...]:
        """Those that ever cost something by themselves."""
        ...

    def due(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of live ones whose next look is due, longest overdue first."""
        ...
