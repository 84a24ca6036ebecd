"""The bot's ways to the machine and its vendor, with the judge beside them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.domain.disk_release import DiskClearance
from bot.domain.instance import InstanceRef, ReleaseOutcome
from bot.domain.inventory.files import FileState, KnownFiles
from bot.domain.inventory.hashes import Answers, HashKind
from bot.domain.inventory.inventory import Inventory
from bot.domain.inventory.listed import Listed
from bot.domain.lease import Lease
from bot.domain.on_disk import Familiar, OnDisk
from bot.domain.release import Clearance
from bot.errors import NotAllowed
from bot.ports.provider import Provider
from bot.ports.remote import Login, Remote, Step, StepOutput
from bot.ports.surveyor import Surveyor
from tests.soak.judge import Judge


@dataclass(frozen=True, slots=True)
class WatchedProvider:
    """The bot's provider, with the judge beside it."""

    inner: Provider
    judge: Judge
    lease: Callable[[], Lease]
    now: Callable[[], datetime]

    @property
    def name(self) -> str:
        return self.inner.name

    def release(self, ref: InstanceRef, clearance: Clearance) -> ReleaseOutcome:
        truth, is_gone = self.judge.truth(), True
        try:
            return self.inner.release(ref, clearance)
        except NotAllowed:
            is_gone = False
            raise
        finally:
            if is_gone:
                self.judge.released(self.lease(), truth, self.now(), keeps_disk=clearance.keeps_disk)

    def delete_disk(self, disk_id: str, clearance: DiskClearance) -> ReleaseOutcome:
        truth, is_gone = self.judge.truth(), True
        try:
            return self.inner.delete_disk(disk_id, clearance)
        except NotAllowed:
            is_gone = False
            raise
        finally:
            if is_gone:
                self.judge.disk_deleted(self.lease(), truth, self.now())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass(frozen=True, slots=True)
class WatchedRemote:
    """The bot's way to machines, with the judge beside it: who puts people's keys opens the doors."""

    inner: Remote
    judge: Judge

    def run(self, login: Login, step: Step, args: tuple[str, ...], stdin: bytes, deadline_s: float) -> StepOutput:
        done = self.inner.run(login, step, args, stdin, deadline_s)
        if step is Step.PUT_KEYS and done.exit_status == 0:
            self.judge.is_open = stdin.count(b"\n") > 1
            self.judge.is_fenced = self.judge.is_fenced and not self.judge.is_open
        if step is Step.INVENTORY:
            self.judge.walked()
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass(frozen=True, slots=True)
class WatchedSurveyor:
    """The bot's surveyor, with the judge beside it."""

    inner: Surveyor
    judge: Judge

    def inventory(
        self,
        lease: Lease,
        known: KnownFiles,
        at: datetime,
        jobs: tuple[str, ...] = (),
        again: Inventory | None = None,
    ) -> Inventory:
        before = self.judge.truth()
        told = self.inner.inventory(lease, known, at, jobs, again)
        self.judge.looked(lease, told, before)
        return told

    def close_doors(self, lease: Lease) -> bool:
        is_closed = self.inner.close_doors(lease)
        self.judge.is_fenced = True
        return is_closed

    def login(self, lease: Lease) -> Login:
        return self.inner.login(lease)

    def baseline(self, lease: Lease) -> KnownFiles:
        return self.inner.baseline(lease)

    def listing(self, lease: Lease, known: KnownFiles, share: tuple[int, int]) -> tuple[FileState, ...]:
        return self.inner.listing(lease, known, share)

    def listed(self, lease: Lease, known: KnownFiles, inventory: Inventory) -> Listed | None:
        return self.inner.listed(lease, known, inventory)

    def on_disk(self, lease: Lease, known: Familiar, at: datetime) -> OnDisk:
        before, walks = self.judge.truth(), len(self.judge.walks)
        told = self.inner.on_disk(lease, known, at)
        self.judge.looked_at_disk(lease, told.inventory, before, walks)
        return told

    def hashes(self, lease: Lease, paths: Sequence[bytes], kind: HashKind) -> Answers:
        return self.inner.hashes(lease, paths, kind)
