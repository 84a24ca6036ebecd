"""Keep quiet: no idle reminders about a machine for a while. The meter and the lease's end stay as they are."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.lifecycle.digest import kept_after_all
from bot.domain.living import Subject
from bot.domain.notice import Notice, NoticeKind, Priority
from bot.domain.operating import permitted
from bot.domain.people import Actor
from bot.domain.policy import Policy
from bot.domain.problem import Facts
from bot.domain.question import Cause, QuestionState
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.ports.wake import Wake


@dataclass(frozen=True, slots=True)
class Quiet:
    """A machine that somebody keeps, and until when nobody is reminded of it."""

    lease: Lease
    until: datetime


@dataclass(frozen=True, slots=True)
class KeepQuiet:
    """Takes the wish. Raises `Refused` with a reason for whatever it does not do."""

    store: Store
    wake: Wake
    clock: Clock
    policy: Policy

    def __call__(self, actor: Actor, lease_id: str, for_s: int, delivery: str, until: datetime | None = None) -> Quiet:
        """Counted from now, unless an end was named (``until``); a later word replaces an earlier one."""
        now = self.clock()
        until = until or now + timedelta(seconds=for_s)
        with self.store.transaction() as tx:
            lease = permitted(self.policy, actor, tx.leases.lock(lease_id))
            if tx.inbox.first_time(delivery, now):
                tx.use.keep_quiet(lease_id, until)
                question = tx.questions.latest(lease_id)
                if question is not None and question.cause is Cause.IDLE and question.is_the_clocks:
                    tx.questions.save(question.answered(QuestionState.NO, actor.user, now))
                    if lease.want is Want.RELEASED and lease.state is not LeaseState.RELEASING:
                        tx.leases.save(kept_after_all(lease, now).noted(next_look_at=now), now)
                tx.living.touch(Subject.LEASE, lease_id, Priority.STATE)
                facts: Facts = {"by": actor.user, "until": int(until.timestamp())}
                tx.outbox.put(Notice(f"quiet:{delivery}", NoticeKind.KEPT_QUIET, lease_id, facts=facts), now)
                tx.audit.add(AuditEntry(now, actor.user, "keep", lease_id, {"for_s": for_s}))
        self.wake.wake(Duty.NOTICE)
        self.wake.wake(Duty.MESSAGE)
        return Quiet(lease, until)
