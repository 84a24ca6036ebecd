"""Keep disks: follow data disks that outlive their machines, and delete one on a person's yes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.domain.audit import AuditEntry
from bot.domain.claim import Claim, Duty
from bot.domain.departure import US
from bot.domain.disk import Disk, DiskState
from bot.domain.disk_release import ClearDisk, DiskClearance, WaitDisk, decide_disk
from bot.domain.instance import DiskListing
from bot.domain.lease import Lease
from bot.domain.notice import Notice, NoticeKind
from bot.domain.problem import Facts
from bot.errors import ProviderError
from bot.ports.clock import Clock
from bot.ports.faults import FaultPoint, Faults
from bot.ports.provider import Provider
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

log = structlog.get_logger()
SOON: Final = timedelta(seconds=1)
AT_REST: Final = timedelta(minutes=5)
_S = DiskState


@dataclass(frozen=True, slots=True)
class KeepDisks:
    """Reconciler of `Duty.DISK`; a thing is a disk's id. Deleting may be repeated: what is gone is a success."""

    store: Store
    providers: Mapping[str, Provider]
    wake: Wake
    faults: Faults
    clock: Clock
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
        match decide_disk(disk, self.clock(), self.grace):
            case ClearDisk(clearance):
                self._delete(claim, disk, lease, clearance)
            case WaitDisk(until):
                self._apply(claim, disk, lease, disk, until - self.clock())
            case _:
                self._look(claim, disk, lease)
        return False

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
            self._apply(claim, disk, lease, disk.moved(_S.LOST, now), SOON, NoticeKind.DISK_LOST)
        elif found is None or found.token is not None:
            self._apply(claim, disk, lease, disk, SOON)
        elif disk.state is _S.KEPT:
            late = disk.answered_at is not None  # a yes that ran out before it could be carried out
            self._apply(claim, disk, lease, (disk.unasked() if late else disk).evolve(seen_at=now), AT_REST)
        else:
            began = lease.released_at or now
            kept = disk.moved(_S.KEPT, began, seen_at=now, region=found.region, size_gib=found.size_gib)
            self._apply(claim, disk, lease, kept, AT_REST, NoticeKind.DISK_KEPT)

    def _delete(self, claim: Claim, disk: Disk, lease: Lease, clearance: DiskClearance) -> None:
        """Write down that it is being deleted, then tell the vendor, then see that it is gone."""
        if disk.state is not _S.DELETING:
            with self.store.transaction() as tx:
                tx.claims.check(claim)
                now_there = tx.disks.lock(disk.id)
                if now_there is None or now_there.answered_at != disk.answered_at or now_there.state is not disk.state:
                    return  # taken back, or attached meanwhile
                disk = disk.moved(_S.DELETING, self.clock())
                tx.disks.save(disk)
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
        """What a step found, unless people changed the disk meanwhile: then the next step looks anew."""
        now = self.clock()
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            disk = tx.disks.lock(seen.id)
            if disk is None or disk.evolve(next_look_at=None) != seen.evolve(next_look_at=None):
                return
            fault = found.fault if found.fault != seen.fault else None
            tx.disks.save(found.evolve(next_look_at=now + max(wait, timedelta(0)), fault=fault))
            if kind is not None:
                self._tell(tx, lease, found, kind, now)
        if kind is not None:
            log.info("disk.moved", disk=seen.id, was=seen.state, now=found.state)
            for duty in (Duty.NOTICE, Duty.MESSAGE):
                self.wake.wake(duty)

    def _tell(self, tx: Tx, lease: Lease, disk: Disk, kind: NoticeKind, now: datetime) -> None:
        facts: Facts = {
            "disk": disk.name,
            "size_gib": disk.size_gib,
            "rate_microusd_per_hour": disk.rate_microusd_per_hour,
            "by": disk.answered_by,
        }
        occasion = f"disk:{disk.id}:{kind}:{lease.id}"
        tx.outbox.put(Notice(occasion, kind, lease.id, facts=facts), now)
        tx.audit.add(AuditEntry(now, US, kind.value, lease.id, {"disk": disk.name, "volume": disk.volume_id}))
