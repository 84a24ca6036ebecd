"""The ledger: intervals at a rate, so that a missed tick loses nothing."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from bot.domain.lease import Lease, LeaseState
from bot.domain.money import between_microusd


@dataclass(frozen=True, slots=True)
class Interval:
    """One stretch of billing of one lease; open while ``ended_at`` is None."""

    lease_id: str
    rate_microusd_per_hour: int
    started_at: datetime
    ended_at: datetime | None


def rate_microusd_per_hour(lease: Lease) -> int:
    """What the lease bills in its present state. While unsure, the dearer reading."""
    match lease.state:
        case LeaseState.REQUESTED | LeaseState.FAILED | LeaseState.RELEASED | LeaseState.VANISHED:
            return 0
        case LeaseState.STOPPED:
            return lease.offer.stopped_microusd_per_hour
        case _:
            return lease.offer.price_microusd_per_hour


def total_microusd(intervals: Iterable[Interval], now: datetime) -> int:
    """What the intervals come to until ``now``."""
    return sum(between_microusd(i.rate_microusd_per_hour, i.started_at, min(i.ended_at or now, now)) for i in intervals)
