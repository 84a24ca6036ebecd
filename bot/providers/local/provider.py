"""The local provider: a small cloud on this machine, behind the same port as the real ones."""

import os
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.domain.disk_release import DiskClearance
from bot.domain.instance import (
    Capabilities,
    DiskListing,
    Instance,
    InstanceRef,
    Keeps,
    KeptDisk,
    LaunchSpec,
    Listing,
    ReleaseOutcome,
)
from bot.domain.offers import Offer
from bot.domain.release import Clearance
from bot.errors import (
    BadRequest,
    CredentialsRefused,
    NotAllowed,
    QuotaExceeded,
    RateLimited,
    VendorTrouble,
)
from bot.ports.clock import Clock
from bot.providers.local.birth import discard_drafts, empty_trash, make_host_key, make_machine
from bot.providers.local.catalogue import CARDS
from bot.providers.local.files import locked, make_private_dir
from bot.providers.local.host_gpu import HostGpu
from bot.providers.local.kept_disks import (
    DISK_MICROUSD_PER_GIB_HOUR,
    data_of,
    discard_disk,
    find_disk,
    kept_disks,
)
from bot.providers.local.machines import Machines
from bot.providers.local.misbehave import Misbehaviour, Switches
from bot.providers.local.places import DATA_MARK, DATA_PATH, Root
from bot.providers.local.shelf import Shelf
from bot.providers.local.state import MachineState, Wanted

_KEY_WORDS: Final = 2


def wall_clock() -> datetime:
    """Now, by this machine's clock, which its own machines go by too."""
    return datetime.now(UTC)  # noqa: TID251 - a default for entry points; everything else hands in its clock


def _new_id() -> str:
    return secrets.token_hex(8)


class LocalProvider:
    """Rents out process trees on this machine. See `bot.ports.provider.Provider` for what each method promises.

    ``root``: the directory that all its state is in; two providers on one root, in one process or in several,
    are one cloud. ``boot_s``: how long machines boot. ``boot_limit_s``: what is promised about that.
    ``cards``: how many GPUs each region has, by GPU key or ``region/key``, over the catalogue's own figures.
    ``python``: the interpreter that ``python3`` is on its machines; None: the system's.
    ``host_gpus``: this machine's real cards; None: look for them at the first `offers`.
    """

    def __init__(
        self,
        root: Path,
        *,
        name: str = "local",
        boot_s: float = 3.0,
        boot_limit_s: float = 60.0,
        cards: Mapping[str, int] | None = None,
        python: Path | None = None,
        host_gpus: tuple[HostGpu, ...] | None = None,
        clock: Clock = wall_clock,
        new_id: Callable[[], str] = _new_id,
    ) -> None:
        self._name, self._boot_s, self._boot_limit_s = name, boot_s, boot_limit_s
        self._clock, self._new_id = clock, new_id
        self._root = Root(Path(os.path.abspath(root)))  # noqa: PTH100 - links in it are kept as they were given
        for folder in (*self._root.folders, self._root.dir / "locks"):
            make_private_dir(folder)
        self._machines = Machines(self._root, name, clock, new_id, python)
        self._shelf = Shelf(name, {**CARDS, **(cards or {})}, host_gpus, self._machines.all)
        self.misbehaviour: Final = Misbehaviour(self._root.dir)
        empty_trash(self._root)

    @property
    def name(self) -> str:
        """The word people use for it."""
        return self._name

    def capabilities(self) -> Capabilities:
        """A stopped machine gives its GPU back; a machine that ended by itself keeps it, and bills on."""
        return Capabilities(
            can_stop=True,
            stop_keeps=Keeps.ALL,
            release_keeps=Keeps.NOTHING,
            gpu_promised_at_start=False,
            shutdown_inside_ends_billing=False,
            boot_limit_s=self._boot_limit_s,
            poll_s=0.25,
            data_path=DATA_PATH,
            data_mark=DATA_MARK,
            simulated=True,
            keeps_disks=True,
            disk_microusd_per_gib_hour=DISK_MICROUSD_PER_GIB_HOUR,
        )

    def offers(self) -> tuple[Offer, ...]:
        """The simulated price list, and the host's own GPUs, which are not simulated."""
        return self._shelf.offers(self._enter())

    def launch(self, spec: LaunchSpec) -> InstanceRef:
        """Make the directory and start the server; an interrupted one is completed by the next call."""
        switches = self._enter()
        with locked(self._root.stock_lock):
            discard_drafts(self._root)
            instance_id = self._launched(spec.token)
            if instance_id is None:
                instance_id = self._make(spec, switches)
        if switches.launch_error:
            raise VendorTrouble("the connection broke before the answer came")
        return InstanceRef(self._name, instance_id)

    def get(self, ref: InstanceRef) -> Instance | None:
        """Reads files, and finishes what a caller that died has begun."""
        self._enter()
        state = self._settled(ref.id) if ref.provider == self._name else None
        return None if state is None else self._machines.seen(state)

    def list_owned(self) -> Listing:
        """Always complete, unless it is told to misbehave."""
        switches = self._enter()
        with locked(self._root.stock_lock):
            discard_drafts(self._root)
            states = self._machines.all()
        settled = (self._machines.settled(state) for state in states)
        found = tuple(self._machines.seen(state) for state in settled if state is not None)
        if switches.list_first is not None:
            return Listing(found[: switches.list_first], complete=False)
        return Listing(found, complete=True)

    def release(self, ref: InstanceRef, clearance: Clearance) -> ReleaseOutcome:
        """Ends all processes and deletes both disks.

        Raises:
            NotAllowed: the clearance is another lease's, or has run out.
        """
        switches = self._enter()
        state = self._settled(ref.id) if ref.provider == self._name else None
        if state is None:
            return ReleaseOutcome.GONE
        if clearance.lease_id != state.token:
            raise NotAllowed("the clearance is for another lease")
        if clearance.expires_at <= self._clock():
            raise NotAllowed("the clearance has run out")
        about_it = switches.for_machine(state.id, state.token)
        if about_it.release_refused == "not-allowed":
            raise NotAllowed("the machine is protected from being released")
        if about_it.release_refused:
            raise VendorTrouble("the release failed")
        is_gone = self._machines.release(state.id, about_it.release_s, keeps_disk=clearance.keeps_disk)
        return ReleaseOutcome.GONE if is_gone else ReleaseOutcome.ACCEPTED

    def disks(self) -> DiskListing:
        """All that were kept; complete unless it is told to misbehave."""
        switches = self._enter()
        with locked(self._root.stock_lock):
            found = kept_disks(self._root, {state.volume_id: state.token for state in self._machines.all()})
        if switches.list_first is not None:
            return DiskListing(found[: switches.list_first], complete=False)
        return DiskListing(found, complete=True)

    def delete_disk(self, disk_id: str, clearance: DiskClearance) -> ReleaseOutcome:
        """Out of sight when this returns; the space follows a little later.

        Raises:
            NotAllowed: it is attached, or the clearance is another disk's or has run out.
        """
        self._enter()
        with locked(self._root.stock_lock):
            if any(state.volume_id == disk_id for state in self._machines.all()):
                raise NotAllowed("the disk is attached to a machine")
            if find_disk(self._root, disk_id) is None:
                return ReleaseOutcome.GONE
            if clearance.disk_id != disk_id or clearance.expires_at <= self._clock():
                raise NotAllowed("the clearance is for another disk, or has run out")
            discard_disk(self._root, disk_id, self._new_id())
        empty_trash(self._root)
        return ReleaseOutcome.GONE

    def end_all(self) -> None:
        """Stop every machine here, whatever the switches say: the end of a trial. Disks are kept."""
        for state in self._machines.all():
            self._machines.stop(state.id)

    def stop(self, ref: InstanceRef) -> None:
        """Ends all processes; both disks are kept. A stopped machine stays as it is."""
        switches = self._enter()
        state = self._existing(ref)
        if switches.for_machine(state.id, state.token).stop_refused:
            raise NotAllowed("the machine is protected from being stopped")
        self._machines.stop(state.id)

    def start(self, ref: InstanceRef) -> None:
        """Boots it again, on another port. A running machine stays as it is; one that ended by itself boots."""
        switches = self._enter()
        with locked(self._root.stock_lock):
            state = self._existing(ref)
            if state.wanted is Wanted.RUNNING:
                if self._machines.is_up(state):
                    return
                cards = state.gpu_cards
            else:
                cards = self._shelf.take(self._shelf.offer(state.region, state.offer_ref, switches))
            about_it = switches.for_machine(state.id, state.token)
            self._machines.boot(state.id, self._boot_delay_s(about_it), cards)

    def _launched(self, token: str) -> str | None:
        """The id of the machine that was launched with the token before, completed if need be."""
        for state in self._machines.all():
            if state.token == token and (settled := self._machines.settled(state)) is not None:
                return settled.id
        return None

    def _make(self, spec: LaunchSpec, switches: Switches) -> str:
        offer = spec.offer
        _check(spec)
        if switches.quota:
            raise QuotaExceeded("the account's limit is reached")
        on_list = self._shelf.offer(offer.region, offer.ref, switches)
        disk = self._disk(spec) if spec.disk_id is not None else None
        if disk is None and not 0 < spec.disk_gib <= on_list.disk_gib:
            raise BadRequest(f"{offer.ref} takes disks of 1 to {on_list.disk_gib} GiB")
        cards = self._shelf.take(on_list)
        instance_id = self._new_id()
        private_host_key, host_key = make_host_key()
        state = MachineState(
            id=instance_id,
            token=spec.token,
            name=spec.name,
            region=offer.region,
            offer_ref=offer.ref,
            gpu=on_list.gpu,
            gpu_count=on_list.gpu_count,
            gpu_memory_gib=on_list.gpu_memory_gib,
            simulated=on_list.simulated,
            disk_gib=spec.disk_gib if disk is None else disk.size_gib,
            volume_id=f"vol-{self._new_id()}" if disk is None else disk.id,
            host_key=host_key,
            wanted=Wanted.RUNNING,
            boot_s=self._boot_delay_s(switches.for_machine(instance_id, spec.token)),
            gpu_cards=cards,
        )
        data = None if disk is None else data_of(self._root, disk.id)
        make_machine(self._root, state, private_host_key, " ".join(spec.public_key.split()), data)
        self._machines.settled(state)
        return instance_id

    def _disk(self, spec: LaunchSpec) -> KeptDisk:
        disk = find_disk(self._root, spec.disk_id or "")
        if disk is None:
            raise NotAllowed(f"there is no disk {spec.disk_id}")
        if disk.region != spec.offer.region:
            raise NotAllowed(f"{disk.id} is in {disk.region}")
        if any(state.volume_id == disk.id for state in self._machines.all()):
            raise NotAllowed(f"{disk.id} is attached to another machine")
        return disk

    def _boot_delay_s(self, switches: Switches) -> float:
        return self._boot_s if switches.boot_s is None else switches.boot_s

    def _settled(self, instance_id: str) -> MachineState | None:
        state = self._machines.record(instance_id)
        return None if state is None else self._machines.settled(state)

    def _existing(self, ref: InstanceRef) -> MachineState:
        state = self._settled(ref.id) if ref.provider == self._name else None
        if state is None:
            raise NotAllowed(f"there is no machine {ref.id}")
        if state.wanted is Wanted.RELEASING:
            raise NotAllowed(f"{ref.id} is being released")
        return state

    def _enter(self) -> Switches:
        """What every call meets first."""
        switches = self.misbehaviour.read()
        if switches.away:
            raise VendorTrouble("no answer")
        if switches.credentials_refused:
            raise CredentialsRefused(self._name)
        if switches.rate_limited_s is not None:
            raise RateLimited(switches.rate_limited_s)
        return switches


def _check(spec: LaunchSpec) -> None:
    if not spec.token:
        raise BadRequest("a launch needs a token")
    words = spec.public_key.split()
    if len(words) < _KEY_WORDS or len(spec.public_key.strip().splitlines()) != 1:
        raise BadRequest("the public key is not an OpenSSH key line")
