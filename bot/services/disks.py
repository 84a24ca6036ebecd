"""Disks: kept data disks are listed, and somebody wants one deleted; the answers to that question."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.disk import Disk, DiskState, disk_cost_microusd
from bot.domain.near import near
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.domain.problem import Facts
from bot.domain.views import DiskView
from bot.errors import Refused
from bot.ports.clock import Clock
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake


@dataclass(frozen=True, slots=True)
class Disks:
    """Raises `Refused` with a reason for whatever it does not do."""

    store: Store
    wake: Wake
    clock: Clock
    policy: Policy
    grace_s: float

    def of(self, actor: Actor, name: str | None) -> tuple[DiskView, ...]:
        """The asker's, or one by name."""
        with self.store.read() as tx:
            disks = tx.disks.live(actor.user) if name is None else (_called(tx, name),)
            return tuple(filter(None, (self._view(tx, disk) for disk in disks)))

    def ask(self, actor: Actor, name: str) -> Disk:
        """Somebody wants it deleted: the question is put, once."""
        now = self.clock()
        with self.store.transaction() as tx:
            disk = self._may(tx, actor, _called(tx, name).id)
            if disk.state is not DiskState.KEPT:
                raise Refused("disk-in-use", disk=disk.name, state=disk.state, lease=_lease_name(tx, disk))
            if disk.asked_at is None:
                disk = disk.evolve(asked_by=actor.user, asked_at=now)
                tx.disks.save(disk)
                _note(tx, actor, disk, "disk-delete-asked", now)
        self.wake.wake(Duty.MESSAGE)
        return disk

    def answer(self, actor: Actor, disk_id: str, *, delete: bool) -> None:
        """✅ or ❌; ❌ also takes a ✅ back as long as the vendor was not told."""
        now = self.clock()
        with self.store.transaction() as tx:
            disk = self._may(tx, actor, disk_id)
            if disk.asked_at is None or disk.state is not DiskState.KEPT:
                raise Refused("question-over")
            if delete and disk.answered_at is None:
                tx.disks.save(disk.evolve(answered_by=actor.user, answered_at=now, next_look_at=now))
                _note(tx, actor, disk, "disk-delete-approved", now)
            elif not delete:
                tx.disks.save(disk.unasked())
                _note(tx, actor, disk, "disk-delete-declined", now)
        for duty in (Duty.DISK, Duty.MESSAGE):
            self.wake.wake(duty)

    def _view(self, tx: Tx, disk: Disk) -> DiskView | None:
        lease, now = tx.leases.get(disk.lease_id), self.clock()
        if lease is None:
            return None
        archived = tx.safe.archived(lease.id)
        return DiskView(disk, lease, disk_cost_microusd(disk, now), archived, self.policy, self.grace_s, now)

    def _may(self, tx: Tx, actor: Actor, disk_id: str) -> Disk:
        disk = tx.disks.lock(disk_id)
        if disk is None or not disk.is_live:
            raise Refused("question-over")
        if (denial := denied(self.policy, actor, Action.DESTROY, disk.owner)) is not None:
            raise Refused(denial, owner=disk.owner, name=disk.name, disk=True)
        return disk


def _called(tx: Tx, name: str) -> Disk:
    disk = tx.disks.called(name)
    if disk is None:
        raise Refused("no-such-disk", name=name, near=near(name, (disk.name for disk in tx.disks.live())))
    return disk


def _lease_name(tx: Tx, disk: Disk) -> str:
    lease = tx.leases.get(disk.lease_id)
    return lease.name if lease is not None else ""


def _note(tx: Tx, actor: Actor, disk: Disk, action: str, now: datetime) -> None:
    facts: Facts = {"disk": disk.name, "volume": disk.volume_id}
    tx.audit.add(AuditEntry(now, actor.user, action, disk.lease_id, facts))
