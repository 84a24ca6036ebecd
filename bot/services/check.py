"""Check: somebody wants the health checklist of a machine; a reconciler looks, and the thread tells."""

from dataclasses import dataclass
from typing import Final

from bot.domain.audit import AuditEntry
from bot.domain.check import CheckAsked
from bot.domain.claim import Duty
from bot.domain.lease import Lease, LeaseState
from bot.domain.operating import permitted
from bot.domain.people import Actor
from bot.domain.policy import Policy
from bot.errors import Refused
from bot.ports.clock import Clock, NewId
from bot.ports.store import Store
from bot.ports.wake import Wake

_LOOKED_AT: Final = frozenset({LeaseState.READY, LeaseState.UNFIT})


@dataclass(frozen=True, slots=True)
class Check:
    """Takes the wish. Raises `Refused` with a reason for whatever it does not do."""

    store: Store
    wake: Wake
    clock: Clock
    new_id: NewId
    policy: Policy

    def ask(self, actor: Actor, lease_id: str, delivery: str) -> Lease:
        """Whoever may operate a machine may have it looked at: it computes on it for a moment. While a look is
        under way, a second wish waits for the same one."""
        now = self.clock()
        with self.store.transaction() as tx:
            lease = permitted(self.policy, actor, tx.leases.lock(lease_id))
            if lease.state not in _LOOKED_AT:
                raise Refused("not-now", name=lease.name, state=lease.state, verb="check")
            if tx.inbox.first_time(delivery, now) and not tx.checks.of(lease_id):
                tx.checks.add(CheckAsked(self.new_id(), lease_id, actor.user, now))
                tx.audit.add(AuditEntry(now, actor.user, "check", lease_id))
        self.wake.wake(Duty.CHECK)
        return lease
