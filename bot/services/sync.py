"""Sync: somebody wants what is on a machine copied to the archive and verified; a reconciler does it."""

from dataclasses import dataclass

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.inventory.names import path_of
from bot.domain.inventory.watched import may_answer
from bot.domain.lease import Lease
from bot.domain.operating import permitted
from bot.domain.people import Actor
from bot.domain.policy import Policy
from bot.domain.sync import SyncRun
from bot.errors import Refused
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store
from bot.ports.wake import Wake


@dataclass(frozen=True, slots=True)
class Sync:
    """Takes the wish. Raises `Refused` with a reason for whatever it does not do."""

    store: Store
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    policy: Policy
    has_archive: bool

    def ask(self, actor: Actor, lease_id: str, paths: tuple[str, ...], delivery: str) -> Lease:
        """``paths``: as they were typed; none: everything that is watched. A second wish while one is under way
        points to that."""
        if not self.has_archive:
            raise Refused("no-archive")
        now = self.clock()
        with self.store.transaction() as tx:
            lease = permitted(self.policy, actor, tx.leases.lock(lease_id))
            if not lease.is_handed_over or not may_answer(lease):
                raise Refused("not-now", name=lease.name, state=lease.state, verb="sync")
            if not tx.inbox.first_time(delivery, now):
                return lease
            if tx.syncs.open_of(lease_id):
                raise Refused("sync-under-way", name=lease.name)
            wanted = tuple(path_of(path).decode("utf-8", "surrogateescape") for path in paths)
            tx.syncs.add(SyncRun(self.new_id(), lease_id, actor.user, now, wanted))
            tx.audit.add(AuditEntry(now, actor.user, "sync", lease_id, {"paths": " ".join(wanted)}))
        self.faults.reach(FaultPoint.SYNC_RECORDED)
        self.wake.wake(Duty.SYNC)
        self.wake.wake(Duty.MESSAGE)
        return lease
