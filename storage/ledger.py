"""The ledger's store: an interval per rate, written when leases are saved."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from sqlalchemy import update
from sqlmodel import col, select

from bot.domain.lease import Lease
from bot.domain.ledger import Interval, rate_microusd_per_hour
from storage.mapping import columns_of
from storage.shelf import Query, Shelf, any_of, given
from storage.tables import IntervalRow, LeaseRow

_OF: Final = Query(
    Interval,
    IntervalRow,
    select(IntervalRow).where(col(IntervalRow.lease_id).in_(any_of("leases"))).order_by(col(IntervalRow.id)),
)
_LAST_OF: Final = Query(
    Interval,
    IntervalRow,
    select(IntervalRow)
    .where(col(IntervalRow.lease_id) == given("lease"))
    .order_by(col(IntervalRow.id).desc())
    .limit(1),
)


class SqlLedger(Shelf):
    """Intervals in the database; at most one per lease is open, and none overlap."""

    def of(self, lease_ids: Iterable[str]) -> dict[str, tuple[Interval, ...]]:
        """Intervals per lease, oldest first; every asked id is a key."""
        found: dict[str, list[Interval]] = {lease_id: [] for lease_id in lease_ids}
        for interval in self._found(_OF, leases=list(found)):
            found[interval.lease_id].append(interval)
        return {lease_id: tuple(intervals) for lease_id, intervals in found.items()}

    def of_live(self) -> dict[str, tuple[Interval, ...]]:
        """Intervals of each live lease, oldest first; every such lease is a key."""
        ran = col(IntervalRow.lease_id) == col(LeaseRow.id)
        columns = (col(IntervalRow.rate_microusd_per_hour), col(IntervalRow.started_at), col(IntervalRow.ended_at))
        query = select(col(LeaseRow.id), *columns).join(IntervalRow, ran, isouter=True).where(col(LeaseRow.is_live))
        found: dict[str, list[Interval]] = {}
        for lease_id, rate, started_at, ended_at in self._session.exec(query.order_by(col(IntervalRow.id))).all():
            intervals = found.setdefault(lease_id, [])
            if started_at is not None:
                intervals.append(Interval(lease_id, rate, started_at, ended_at))
        return {lease_id: tuple(intervals) for lease_id, intervals in found.items()}

    def note(self, lease: Lease, at: datetime) -> None:
        """From ``at`` on the lease bills what its present state says."""
        rate = rate_microusd_per_hour(lease)
        last = self._found_first(_LAST_OF, lease=lease.id)
        is_open = last is not None and last.ended_at is None
        if rate == (last.rate_microusd_per_hour if last is not None and is_open else 0):
            return
        if last is not None:
            # a clock that jumped back must not bill a stretch twice
            at = max(at, last.ended_at or last.started_at)
        if is_open:
            self._run(
                update(IntervalRow)
                .where(col(IntervalRow.lease_id) == lease.id, col(IntervalRow.ended_at).is_(None))
                .values(ended_at=at)
            )
        if rate:
            self._store(IntervalRow, columns_of(Interval(lease.id, rate, at, None)))
