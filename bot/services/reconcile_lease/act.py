"""Act: one step in the outside world, one call or two to the vendor and the machine; the answer is a finding."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import structlog

from bot.domain.checklist import Checklist
from bot.domain.health.expected import expected_of
from bot.domain.instance import Instance, InstanceState, LaunchSpec, SshAddress
from bot.domain.inventory.files import KnownFiles
from bot.domain.lease import Lease, LeaseState
from bot.domain.lifecycle.findings import (
    Finding,
    Launched,
    LaunchRefused,
    Looked,
    NothingThere,
    ReleaseCalled,
    SoldOut,
    StartCalled,
    StartSoldOut,
    StopCalled,
    Trouble,
)
from bot.domain.lifecycle.steps import Abandon, Launch, Look, Release, SeeGone, Start, Step, Stop
from bot.errors import (
    BadRequest,
    CredentialsRefused,
    GpubotError,
    NoCapacity,
    NotAllowed,
    QuotaExceeded,
    RateLimited,
    RemoteError,
    StepGarbled,
    Unreachable,
)
from bot.ports.clock import Clock
from bot.ports.examiner import Examiner
from bot.ports.provider import Provider
from bot.ports.remote import Login, Remote
from bot.ports.remote import Step as Script
from bot.ports.surveyor import Surveyor
from bot.ports.vault import Vault

log = structlog.get_logger()
LOGIN_DEADLINE_S: Final = 20.0
_LOGGING_IN: Final = frozenset({LeaseState.BOOTING, LeaseState.CHECKING, LeaseState.UNFIT})


@dataclass(frozen=True, slots=True)
class Act:
    """Takes steps. Never raises what a vendor or a machine did: that is a finding."""

    providers: Mapping[str, Provider]
    remote: Remote
    examiner: Examiner
    surveyor: Surveyor
    vault: Vault
    clock: Clock

    def __call__(self, step: Step, lease: Lease, owner_keys: tuple[str, ...]) -> Finding:
        """Do ``step`` for ``lease``; ``owner_keys`` are the public keys that its owner wants on it."""
        provider = self.providers.get(lease.offer.provider)
        if provider is None:
            return Trouble("no-such-provider", lease.offer.provider)
        try:
            return self._take(step, lease, provider, owner_keys)
        except RateLimited as error:
            return Trouble(error.code, "", error.retry_after_s)
        except GpubotError as error:
            detail = str(getattr(error, "detail", ""))
            log.info("step.failed", lease=lease.id, step=type(step).__name__, code=error.code, detail=detail)
            return Trouble(error.code, detail)

    def _take(self, step: Step, lease: Lease, provider: Provider, owner_keys: tuple[str, ...]) -> Finding:
        match step:
            case Launch():
                return self._launch(lease, provider)
            case Abandon():
                return self._abandon(lease, provider)
            case Release(clearance) if lease.ref is not None:
                outcome = provider.release(lease.ref, clearance)
                if lease.address is not None:
                    self.remote.forget(lease.address)
                return ReleaseCalled(outcome)
            case Stop():
                return self._stop(lease, provider)
            case Start():
                return self._start(lease, provider)
            case Look(log_in):
                return self._look(lease, provider, owner_keys, log_in)
            case SeeGone():
                return self._read(lease, provider)
            case _:
                raise AssertionError(f"{type(step).__name__} is not taken outside")

    def _launch(self, lease: Lease, provider: Provider) -> Finding:
        spec = LaunchSpec(lease.id, lease.name, lease.offer, lease.disk_gib, lease.public_key, lease.disk_id)
        try:
            return Launched(provider.launch(spec))
        except NoCapacity:
            return SoldOut(lease.offer)
        except (QuotaExceeded, CredentialsRefused, NotAllowed, BadRequest) as error:
            log.warning("launch.refused", lease=lease.id, code=error.code)
            return LaunchRefused(error.code, str(getattr(error, "detail", "")))

    def _abandon(self, lease: Lease, provider: Provider) -> Finding:
        """An earlier launch may have come about without our knowing: only a complete listing denies it."""
        listing = provider.list_owned()
        for instance in listing.instances:
            if instance.token == lease.id:
                return Launched(instance.ref)
        return NothingThere() if listing.complete else Trouble("listing-incomplete", "")

    def _read(self, lease: Lease, provider: Provider) -> Looked:
        if lease.ref is None:
            raise AssertionError(f"lease {lease.id} has no instance in state {lease.state}")
        instance = provider.get(lease.ref)
        if instance is not None:
            return Looked(instance)
        listing = provider.list_owned()
        listed = any(other.ref == lease.ref or other.token == lease.id for other in listing.instances)
        return Looked(None, gone_for_sure=listing.complete and not listed)

    def _stop(self, lease: Lease, provider: Provider) -> Finding:
        read = self._read(lease, provider)
        if read.instance is None or read.instance.state not in (InstanceState.RUNNING, InstanceState.PENDING):
            return read
        if lease.address is not None:
            self.remote.forget(lease.address)
        provider.stop(read.instance.ref)
        return StopCalled()

    def _start(self, lease: Lease, provider: Provider) -> Finding:
        read = self._read(lease, provider)
        if read.instance is None or read.instance.state not in (InstanceState.STOPPED, InstanceState.DOWN):
            return read
        try:
            provider.start(read.instance.ref)
        except NoCapacity:
            return StartSoldOut()
        return StartCalled()

    def _look(self, lease: Lease, provider: Provider, owner_keys: tuple[str, ...], log_in: bool) -> Looked:
        read = self._read(lease, provider)
        instance = read.instance
        if instance is None or instance.state is not InstanceState.RUNNING or instance.address is None:
            return read
        keys = (lease.public_key, *owner_keys)
        digest = hashlib.sha256("\n".join(keys).encode()).hexdigest()[:16]
        is_open = lease.state in (LeaseState.READY, LeaseState.CHECKING) or lease.is_fenced
        wants_keys = is_open and digest != lease.keys_applied
        wants_checklist = log_in and lease.state in _LOGGING_IN
        if not (wants_keys or wants_checklist):
            return read
        return self._log_in(lease, instance, provider, keys if wants_keys else (), digest, wants_checklist)

    def _log_in(
        self,
        lease: Lease,
        instance: Instance,
        provider: Provider,
        keys: tuple[str, ...],
        digest: str,
        wants_checklist: bool,
    ) -> Looked:
        address = self._address(lease, instance)
        login = Login(address, self.vault.unseal(lease.sealed_private_key))
        checklist, host_key, baseline = None, "", None
        try:
            if wants_checklist:
                checklist, host_key = self._check(lease, login, instance, provider)
            if checklist is not None and checklist.passed and _is_first_hand_over(lease):
                baseline = self._baseline(lease.noted(address=replace(address, host_key=host_key or address.host_key)))
            if keys:
                lines = "".join(f"{key}\n" for key in keys).encode()
                put = self.remote.run(login, Script.PUT_KEYS, (), lines, LOGIN_DEADLINE_S)
                host_key = put.host_key
                if put.exit_status != 0:
                    raise StepGarbled(put.exit_status, put.text.strip()[:200])
        except RemoteError as error:
            return Looked(instance, login_fault=error.code, login_detail=_detail(error), host_key=host_key)
        put_digest = digest if keys else ""
        return Looked(instance, checklist=checklist, host_key=host_key, keys_digest=put_digest, baseline=baseline)

    def _baseline(self, lease: Lease) -> KnownFiles | None:
        """What the image brought, before a person could bring anything. Without it everything counts as theirs."""
        try:
            return self.surveyor.baseline(lease)
        except GpubotError as error:
            log.warning("baseline.missing", lease=lease.id, code=error.code)
            return None

    def _check(self, lease: Lease, login: Login, instance: Instance, provider: Provider) -> tuple[Checklist, str]:
        """While it boots, whether a login works at all; the whole checklist is a step of its own."""
        if lease.state is LeaseState.BOOTING:
            found = self.examiner.greet(login, self.clock())
        else:
            expected = expected_of(lease.offer, provider.capabilities(), instance.volume_id)
            found = self.examiner.health(login, expected, self.clock())
        return found.checklist, found.host_key

    def _address(self, lease: Lease, instance: Instance) -> SshAddress:
        """The address as the vendor tells it now, with the host key that is on record for this instance."""
        address = instance.address
        if address is None:
            raise AssertionError(f"lease {lease.id} has no address")
        if address.host_key is not None or lease.address is None:
            return address
        return SshAddress(address.host, address.port, address.user, lease.address.host_key)


def _is_first_hand_over(lease: Lease) -> bool:
    return lease.state is LeaseState.CHECKING and lease.handed_over_at is None


def _detail(error: RemoteError) -> str:
    """What is known besides the code; of a session that did not come about, first the stage where it ended."""
    detail = str(getattr(error, "detail", ""))
    return f"{error.stage}: {detail}" if isinstance(error, Unreachable) else detail
