"""Kept data disks: things of their own, with an owner, a name, a bill, and a question before they are deleted."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import count
from typing import Any

from bot.domain.instance import Capabilities
from bot.domain.lease import Lease
from bot.domain.money import between_microusd
from bot.domain.ordering import RentWish
from bot.errors import Refused


class DiskState(StrEnum):
    """Where a disk is on its way."""

    LEAVING = "leaving"
    """It is to be kept when its machine is released."""
    KEPT = "kept"
    """No machine has it, and it bills."""
    ATTACHED = "attached"
    DELETING = "deleting"
    """A valid yes was past its grace; the vendor was told, or is about to be."""
    DELETED = "deleted"
    LOST = "lost"
    """A complete listing of the vendor's does not have it, and we did not delete it."""


@dataclass(frozen=True, slots=True)
class DiskInterval:
    """One stretch of billing of a disk that no machine had; open while ``ended_at`` is None."""

    rate_microusd_per_hour: int
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Disk:
    """One data disk that outlives machines. ``lease_id``: of the machine that has it, or had it last."""

    id: str
    name: str
    owner: str
    team_id: str
    channel: str
    provider: str
    region: str
    size_gib: int
    rate_microusd_per_hour: int
    lease_id: str
    state: DiskState
    since: datetime
    """When it came into its state."""
    volume_id: str | None = None
    """The vendor's id."""
    intervals: tuple[DiskInterval, ...] = ()
    seen_at: datetime | None = None
    next_look_at: datetime | None = None
    fault: str | None = None
    """Code of the error that the last step met."""

    def evolve(self, **changes: Any) -> "Disk":
        """A copy with ``changes``."""
        return replace(self, **changes)

    @property
    def is_live(self) -> bool:
        """Whether it may still exist, and bill."""
        return self.state not in (DiskState.DELETED, DiskState.LOST)

    @property
    def is_leaving(self) -> bool:
        """Whether its vendor is being told to delete it: nothing can keep it any more."""
        return self.state is DiskState.DELETING

    def moved(self, state: DiskState, at: datetime, **changes: Any) -> "Disk":
        """In another state; the meter runs while it is kept or being deleted, and at no other time."""
        bills = state in (DiskState.KEPT, DiskState.DELETING)
        intervals = self.intervals
        is_running = bool(intervals) and intervals[-1].ended_at is None
        if bills and not is_running:
            intervals = (*intervals, DiskInterval(self.rate_microusd_per_hour, at, None))
        elif is_running and not bills:
            intervals = (*intervals[:-1], replace(intervals[-1], ended_at=at))
        return replace(self, state=state, since=at, intervals=intervals, **changes)


def to_be_kept(disk_id: str, name: str, lease: Lease, able: Capabilities, at: datetime) -> Disk:
    """The data disk of a lease, from the moment on that somebody wants it kept."""
    rate = able.disk_microusd_per_gib_hour * lease.disk_gib
    return Disk(
        id=disk_id,
        name=name,
        owner=lease.owner,
        team_id=lease.team_id,
        channel=lease.channel,
        provider=lease.offer.provider,
        region=lease.offer.region,
        size_gib=lease.disk_gib,
        rate_microusd_per_hour=rate,
        lease_id=lease.id,
        state=DiskState.LEAVING,
        since=at,
        volume_id=lease.volume_id,
        next_look_at=at,
    )


def free_name(wanted: str, taken: Collection[str]) -> str:
    """``wanted``, or with the first number that makes it another's no more."""
    if wanted not in taken:
        return wanted
    return next(name for number in count(2) if (name := f"{wanted[:26]}-{number}") not in taken)


def with_disk(asked: RentWish, disk: Disk) -> RentWish:
    """A wish for a machine where the disk is.

    Raises:
        Refused: ``disk-elsewhere``, where it asks for another provider or region; ``disk-has-size`` where for a size.
    """
    wish = asked.wish
    if wish.disk_gib is not None:
        raise Refused("disk-has-size", disk=disk.name, size_gib=disk.size_gib)
    if wish.provider not in (None, disk.provider) or wish.region not in (None, disk.region):
        raise Refused("disk-elsewhere", disk=disk.name, provider=disk.provider, region=disk.region)
    return replace(asked, wish=replace(wish, provider=disk.provider, region=disk.region, disk_gib=None))


def disk_cost_microusd(disk: Disk, now: datetime, since: datetime | None = None) -> int:
    """What it cost by itself until ``now``, from ``since`` on."""
    total = 0
    for interval in disk.intervals:
        start = interval.started_at if since is None else max(interval.started_at, since)
        total += between_microusd(interval.rate_microusd_per_hour, start, max(start, interval.ended_at or now))
    return total
