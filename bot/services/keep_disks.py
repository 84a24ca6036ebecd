"""Keep disks: follow data disks that outlive their machines, and delete one on a person's yes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.domain.audit import AuditEntry
from bot.domain.claim import Claim, Duty
from bot.domain.departure import US
from bot.domain.disk import Disk, DiskState, disk_cost_microusd
from bot.domain.disk_release import ClearDisk, DiskClearance, KeepDisk, VoidDisk, WaitDisk, decide_disk
from bot.domain.instance import DiskListing
from bot.domain.inventory.inventory import WhyUnknown
from bot.domain.lease import Lease
from bot.domain.notice import Notice, NoticeKind
from bot.domain.on_disk import OnDisk, after_machine, known_of, touched
from bot.domain.problem import Facts
from bot.domain.question import Question, QuestionState
from bot.errors import ProviderError
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.provider import Provider
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

log = structlog.get_logger()
SOON: Final = timedelta(seconds=1)
AT_REST: Final = timedelta(minutes=5)
TOUCHED: Final = timedelta(minutes=1)
"""How soon to look again at one that something else has."""
_S = DiskState


@dataclass(frozen=True, slots=True)
class KeepDisks:
    """Reconciler of `Duty.DISK`; a thing is a disk's id. Deleting may be repeated: what is gone is a success."""

    store: Store
    providers: Mapping[str, Provider]
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    grace: timedelta
    most_at_once: int = 16
    duty: Duty = Duty.DISK

    def due(self) -> tuple[str, ...]:
        """Disks whose next look is due."""
        with self.store.read() as tx:
            return tx.disks.due(self.clock(), self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """One step of one disk. Never again at once."""
        with self.store.read() as tx:
            disk = tx.disks.get(claim.thing)
            lease = tx.leases.get(disk.lease_id) if disk is not None else None
        if disk is None or lease is None or not disk.is_live:
            return False
        if disk.state in (_S.LEAVING, _S.ATTACHED) and lease.is_live:
            self._apply(claim, disk, lease, disk.evolve(volume_id=lease.volume_id or disk.volume_id), SOON)
            return False
        match self._decide(disk):
            case ClearDisk(clearance):
                self._delete(claim, disk, lease, clearance)
            case WaitDisk(until):
                self._apply(claim, disk, lease, disk, until - self.clock())
            case VoidDisk():
                self._void(claim, disk)
            case KeepDisk():
                self._look(claim, disk, lease)
        return False

    def _decide(self, disk: Disk) -> ClearDisk | WaitDisk | VoidDisk | KeepDisk:
        with self.store.read() as tx:
            return self._decided(tx, disk)[0]

    def _decided(self, tx: Tx, disk: Disk) -> tuple[ClearDisk | WaitDisk | VoidDisk | KeepDisk, Question | None]:
        question = tx.questions.latest_of_disk(disk.id)
        shown = tx.looks.of(question.id).shown if question is not None and question.is_live else None
        on_disk = known_of(disk, tx.disks.look(disk.id))
        return decide_disk(disk, question, shown, on_disk, self.clock(), self.grace), question

    def _void(self, claim: Claim, disk: Disk) -> None:
        """The question is over. Where a yes ran out it is asked anew, but not of a disk that something else has."""
        now = self.clock()
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            locked = tx.disks.lock(disk.id)
            if locked is None:
                return
            decision, question = self._decided(tx, locked)
            if not isinstance(decision, VoidDisk) or question is None:
                return  # answered otherwise meanwhile
            tx.questions.save(replace(question, state=QuestionState.SUPERSEDED))
            found = known_of(disk, tx.disks.look(disk.id))
            if question.state is QuestionState.YES and found.inventory.why_unknown is not WhyUnknown.TOUCHED:
                self._ask_anew(tx, locked, question, found, now)
            tx.disks.save(locked.evolve(next_look_at=now))
        for duty in (Duty.MESSAGE, Duty.ANSWER):
            self.wake.wake(duty)

    def _ask_anew(self, tx: Tx, disk: Disk, question: Question, found: OnDisk, now: datetime) -> None:
        anew = Question(
            self.new_id(),
            disk.lease_id,
            question.asked_by,
            now,
            fingerprint=found.inventory.fingerprint,
            follows=question.id,
            owner_first_until=question.owner_first_until,
            disk_id=disk.id,
        )
        tx.questions.add(anew)
        tx.looks.show(anew.id, found.inventory)
        if found.listed is not None:
            tx.looks.keep_list(anew.id, found.listed)
        tx.audit.add(AuditEntry(now, US, "asked-anew", disk.lease_id, {"question": anew.id, "disk": disk.name}))

    def _look(self, claim: Claim, disk: Disk, lease: Lease) -> None:
        """Whether it is there, and whether a machine has it still."""
        if disk.volume_id is None:  # no machine ever came about
            self._apply(claim, disk, lease, disk.moved(_S.DELETED, self.clock()), SOON)
            return
        listing = self._listing(claim, disk, lease)
        if listing is None:
            return
        now = self.clock()
        found = next((kept for kept in listing.disks if kept.id == disk.volume_id), None)
        if found is None and listing.complete:
            self._lost(claim, disk, lease)
        elif found is None:
            self._apply(claim, disk, lease, disk, SOON)
        elif found.token is not None:
            self._attached(claim, disk, lease, now)
        elif disk.state is _S.KEPT:
            self._apply(claim, disk, lease, disk.evolve(seen_at=now), AT_REST)
        else:
            began = lease.released_at or now
            kept = disk.moved(_S.KEPT, began, seen_at=now, region=found.region, size_gib=found.size_gib)
            self._apply(claim, disk, lease, kept, AT_REST, NoticeKind.DISK_KEPT)

    def _lost(self, claim: Claim, disk: Disk, lease: Lease) -> None:
        """A complete listing does not have it, and it was not we who deleted it: its meter stops."""
        self._apply(claim, disk, lease, disk.moved(_S.LOST, self.clock()), SOON, NoticeKind.DISK_LOST)

    def _attached(self, claim: Claim, disk: Disk, lease: Lease, now: datetime) -> None:
        """Something has it. Where that is no machine of ours, what is on it is not what was looked at."""
        if disk.state is not _S.KEPT:
            self._apply(claim, disk, lease, disk, SOON)
            return
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            if tx.disks.lock(disk.id) != disk:
                return  # a machine of ours is to have it
            question, known = tx.questions.latest_of_disk(disk.id), known_of(disk, tx.disks.look(disk.id))
            is_asked = question is not None and question.is_live
            if is_asked or known.inventory.why_unknown is not WhyUnknown.TOUCHED:
                log.warning("disk.touched", disk=disk.id)
                tx.disks.looked(disk.id, touched(disk, now), now)
                self._tell(tx, lease, disk, NoticeKind.DISK_TOUCHED, now, f":{now.isoformat()}")
        self.wake.wake(Duty.NOTICE)
        self._apply(claim, disk, lease, disk, SOON if is_asked else TOUCHED)

    def _delete(self, claim: Claim, disk: Disk, lease: Lease, clearance: DiskClearance) -> None:
        """See that nothing has it, write down that it is being deleted, tell the vendor, see that it is gone."""
        if disk.state is not _S.DELETING:
            begun = self._begin(claim, disk, lease)
            if begun is None:
                return
            disk, clearance = begun
        provider = self.providers.get(disk.provider)
        if provider is None or disk.volume_id is None:
            return
        try:
            provider.delete_disk(disk.volume_id, clearance)
        except ProviderError as error:
            log.warning("disk.not-deleted", disk=disk.id, code=error.code)
            self._apply(claim, disk, lease, disk.evolve(fault=error.code), SOON * 10)
            return
        self.faults.reach(FaultPoint.DISK_DELETED)
        listing = self._listing(claim, disk, lease)
        if listing is None:
            return
        is_there = any(kept.id == disk.volume_id for kept in listing.disks)
        if is_there or not listing.complete:
            self._apply(claim, disk, lease, disk, SOON)
            return
        self._apply(claim, disk, lease, disk.moved(_S.DELETED, self.clock()), SOON, NoticeKind.DISK_DELETED)

    def _begin(self, claim: Claim, disk: Disk, lease: Lease) -> tuple[Disk, DiskClearance] | None:
        """Decided anew inside the transaction, so that no answer is overlooked."""
        listing = self._listing(claim, disk, lease)
        if listing is None:
            return None
        there = next((kept for kept in listing.disks if kept.id == disk.volume_id), None)
        if there is not None and there.token is not None:
            self._attached(claim, disk, lease, self.clock())
            return None
        if there is None and listing.complete:
            self._lost(claim, disk, lease)
            return None
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            stored = tx.disks.lock(disk.id)
            decision = self._decided(tx, stored)[0] if stored is not None else KeepDisk()
            if stored is None or stored.state is not disk.state or not isinstance(decision, ClearDisk):
                return None  # taken back, or attached meanwhile
            deleting = stored.moved(_S.DELETING, self.clock())
            tx.disks.save(deleting)
        return deleting, decision.clearance

    def _listing(self, claim: Claim, disk: Disk, lease: Lease) -> DiskListing | None:
        provider = self.providers.get(disk.provider)
        try:
            return provider.disks() if provider is not None else None
        except ProviderError as error:
            self._apply(claim, disk, lease, disk.evolve(fault=error.code), SOON * 10)
            return None

    def _apply(
        self, claim: Claim, seen: Disk, lease: Lease, found: Disk, wait: timedelta, kind: NoticeKind | None = None
    ) -> None:
        """What a step found, unless the disk was changed or somebody answered meanwhile: the next step looks anew."""
        now = self.clock()
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            disk = tx.disks.lock(seen.id)
            if disk is None or disk != seen:
                return
            fault = found.fault if found.fault != seen.fault else None
            tx.disks.save(found.evolve(next_look_at=now + max(wait, timedelta(0)), fault=fault))
            had_machine = disk.state in (_S.LEAVING, _S.ATTACHED) and found.state is _S.KEPT
            if had_machine and (seen_last := after_machine(found, lease, tx.disks.look(disk.id), now)) is not None:
                tx.disks.looked(disk.id, seen_last, now)
            if kind is not None:
                self._tell(tx, lease, found, kind, now)
        if kind is not None:
            log.info("disk.moved", disk=seen.id, was=seen.state, now=found.state)
            for duty in (Duty.NOTICE, Duty.MESSAGE):
                self.wake.wake(duty)

    def _tell(self, tx: Tx, lease: Lease, disk: Disk, kind: NoticeKind, now: datetime, time: str = "") -> None:
        """Once; ``time``: tells apart what may happen to it again."""
        question = tx.questions.latest_of_disk(disk.id)
        facts: Facts = {
            "disk": disk.name,
            "size_gib": disk.size_gib,
            "rate_microusd_per_hour": disk.rate_microusd_per_hour,
            "by": question.answered_by if question is not None else None,
            "owner": disk.owner,
            "cost_microusd": disk_cost_microusd(disk, now),
        }
        occasion = f"disk:{disk.id}:{kind}:{lease.id}{time}"
        tx.outbox.put(Notice(occasion, kind, lease.id, facts=facts), now)
        tx.audit.add(AuditEntry(now, US, kind.value, lease.id, {"disk": disk.name, "volume": disk.volume_id}))
