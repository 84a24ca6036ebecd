"""Reconcile a lease: compare what is wanted with what is, and take one step. Load, close, act, apply."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import structlog

from bot.domain.audit import AuditEntry
from bot.domain.claim import Claim, Duty
from bot.domain.departure import US, data_facts, ended_entry
from bot.domain.disk import Disk
from bot.domain.instance import Capabilities
from bot.domain.inventory.compare import Change
from bot.domain.lease import Lease, LeaseState
from bot.domain.ledger import total_microusd
from bot.domain.lifecycle import digest as digests
from bot.domain.lifecycle.findings import Fenced, Finding, Looked
from bot.domain.lifecycle.outcome import Outcome, look_again, reminders
from bot.domain.lifecycle.steps import (
    AskAnew,
    BeginFence,
    BeginRelease,
    BeginStart,
    BeginStop,
    FenceAndLook,
    Release,
    Rest,
    Step,
    next_step,
)
from bot.domain.lifecycle.timing import Timing
from bot.domain.looks import NO_LOOKS, Looks
from bot.domain.notice import Notice, NoticeKind
from bot.domain.on_disk import Familiar, familiar
from bot.domain.problem import Facts
from bot.domain.question import Question, QuestionState
from bot.domain.receipt import receipt_notice, receipt_of
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake
from bot.services.reconcile_lease.act import Act
from bot.services.reconcile_lease.last_look import TakeLastLook

log = structlog.get_logger()
MOST_ENTRIES: Final = 1000
STEPS_IN_A_ROW: Final = 8
"""A lease that has more to do at once than this lets others go first."""
_WITH_COST: Final = frozenset({NoticeKind.RELEASED, NoticeKind.VANISHED})


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a step was taken with."""

    lease: Lease
    keys: tuple[str, ...]

    def is_behind(self, lease: Lease, keys: tuple[str, ...]) -> bool:
        """Whether somebody wanted something else since: only people's wishes change these while a step runs."""
        before = self.lease
        return (lease.want, lease.next_look_at, keys) != (before.want, before.next_look_at, self.keys)


def _keys_of(tx: Tx, lease: Lease) -> tuple[str, ...]:
    return tuple(key.line for key in tx.keys.of(lease.owner))


def _looks_of(tx: Tx, question: Question | None) -> Looks:
    return tx.looks.of(question.id) if question is not None and question.is_live else NO_LOOKS


@dataclass(frozen=True, slots=True)
class ReconcileLease:
    """Reconciler of `Duty.LEASE`; a thing is a lease's id."""

    store: Store
    act: Act
    last_look: TakeLastLook
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    timing: Timing
    capabilities: Mapping[str, Capabilities]
    most_at_once: int = 64
    duty: Duty = Duty.LEASE

    def due(self) -> tuple[str, ...]:
        """Leases whose next look is due and that nobody works on."""
        with self.store.read() as tx:
            return tx.leases.due(self.clock(), self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """Work on one lease until it rests. True: something changed that others may wait for."""
        changed = False
        for _ in range(STEPS_IN_A_ROW):
            went_on, changed_now = self._one(claim)
            changed = changed or changed_now
            if changed_now:
                self.wake.wake(Duty.MESSAGE)
                self.wake.wake(Duty.NOTICE)
            if not went_on:
                break
        return changed

    def _one(self, claim: Claim) -> tuple[bool, bool]:
        """One step: (whether the next one is due at once, whether people see a difference)."""
        with self.store.read() as tx:
            lease, question = tx.leases.get(claim.thing), tx.questions.latest(claim.thing)
            looks = _looks_of(tx, question)
            wanted_keys = _keys_of(tx, lease) if lease else ()
        now = self.clock()
        if lease is None or not lease.is_live or (lease.next_look_at is not None and lease.next_look_at > now):
            return False, False
        timing = self._timing(lease)
        step = next_step(lease, question, now, timing, looks)
        if isinstance(step, Rest | BeginStop | BeginStart | BeginFence | BeginRelease | AskAnew):
            return self._decide_stored(claim, now)
        if isinstance(step, FenceAndLook) and question is not None:
            return self._fence_and_look(claim, lease, question, looks, wanted_keys)
        if isinstance(step, Release):
            # Fencing before what cannot be taken back: a worker that lost the lease must not end its machine.
            with self.store.transaction() as tx:
                tx.claims.check(claim)
        finding = self.act(step, lease, wanted_keys)
        self._reached(_CALLED, step)
        return self._apply(claim, step, finding, _Taken(lease, wanted_keys))

    def _fence_and_look(
        self, claim: Claim, lease: Lease, question: Question, looks: Looks, keys: tuple[str, ...]
    ) -> tuple[bool, bool]:
        with self.store.read() as tx:
            known = tx.safe.known(lease.id)
            disk = tx.disks.of_lease(lease.id) if lease.keeps_disk else None
            on_it = self._familiar(tx, disk) if disk is not None else None
        on_disk = self.last_look.of_disk(lease, on_it, looks.shown) if on_it is not None else None
        look = self.last_look(lease, known, looks.shown)
        self.faults.reach(FaultPoint.RELEASE_LOOKED)
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.looks.last(question.id, look)
            if disk is not None and on_disk is not None:
                tx.disks.looked(disk.id, on_disk, self.clock())
        return self._apply(claim, FenceAndLook(), Fenced(look), _Taken(lease, keys))

    def _familiar(self, tx: Tx, disk: Disk) -> Familiar:
        had_by = {disk.lease_id, *(tx.disks.had_by(disk.volume_id) if disk.volume_id is not None else ())}
        return familiar(map(tx.safe.baseline, had_by), map(tx.safe.manifest, had_by))

    def _decide_stored(self, claim: Claim, now: datetime) -> tuple[bool, bool]:
        """A step that only writes: decided anew inside the transaction, so that no answer is overlooked."""
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            lease, question = tx.leases.lock(claim.thing), tx.questions.latest(claim.thing)
            if lease is None:
                return False, False
            step = next_step(lease, question, now, self._timing(lease), _looks_of(tx, question))
            match step:
                case BeginStop():
                    after = digests.begin_stop(lease, now)
                case BeginStart():
                    after = digests.begin_start(lease, now)
                case BeginFence():
                    after = digests.begin_fence(lease, now)
                case BeginRelease():
                    after = digests.begin_release(lease, now)
                case Rest(until):
                    after = lease.noted(next_look_at=until)
                case AskAnew(changes):
                    after = self._ask_anew(tx, lease, question, changes, now)
                case _:
                    return True, False
            tx.leases.save(after, now)
        if isinstance(step, AskAnew):
            self.wake.wake(Duty.INVENTORY)
        self._reached(_STORED, step)
        return after.next_look_at is None or after.next_look_at <= now, after.version != lease.version

    def _ask_anew(
        self, tx: Tx, lease: Lease, question: Question | None, changes: tuple[Change, ...], now: datetime
    ) -> Lease:
        """The yes does not cover what is there by now, or ran out before the vendor took the release. The machine
        goes on as before, doors and all, and is looked at for the next question."""
        if question is not None and question.is_live:
            tx.questions.save(replace(question, state=QuestionState.SUPERSEDED))
        asked_by = question.asked_by if question else lease.owner
        follows = question.id if question else None
        anew = Question(
            self.new_id(),
            lease.id,
            asked_by,
            now,
            QuestionState.LOOKING,
            follows=follows,
            changes=changes,
            cause=question.cause if question else None,
            after_job=question.after_job if question else None,
            owner_first_until=question.owner_first_until if question else None,
        )
        tx.questions.add(anew)
        facts: Facts = {"question": anew.id, "changes": " ".join(changes)}
        tx.audit.add(AuditEntry(now, US, "asked-anew", lease.id, facts))
        return digests.kept_after_all(lease, now).noted(next_look_at=now)

    def _apply(self, claim: Claim, step: Step, finding: Finding, taken: _Taken) -> tuple[bool, bool]:
        now = self.clock()
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            lease = tx.leases.lock(claim.thing)
            if lease is None:
                return False, False
            outcome = digests.digest(lease, finding, now, self._timing(lease))
            after = outcome.lease
            if taken.is_behind(lease, _keys_of(tx, lease)):
                # A wish that came while the step ran must not wait for the next regular look.
                after = look_again(after, now, 0)
            self._before_storing(lease, after)
            tx.leases.save(after, now)
            if isinstance(finding, Looked) and finding.baseline is not None and not lease.is_handed_over:
                tx.safe.keep_baseline(lease.id, finding.baseline, now)
            for notice in (*outcome.notices, *reminders(after, now, self._timing(after))):
                tx.outbox.put(self._with_cost(tx, notice, now), now)
            if lease.is_live and not after.is_live:
                tx.audit.add(ended_entry(after, tx.questions.latest(after.id), now))
                if after.launched_at is not None:
                    tx.outbox.put(self._receipt(tx, after, now), now)
        self._stored(lease, outcome, step)
        due_now = after.is_live and after.next_look_at is not None and after.next_look_at <= now
        return due_now, after.version != lease.version or bool(outcome.notices)

    def _with_cost(self, tx: Tx, notice: Notice, now: datetime) -> Notice:
        if notice.kind not in _WITH_COST:
            return notice
        spent = total_microusd(tx.ledger.of((notice.lease_id,))[notice.lease_id], now)
        return replace(notice, facts={**notice.facts, "cost_microusd": spent})

    def _receipt(self, tx: Tx, lease: Lease, now: datetime) -> Notice:
        receipt = receipt_of(
            lease,
            tx.ledger.of((lease.id,))[lease.id],
            tx.use.get(lease.id),
            tx.audit.of(lease.id, MOST_ENTRIES),
            self.capabilities.get(lease.offer.provider),
            now,
        )
        question = tx.questions.latest(lease.id)
        data = data_facts(question, _looks_of(tx, question), tx.safe.archived(lease.id), tx.syncs.latest(lease.id))
        return receipt_notice(lease, receipt.facts(data))

    def _before_storing(self, before: Lease, after: Lease) -> None:
        if after.state is LeaseState.READY and before.state is not LeaseState.READY:
            self.faults.reach(FaultPoint.CHECK_PASSED)
        if after.state is LeaseState.RELEASED:
            self.faults.reach(FaultPoint.RELEASE_GONE)

    def _stored(self, before: Lease, outcome: Outcome, step: Step) -> None:
        after = outcome.lease
        if after.state is not before.state:
            if not after.is_live or after.state in _STOCK_CHANGES:
                self.wake.wake(Duty.OFFERS)
            log.info("lease.moved", lease=after.id, name=after.name, was=before.state, now=after.state)
        if after.state is LeaseState.READY and before.state is not LeaseState.READY:
            self.faults.reach(FaultPoint.READY_STORED)
        self._reached(_STORED, step)

    def _reached(self, points: Mapping[str, FaultPoint], step: Step) -> None:
        point = points.get(type(step).__name__)
        if point is not None:
            self.faults.reach(point)

    def _timing(self, lease: Lease) -> Timing:
        able = self.capabilities.get(lease.offer.provider)
        if able is None:
            return self.timing
        return replace(self.timing, poll_s=able.poll_s, boot_limit_s=able.boot_limit_s)


_STOCK_CHANGES: Final = frozenset({LeaseState.LAUNCHING, LeaseState.STOPPED, LeaseState.BOOTING})
"""After these moves the cached price lists are out of date."""
_CALLED: Final[Mapping[str, FaultPoint]] = {
    "Launch": FaultPoint.LAUNCH_CALLED,
    "Stop": FaultPoint.STOP_CALLED,
    "Start": FaultPoint.START_CALLED,
    "Release": FaultPoint.RELEASE_CALLED,
}
_STORED: Final[Mapping[str, FaultPoint]] = {
    "Launch": FaultPoint.LAUNCH_STORED,
    "BeginStop": FaultPoint.STOP_STORED,
    "BeginStart": FaultPoint.START_STORED,
    "Release": FaultPoint.RELEASE_STORED,
}
