"""What lies on a kept disk, as far as it is known: nothing can look at a disk that no machine has."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain.disk import Disk
from bot.domain.inventory.files import KnownFiles
from bot.domain.inventory.inventory import Inventory, WhyUnknown, unknown
from bot.domain.inventory.listed import Listed
from bot.domain.inventory.verification import ManifestEntry
from bot.domain.lease import Lease, LeaseState


@dataclass(frozen=True, slots=True)
class OnDisk:
    """One look at a data disk, the last one while the machine of ``lease_id`` had it."""

    lease_id: str
    inventory: Inventory
    """What has no verified copy."""
    files: int = 0
    """All that people put on it, those with a verified copy too."""
    size_bytes: int = 0
    listed: Listed | None = None
    """The files that ``inventory`` counted."""

    @property
    def copied(self) -> tuple[int, int]:
        """Files and bytes with a verified copy."""
        return max(0, self.files - self.inventory.files), max(0, self.size_bytes - self.inventory.size_bytes)


def known_of(disk: Disk, last: OnDisk | None) -> OnDisk:
    """What is known of it now. A look of an earlier machine says nothing: a later one may have written to it."""
    if last is not None and last.lease_id == disk.lease_id:
        return last
    return OnDisk(disk.lease_id, unknown(WhyUnknown.NEVER_LOOKED, disk.since))


def after_machine(disk: Disk, lease: Lease, last: OnDisk | None, now: datetime) -> OnDisk | None:
    """What has to be put on record once the machine that had ``disk`` has ended; None: what is on record holds.

    A last look counts only where the release followed that it was taken for. A lease that never got a machine has
    changed nothing.
    """
    if lease.launched_at is None:
        return None if last is None else replace(last, lease_id=lease.id)
    if lease.state is LeaseState.RELEASED:
        return None
    return OnDisk(disk.lease_id, unknown(WhyUnknown.NEVER_LOOKED, now))


def touched(disk: Disk, now: datetime) -> OnDisk:
    """What is known of it once something that is not ours had it."""
    return OnDisk(disk.lease_id, unknown(WhyUnknown.TOUCHED, now))


@dataclass(frozen=True, slots=True)
class Familiar:
    """What is known of the files on a disk, from all machines that had it."""

    brought: KnownFiles
    """By an image, when the disk was new."""
    copied: KnownFiles
    """Has a verified copy, or was brought."""


def familiar(baselines: Iterable[KnownFiles], manifests: Iterable[Iterable[ManifestEntry]]) -> Familiar:
    """Of the machines' baselines and verified copies. A baseline tells of a disk only where the disk was new then: one
    that was kept is left out of the look at hand-over."""
    brought = KnownFiles().with_keys(b"".join(baseline.keys for baseline in baselines))
    return Familiar(brought, brought.with_states(entry.state for manifest in manifests for entry in manifest))
