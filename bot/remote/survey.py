"""Looks at what is on machines by the scripts that ship with gpubot. Implements `bot.ports.surveyor.Surveyor`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Final

import structlog

from bot.domain.instance import Capabilities
from bot.domain.inventory.files import FileState, KnownFiles
from bot.domain.inventory.hashes import Answers, HashKind, hash_request, parse_hashes
from bot.domain.inventory.inventory import Inventory, WhyUnknown, unknown
from bot.domain.inventory.listed import Listed, pack
from bot.domain.inventory.parse import parse, parse_baseline, parse_listing
from bot.domain.inventory.request import Watch, baseline_request, inventory_request, shares
from bot.domain.inventory.watched import may_answer, watch_of, watch_of_disk
from bot.domain.inventory.wishes import WatchedPath, watch_with
from bot.domain.lease import Lease
from bot.domain.on_disk import Familiar, OnDisk
from bot.errors import GpubotError, HostKeyChanged, LoginRefused, StepTimedOut, Unreachable, VaultLocked
from bot.ports.remote import Login, Remote, Step
from bot.ports.vault import Vault

log = structlog.get_logger()
LOOK_WITHIN_S: Final = 100.0
SPARE_S: Final = 20.0
"""For logging in and for the answer's way, on top of what the script is given."""
HASHES_WITHIN_S: Final = 3600.0
DOORS_WITHIN_S: Final = 20.0
_WHY: Final = (
    (Unreachable, WhyUnknown.UNREACHABLE),
    (HostKeyChanged, WhyUnknown.HOST_KEY_CHANGED),
    (LoginRefused, WhyUnknown.LOGIN_REFUSED),
    (VaultLocked, WhyUnknown.LOGIN_REFUSED),
    (StepTimedOut, WhyUnknown.TIMED_OUT),
)


@dataclass(frozen=True, slots=True)
class ScriptSurveyor:
    """``young_s``: a file that was written within so many seconds means that somebody is at work. ``wishes``: what
    people named on a lease's machine; asked at each look, so that what was named a moment ago counts."""

    remote: Remote
    vault: Vault
    capabilities: Mapping[str, Capabilities]
    young_s: float
    wishes: Callable[[str], tuple[WatchedPath, ...]]

    def login(self, lease: Lease) -> Login:
        """See `Surveyor.login`."""
        if lease.address is None:
            raise Unreachable("tcp", "no address")
        return Login(lease.address, self.vault.unseal(lease.sealed_private_key))

    def baseline(self, lease: Lease) -> KnownFiles:
        """See `Surveyor.baseline`."""
        return parse_baseline(self._ask(lease, baseline_request(self._watch(lease), within_s=LOOK_WITHIN_S)))

    def inventory(
        self,
        lease: Lease,
        known: KnownFiles,
        at: datetime,
        jobs: tuple[str, ...] = (),
        again: Inventory | None = None,
    ) -> Inventory:
        """See `Surveyor.inventory`."""
        return self._inventory(lease, self._watch(lease), known, at, jobs, again)

    def on_disk(self, lease: Lease, known: Familiar, at: datetime) -> OnDisk:
        """See `Surveyor.on_disk`. Two looks: at what is not copied, then at all of it, for its size."""
        watch = self._watch_of_disk(lease)
        inventory = self._inventory(lease, watch, known.copied, at)
        if inventory.why_unknown is not None:
            return OnDisk(lease.id, inventory)
        everything = self._inventory(lease, watch, known.brought, at)
        listed = self._listed(lease, watch, known.copied, inventory)
        return OnDisk(lease.id, inventory, everything.files, everything.size_bytes, listed)

    def _inventory(
        self,
        lease: Lease,
        watch: Watch,
        known: KnownFiles,
        at: datetime,
        jobs: tuple[str, ...] = (),
        again: Inventory | None = None,
    ) -> Inventory:
        if not may_answer(lease):
            return unknown(WhyUnknown.NOT_RUNNING, at, jobs)
        request = inventory_request(watch, known, within_s=LOOK_WITHIN_S, again=again, young_s=self.young_s)
        try:
            return parse(self._ask(lease, request), at=at, jobs=jobs)
        except GpubotError as error:
            why = next((why for kind, why in _WHY if isinstance(error, kind)), WhyUnknown.GARBLED)
            log.info("inventory.unknown", lease=lease.id, code=error.code, why=why)
            return unknown(why, at, jobs)

    def listing(self, lease: Lease, known: KnownFiles, share: tuple[int, int]) -> tuple[FileState, ...]:
        """See `Surveyor.listing`."""
        return self._listing(lease, self._watch(lease), known, share)

    def listed(self, lease: Lease, known: KnownFiles, inventory: Inventory) -> Listed | None:
        """See `Surveyor.listed`."""
        return self._listed(lease, self._watch(lease), known, inventory)

    def _listing(self, lease: Lease, watch: Watch, known: KnownFiles, share: tuple[int, int]) -> tuple[FileState, ...]:
        request = inventory_request(watch, known, within_s=LOOK_WITHIN_S, share=share)
        return parse_listing(self._ask(lease, request))

    def _listed(self, lease: Lease, watch: Watch, known: KnownFiles, inventory: Inventory) -> Listed | None:
        if not inventory.told or not inventory.files:
            return None
        count = shares(inventory.files)
        states = chain.from_iterable(self._listing(lease, watch, known, (number, count)) for number in range(count))
        try:
            return pack(states, inventory)
        except GpubotError as error:
            log.info("list.missing", lease=lease.id, code=error.code)
            return None

    def hashes(self, lease: Lease, paths: Sequence[bytes], kind: HashKind) -> Answers:
        """See `Surveyor.hashes`."""
        request = hash_request(paths, kind, within_s=HASHES_WITHIN_S)
        try:
            output = self.remote.run(self.login(lease), Step.HASH_FILES, (), request, HASHES_WITHIN_S + SPARE_S)
        except GpubotError as error:
            log.info("hashes.missing", lease=lease.id, code=error.code)
            return parse_hashes("", paths)
        return parse_hashes(output.text, paths)

    def close_doors(self, lease: Lease) -> bool:
        """See `Surveyor.close_doors`."""
        if not may_answer(lease):
            return False
        key = f"{lease.public_key}\n".encode()
        try:
            put = self.remote.run(self.login(lease), Step.PUT_KEYS, (), key, DOORS_WITHIN_S)
        except GpubotError as error:
            log.info("doors.open", lease=lease.id, code=error.code)
            return False
        return put.exit_status == 0

    def _watch(self, lease: Lease) -> Watch:
        able = self.capabilities.get(lease.offer.provider)
        always = watch_of(able, lease) if able is not None else Watch.of("")
        return watch_with(always, self.wishes(lease.id))

    def _watch_of_disk(self, lease: Lease) -> Watch:
        """The data path; what people say can be had again is left out there too."""
        able = self.capabilities.get(lease.offer.provider)
        alone = watch_of_disk(able) if able is not None else Watch(())
        skipped = watch_with(alone, self.wishes(lease.id)).skip
        return Watch(alone.roots, skipped)

    def _ask(self, lease: Lease, request: bytes) -> str:
        return self.remote.run(self.login(lease), Step.INVENTORY, (), request, LOOK_WITHIN_S + SPARE_S).text
