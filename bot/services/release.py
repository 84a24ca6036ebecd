"""Release: a wish to end a machine; what was never handed over goes at once, of all else a question is prepared."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.departure import ReleaseAnswer
from bot.domain.disk import free_name, to_be_kept
from bot.domain.instance import Capabilities
from bot.domain.lease import Lease, Want
from bot.domain.operating import of_a_live_one
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.domain.question import Question, QuestionState
from bot.errors import Refused
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

_Q = QuestionState


@dataclass(frozen=True, slots=True)
class Release:
    """Takes wishes to release. Raises `Refused` with a reason for whatever it does not do."""

    store: Store
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    policy: Policy
    capabilities: Mapping[str, Capabilities]

    def ask(self, actor: Actor, lease_id: str, *, keep_disk: bool = False) -> ReleaseAnswer:
        """Somebody wants the machine gone. At most one question is live; a second wish points to it, unless it is the
        first that wants the data disk kept: then it is asked anew, about what would be lost all the same."""
        now = self.clock()
        with self.store.transaction() as tx:
            lease = self._may(tx, actor, lease_id, Action.ASK_RELEASE)
            if lease.is_leaving:
                return ReleaseAnswer.ALREADY_LEAVING
            if keep_disk and not lease.keeps_disk:
                lease = self._keep_disk(tx, actor, lease, now)
            if not lease.is_handed_over:
                answer = self._cancel(tx, actor, self._may(tx, actor, lease_id), now)
            else:
                answer = self._question(tx, actor, lease, now)
        self.faults.reach(FaultPoint.RELEASE_ASKED)
        self._awake()
        return answer

    def _may(self, tx: Tx, actor: Actor, lease_id: str, action: Action = Action.DESTROY) -> Lease:
        lease = of_a_live_one(tx.leases.lock(lease_id))
        if (denial := denied(self.policy, actor, action, lease.owner)) is not None:
            raise Refused(denial, owner=lease.owner, name=lease.name, destroys=True)
        return lease

    def _keep_disk(self, tx: Tx, actor: Actor, lease: Lease, now: datetime) -> Lease:
        able = self.capabilities.get(lease.offer.provider)
        if able is None or not able.keeps_disks:
            raise Refused("cannot-keep-disk", provider=lease.offer.provider, name=lease.name)
        if not lease.is_handed_over:
            raise Refused("not-now", name=lease.name, state=lease.state, verb="keep")
        name = free_name(lease.name, {disk.name for disk in tx.disks.live()})
        tx.disks.add(to_be_kept(self.new_id(), name, lease, able, now))
        lease = lease.evolve(keep_disk_as=name)
        tx.leases.save(lease, now)
        tx.audit.add(AuditEntry(now, actor.user, "disk-keep", lease.id, {"disk": name}))
        live = tx.questions.latest(lease.id)
        if live is not None and live.state in (_Q.LOOKING, _Q.OPEN):
            tx.questions.save(replace(live, state=_Q.SUPERSEDED))
        return lease

    def _cancel(self, tx: Tx, actor: Actor, lease: Lease, now: datetime) -> ReleaseAnswer:
        if lease.want is Want.RELEASED:
            return ReleaseAnswer.ALREADY_LEAVING
        tx.leases.save(lease.evolve(want=Want.RELEASED, next_look_at=now, problem=None), now)
        tx.audit.add(AuditEntry(now, actor.user, "cancel", lease.id))
        return ReleaseAnswer.GOING

    def _question(self, tx: Tx, actor: Actor, lease: Lease, now: datetime) -> ReleaseAnswer:
        live = tx.questions.latest(lease.id)
        match live.state if live is not None else _Q.NO:
            case _Q.LOOKING:
                return ReleaseAnswer.ALREADY_LOOKING
            case _Q.OPEN | _Q.SAVING:
                return ReleaseAnswer.ALREADY_ASKED
            case _Q.YES | _Q.CLEAN if lease.want is Want.RELEASED:
                return ReleaseAnswer.ALREADY_LEAVING
        tx.questions.add(Question(self.new_id(), lease.id, actor.user, now, _Q.LOOKING))
        tx.leases.save(lease.evolve(), now)
        tx.audit.add(AuditEntry(now, actor.user, "release-asked", lease.id))
        return ReleaseAnswer.LOOKING

    def _awake(self) -> None:
        for duty in (Duty.LEASE, Duty.DISK, Duty.INVENTORY, Duty.MESSAGE, Duty.ANSWER):
            self.wake.wake(duty)
