"""Disks: kept data disks are listed, and somebody wants one deleted: the question about it is put."""

from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.departure import inventory_facts, owner_asked
from bot.domain.disk import Disk, DiskState, disk_cost_microusd
from bot.domain.near import near
from bot.domain.on_disk import OnDisk, known_of
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.domain.problem import Facts
from bot.domain.question import Question, QuestionState
from bot.domain.views import DiskView
from bot.errors import Refused
from bot.ports.clock import Clock, NewId
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake


@dataclass(frozen=True, slots=True)
class Disks:
    """Raises `Refused` with a reason for whatever it does not do."""

    store: Store
    wake: Wake
    clock: Clock
    new_id: NewId
    policy: Policy

    def of(self, actor: Actor, name: str | None) -> tuple[DiskView, ...]:
        """The asker's, or one by name."""
        with self.store.read() as tx:
            disks = tx.disks.live(actor.user) if name is None else (_called(tx, name),)
            return tuple(filter(None, (self._view(tx, disk) for disk in disks)))

    def of_all(self, actor: Actor) -> tuple[DiskView, ...]:
        """The team's, for approvers."""
        if (denial := denied(self.policy, actor, Action.APPROVE_RENT)) is not None:
            raise Refused(denial)
        with self.store.read() as tx:
            return tuple(filter(None, (self._view(tx, disk) for disk in tx.disks.live())))

    def ask(self, actor: Actor, name: str) -> Disk:
        """Somebody wants it deleted: the question is put, once. What it shows is the last look at the disk: nothing
        can be looked at while no machine has it."""
        now = self.clock()
        with self.store.transaction() as tx:
            disk = tx.disks.lock(_called(tx, name).id)
            if disk is None:
                raise Refused("no-such-disk", name=name, near=())
            if (denial := denied(self.policy, actor, Action.ASK_RELEASE, disk.owner)) is not None:
                raise Refused(denial, owner=disk.owner, name=disk.name, disk=True)
            if disk.state is not DiskState.KEPT:
                raise Refused("disk-in-use", disk=disk.name, state=disk.state, lease=_lease_name(tx, disk))
            live = tx.questions.latest_of_disk(disk.id)
            if live is None or not live.is_live:
                self._put(tx, actor, disk, known_of(disk, tx.disks.look(disk.id)), now)
        for duty in (Duty.MESSAGE, Duty.NOTICE, Duty.ANSWER):
            self.wake.wake(duty)
        return disk

    def _put(self, tx: Tx, actor: Actor, disk: Disk, found: OnDisk, now: datetime) -> None:
        inventory = found.inventory
        question = replace(
            Question(self.new_id(), disk.lease_id, actor.user, now, QuestionState.OPEN, disk_id=disk.id),
            fingerprint=inventory.fingerprint,
        )
        tx.questions.add(question)
        tx.looks.show(question.id, inventory)
        if found.listed is not None:
            tx.looks.keep_list(question.id, found.listed)
        facts: Facts = {"disk": disk.name, "volume": disk.volume_id, "question": question.id}
        entry = AuditEntry(now, actor.user, "disk-delete-asked", disk.lease_id, {**facts, **inventory_facts(inventory)})
        tx.audit.add(entry)
        lease = tx.leases.get(disk.lease_id)
        if lease is not None and question.is_of_another(disk.owner):
            tx.outbox.put(owner_asked(lease, question, disk), now)

    def _view(self, tx: Tx, disk: Disk) -> DiskView | None:
        lease, now = tx.leases.get(disk.lease_id), self.clock()
        if lease is None:
            return None
        question = tx.questions.latest_of_disk(disk.id)
        is_asked = question is not None and question.is_live
        return DiskView(disk, lease, disk_cost_microusd(disk, now), is_asked)


def _called(tx: Tx, name: str) -> Disk:
    disk = tx.disks.called(name)
    if disk is None:
        raise Refused("no-such-disk", name=name, near=near(name, (disk.name for disk in tx.disks.live())))
    return disk


def _lease_name(tx: Tx, disk: Disk) -> str:
    lease = tx.leases.get(disk.lease_id)
    return lease.name if lease is not None else ""
