"""Spending: what the ledger's intervals come to in a stretch of time, per lease and person. Rounded once, a lease
at a time, so that the shown sums add up to the cent."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from bot.domain.disk import Disk, disk_cost_microusd
from bot.domain.lease import Lease
from bot.domain.ledger import Interval
from bot.domain.money import MICROUSD_PER_USD, between_microusd, usd


@dataclass(frozen=True, slots=True)
class LeaseCost:
    """What one lease cost, in whole cents."""

    lease: Lease
    cost_microusd: int


@dataclass(frozen=True, slots=True)
class DiskCost:
    """What one kept disk cost by itself, in whole cents."""

    disk: Disk
    cost_microusd: int


@dataclass(frozen=True, slots=True)
class Spending:
    """Costs in ``since``..``until``; None: from the beginning. The dearest first."""

    leases: tuple[LeaseCost, ...]
    since: datetime | None
    until: datetime
    disks: tuple[DiskCost, ...] = ()

    @property
    def total_microusd(self) -> int:
        """Of all."""
        return sum(cost.cost_microusd for cost in self.leases) + sum(cost.cost_microusd for cost in self.disks)

    @property
    def by_person(self) -> Mapping[str, int]:
        """Micro-dollars by user id, the dearest first."""
        sums: dict[str, int] = {}
        for cost in self.leases:
            sums[cost.lease.owner] = sums.get(cost.lease.owner, 0) + cost.cost_microusd
        for disk in self.disks:
            sums[disk.disk.owner] = sums.get(disk.disk.owner, 0) + disk.cost_microusd
        return dict(sorted(sums.items(), key=lambda item: (-item[1], item[0])))


def within_microusd(intervals: Iterable[Interval], since: datetime | None, until: datetime) -> int:
    """What the intervals come to between two moments; one that is still open counts up to ``until``."""
    total = 0
    for interval in intervals:
        start = interval.started_at if since is None else max(interval.started_at, since)
        end = until if interval.ended_at is None else min(interval.ended_at, until)
        total += between_microusd(interval.rate_microusd_per_hour, start, end)
    return total


def spending(
    leases: Iterable[Lease],
    ledger: Mapping[str, tuple[Interval, ...]],
    since: datetime | None,
    until: datetime,
    disks: Iterable[Disk] = (),
) -> Spending:
    """Leases that cost nothing in that time are left out; one that cost less than a cent stays, with none."""
    found = []
    for lease in leases:
        exact = within_microusd(ledger[lease.id], since, until)
        if exact > 0:
            found.append(LeaseCost(lease, _whole_cents(exact)))
    found.sort(key=lambda cost: (-cost.cost_microusd, cost.lease.name, cost.lease.id))
    exact_of = {disk.id: (disk, disk_cost_microusd(disk, until, since)) for disk in disks}
    kept = tuple(DiskCost(disk, _whole_cents(exact)) for disk, exact in exact_of.values() if exact > 0)
    return Spending(tuple(found), since, until, kept)


def _whole_cents(microusd: int) -> int:
    return int(usd(microusd) * Decimal(MICROUSD_PER_USD))
