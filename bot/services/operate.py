"""Operate: stop, start, extend, keep an unfit machine. Each writes what is wanted; the reconciler brings it about."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.instance import Capabilities
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.lifecycle.digest import kept_after_all
from bot.domain.notice import Notice, NoticeKind
from bot.domain.offers import quote_microusd
from bot.domain.operating import may_operate
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.domain.problem import Facts
from bot.domain.question import QuestionState
from bot.errors import Refused
from bot.ports.clock import Clock
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

_S = LeaseState


@dataclass(frozen=True, slots=True)
class Extended:
    """A longer lease: its end and what the added time costs."""

    lease: Lease
    added_microusd: int


@dataclass(frozen=True, slots=True)
class Operate:
    """Changes that lose nothing. Raises `Refused` with a reason for whatever it does not do."""

    store: Store
    wake: Wake
    faults: Faults
    clock: Clock
    policy: Policy
    capabilities: Mapping[str, Capabilities]

    def stop(self, actor: Actor, lease_id: str) -> Lease:
        """Halt the machine and keep its disks."""
        now = self.clock()
        with self.store.transaction() as tx:
            lease = self._may(tx, actor, lease_id)
            able = self.capabilities.get(lease.offer.provider)
            if able is None or not able.can_stop:
                raise Refused("cannot-stop", provider=lease.offer.provider, name=lease.name)
            if lease.state is _S.STOPPED or lease.want is Want.STOPPED:
                raise Refused("stopped-already", name=lease.name, state=lease.state)
            if lease.state not in (_S.READY, _S.UNFIT):
                raise Refused("not-now", name=lease.name, state=lease.state, verb="stop")
            lease = self._want(tx, actor, lease, Want.STOPPED, "stop", now)
        self.faults.reach(FaultPoint.STOP_RECORDED)
        self._awake()
        return lease

    def start(self, actor: Actor, lease_id: str) -> Lease:
        """Boot a stopped machine again."""
        now = self.clock()
        with self.store.transaction() as tx:
            lease = self._may(tx, actor, lease_id)
            if lease.state not in (_S.STOPPED, _S.STOPPING):
                raise Refused("not-now", name=lease.name, state=lease.state, verb="start")
            lease = self._want(tx, actor, lease, Want.RUNNING, "start", now)
        self.faults.reach(FaultPoint.START_RECORDED)
        self._awake()
        return lease

    def extend(self, actor: Actor, lease_id: str, by_s: int, delivery: str) -> Extended:
        """Put the lease's end ``by_s`` seconds later; an end that has passed counts from now."""
        now = self.clock()
        with self.store.transaction() as tx:
            lease = self._taken_back(tx, actor, lease_id, now)
            if not tx.inbox.first_time(delivery, now):
                return Extended(lease, 0)
            length_s = lease.length_s + by_s
            policy = self.policy
            if length_s > policy.longest_lease_s:
                raise Refused("lease-too-long", longest_s=policy.longest_lease_s)
            added = quote_microusd(lease.offer, by_s)
            whole = lease.quote_microusd + added
            if whole > policy.approval_limit_microusd and denied(policy, actor, Action.APPROVE_RENT):
                raise Refused(
                    "extend-needs-approver",
                    whole_microusd=whole,
                    limit_microusd=policy.approval_limit_microusd,
                )
            ends_at = max(lease.ends_at, now) + timedelta(seconds=by_s) if lease.ends_at else None
            lease = lease.evolve(length_s=length_s, quote_microusd=whole, ends_at=ends_at)
            tx.leases.save(lease, now)
            facts: Facts = {"by_s": by_s, "added_microusd": added, "by": actor.user}
            tx.outbox.put(Notice(f"extended:{delivery}", NoticeKind.EXTENDED, lease.id, facts=facts), now)
            tx.audit.add(AuditEntry(now, actor.user, "extend", lease.id, facts))
        self._awake()
        return Extended(lease, added)

    def keep_anyway(self, actor: Actor, lease_id: str) -> Lease:
        """Take an unfit machine as it is. From here on somebody's data may be on it."""
        now = self.clock()
        with self.store.transaction() as tx:
            lease = self._may(tx, actor, lease_id)
            if lease.state is not _S.UNFIT or lease.want is Want.RELEASED:
                raise Refused("not-now", name=lease.name, state=lease.state, verb="keep")
            handed_over_at = lease.handed_over_at or now
            lease = lease.moved(_S.READY, now, handed_over_at=handed_over_at, next_look_at=now)
            tx.leases.save(lease, now)
            notice = Notice(
                f"kept:{lease.id}:{now.isoformat()}",
                NoticeKind.KEPT_ANYWAY,
                lease.id,
                facts={"by": actor.user},
            )
            tx.outbox.put(notice, now)
            tx.audit.add(AuditEntry(now, actor.user, "keep-anyway", lease.id))
        self._awake()
        return lease

    def _taken_back(self, tx: Tx, actor: Actor, lease_id: str, now: datetime) -> Lease:
        """The lease without the wish of a clock: who extends it answers the clock's question with a no."""
        lease, question = tx.leases.lock(lease_id), tx.questions.latest(lease_id)
        if lease is None or question is None or not question.is_the_clocks or lease.state is _S.RELEASING:
            return may_operate(self.policy, actor, lease)
        if lease.want is Want.RELEASED and lease.release_accepted_at is None:
            lease = kept_after_all(lease, now).noted(next_look_at=now)
        may_operate(self.policy, actor, lease)
        tx.questions.save(question.answered(QuestionState.NO, actor.user, now))
        return lease

    def _may(self, tx: Tx, actor: Actor, lease_id: str) -> Lease:
        return may_operate(self.policy, actor, tx.leases.lock(lease_id))

    def _want(self, tx: Tx, actor: Actor, lease: Lease, want: Want, action: str, now: datetime) -> Lease:
        lease = lease.evolve(want=want, next_look_at=now, problem=None)
        tx.leases.save(lease, now)
        tx.audit.add(AuditEntry(now, actor.user, action, lease.id))
        return lease

    def _awake(self) -> None:
        self.wake.wake(Duty.LEASE)
        self.wake.wake(Duty.MESSAGE)
