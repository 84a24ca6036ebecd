"""The port to what is stored about kept data disks."""

from datetime import datetime
from typing import Protocol

from bot.domain.disk import Disk


class DiskStore(Protocol):
    """Kept disks; saving one marks its question where it was asked."""

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

    def live(self, owner: str | None = None) -> tuple[Disk, ...]:
        """Those that may still exist, by name."""
        ...

    def billed(self, owner: str | None) -> tuple[Disk, ...]:
        """Those that ever cost something by themselves."""
        ...

    def due(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of live ones whose next look is due, longest overdue first."""
        ...
