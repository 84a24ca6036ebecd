"""What has to be true of a deployment whatever happened to it."""

from collections import Counter
from itertools import pairwise

from bot.domain.lease import Lease, LeaseState
from bot.domain.ledger import Interval, rate_microusd_per_hour
from bot.playground.client_types import Message
from tests.e2e.deployment import Deployment

TRANSITIONAL = frozenset(LeaseState) - {
    LeaseState.READY,
    LeaseState.UNFIT,
    LeaseState.STOPPED,
    LeaseState.RELEASED,
    LeaseState.VANISHED,
    LeaseState.FAILED,
}


def leases(deployment: Deployment) -> list[Lease]:
    """Every lease there ever was, oldest first."""
    with deployment.store.read() as tx:
        ids = [entry.lease_id for entry in tx.audit.of(None, 100_000) if entry.action == "rent"]
        found = [tx.leases.get(lease_id) for lease_id in ids if lease_id is not None]
    return sorted((lease for lease in found if lease is not None), key=lambda lease: lease.requested_at)


def only_lease(deployment: Deployment) -> Lease:
    """The one lease there is."""
    (lease,) = leases(deployment)
    return lease


def assert_sound(deployment: Deployment, channels: tuple[str, ...]) -> None:
    """Machines are those of live leases, one each; the ledger adds up; no message came twice."""
    everyone = leases(deployment)
    tokens = Counter(instance.token for instance in deployment.provider.list_owned().instances)
    with_machine = {lease.id for lease in everyone if lease.is_live and lease.ref is not None}
    assert tokens == Counter(with_machine), (tokens, [(x.id, x.state, x.want) for x in everyone])
    with deployment.store.read() as tx:
        ledger = tx.ledger.of([lease.id for lease in everyone])
    for lease in everyone:
        assert_ledger_sound(lease, ledger[lease.id])
    posted = Counter(key for channel in channels for key in living_messages(deployment, channel))
    assert not [key for key, count in posted.items() if count > 1]
    missing = [(x.id, x.state) for x in everyone if ("lease", x.id) not in posted]
    assert not missing


def assert_ledger_sound(lease: Lease, intervals: tuple[Interval, ...]) -> None:
    """No stretch is billed twice, and what is open is what the lease costs now."""
    for earlier, later in pairwise(intervals):
        assert earlier.ended_at is not None, (lease.id, intervals)
        assert earlier.started_at <= earlier.ended_at <= later.started_at, (lease.id, intervals)
    rate = rate_microusd_per_hour(lease)
    still_open = [interval.rate_microusd_per_hour for interval in intervals if interval.ended_at is None]
    assert still_open == ([rate] if rate else []), (lease.state, intervals)
    if lease.launched_at is not None:
        assert intervals[0].started_at == lease.launched_at


def living_messages(deployment: Deployment, channel: str) -> list[tuple[str, str]]:
    """What each of the bot's living messages in a channel and its threads is about."""
    ana = deployment.person("ana")
    found = []
    for message in ana.sees(channel):
        if message.thread_ts in (None, message.ts):
            found.append(_about(message))
            if message.reply_count:
                found += [_about(reply) for reply in ana.thread(channel, message.ts)[1:]]
    return [key for key in found if key is not None]


def _about(message: Message) -> tuple[str, str] | None:
    payload = (message.metadata or {}).get("event_payload")
    return (payload["subject"], payload["id"]) if payload else None
