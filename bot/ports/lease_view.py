"""What a lease's card shows, read in one place for cards, lists and homes."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.domain.instance import Capabilities
from bot.domain.lease import Lease
from bot.domain.ledger import Interval, total_microusd
from bot.domain.views import LeaseView
from bot.ports.job_view import read_job_view
from bot.ports.store import Tx


def read_lease_views(
    tx: Tx,
    leases: Sequence[Lease],
    capabilities: Mapping[str, Capabilities],
    now: datetime,
    ledger: Mapping[str, Sequence[Interval]] | None = None,
) -> tuple[LeaseView, ...]:
    """In a few queries, however many leases there are, and some more for each job that runs. ``ledger``: their
    intervals, where they were read already."""
    ids = tuple(lease.id for lease in leases)
    if ledger is None:
        ledger = tx.ledger.of(ids)
    activities = tx.use.of(ids)
    questions, jobs = tx.questions.latest_of(ids), tx.jobs.live_of_each(ids)
    return tuple(
        LeaseView(
            lease,
            total_microusd(ledger[lease.id], now),
            capabilities.get(lease.offer.provider),
            questions.get(lease.id),
            now,
            activities.get(lease.id),
            jobs=tuple(read_job_view(tx, job, lease, now) for job in jobs.get(lease.id, ())),
        )
        for lease in leases
    )
