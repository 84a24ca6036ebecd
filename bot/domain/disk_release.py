"""The decision to delete a kept disk. Only here a `DiskClearance` comes into being; nothing deletes a disk without."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.domain.disk import Disk, DiskState

CLEARANCE_LIFE: Final = timedelta(minutes=15)
_DISK_MINT: Final = object()


class DiskClearance:
    """Leave to delete one kept disk, by the vendor's id. Made by `decide_disk` alone, from a person's yes."""

    __slots__ = ("by", "disk_id", "expires_at")

    def __init__(self, mint: object, disk_id: str, by: str, expires_at: datetime) -> None:
        if mint is not _DISK_MINT:
            raise TypeError("a clearance is made by bot.domain.disk_release.decide_disk alone")
        self.disk_id: Final = disk_id
        self.by: Final = by
        self.expires_at: Final = expires_at


@dataclass(frozen=True, slots=True)
class ClearDisk:
    """It may be deleted now."""

    clearance: DiskClearance


@dataclass(frozen=True, slots=True)
class WaitDisk:
    """A valid yes is in its grace."""

    until: datetime


@dataclass(frozen=True, slots=True)
class KeepDisk:
    """There is no valid yes."""


def decide_disk(disk: Disk, now: datetime, grace: timedelta) -> ClearDisk | WaitDisk | KeepDisk:
    """May ``disk`` be deleted at ``now``? Only on a yes past its grace, while no machine has it. A deletion that was
    begun within the yes's life goes on: the vendor may have taken it."""
    is_begun = disk.state is DiskState.DELETING
    if disk.volume_id is None or disk.answered_at is None or disk.answered_by is None:
        return KeepDisk()
    if disk.state is not DiskState.KEPT and not is_begun:
        return KeepDisk()
    ripe_at = disk.answered_at + grace
    if now < ripe_at:
        return WaitDisk(ripe_at)
    expires_at = ripe_at + CLEARANCE_LIFE
    if now >= expires_at and not is_begun:
        return KeepDisk()
    return ClearDisk(DiskClearance(_DISK_MINT, disk.volume_id, disk.answered_by, max(expires_at, now + CLEARANCE_LIFE)))
