"""Cost: what was spent, from the ledger's intervals."""

from dataclasses import dataclass
from datetime import timedelta

from bot.domain.spending import Spending, spending
from bot.errors import Refused
from bot.ports.clock import Clock
from bot.ports.store import Store


@dataclass(frozen=True, slots=True)
class Cost:
    """Answers from what is stored."""

    store: Store
    clock: Clock

    def of(self, owner: str | None, within: timedelta | None) -> Spending:
        """Of one person or of all, in the time until now; ``within`` None: ever."""
        now = self.clock()
        since = None if within is None else now - within
        with self.store.read() as tx:
            leases = tx.leases.billed(since, owner)
            ledger = tx.ledger.of(lease.id for lease in leases)
            disks = tx.disks.billed(owner)
        return spending(leases, ledger, since, now, disks)

    def of_lease(self, lease_id: str, within: timedelta | None) -> Spending:
        """Of one lease, live or not."""
        now = self.clock()
        since = None if within is None else now - within
        with self.store.read() as tx:
            lease = tx.leases.get(lease_id)
            if lease is None:
                raise Refused("no-lease")
            ledger = tx.ledger.of((lease_id,))
        return spending((lease,), ledger, since, now)
