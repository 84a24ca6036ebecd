"""A simulated vendor with one machine, and the way to it: behind the ports `Provider`, `Remote` and `Examiner`."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot.domain.checklist import Checklist, Item, Line, Verdict
from bot.domain.disk_release import DiskClearance
from bot.domain.instance import (
    Capabilities,
    DiskListing,
    Instance,
    InstanceRef,
    InstanceState,
    Keeps,
    KeptDisk,
    LaunchSpec,
    Listing,
    ReleaseOutcome,
    SshAddress,
)
from bot.domain.offers import Offer
from bot.domain.release import Clearance
from bot.domain.secret import Secret
from bot.domain.use import Use
from bot.errors import NotAllowed, StepTimedOut, Unreachable, VendorTrouble
from bot.ports.examiner import Examined
from bot.ports.remote import Login, Step, StepOutput
from bot.ports.vault import KeyPair
from tests.soak.files import Disk
from tests.soak.kernel import HOME, Kernel

ABLE: Final = Capabilities(
    *(True, Keeps.ALL, Keeps.NOTHING, False, False, 60, 1, "work", ""), simulated=True, keeps_disks=True
)
OFFER: Final = Offer("cloud", "here-1", "l4x1", "l4", 1, 24, 500, 710_000, 8_000, stock=3, simulated=True)
VOLUME: Final = "vol-1"
ADDRESS: Final = SshAddress("127.0.0.1", 2200, "dev", "ssh-ed25519 AAAA")
HEALTHY: Final = Line(Item.SSH, Verdict.OK, "answered", "dev")


@dataclass
class Troubles:
    """What goes wrong next, and how often."""

    remote: list[str] = field(default_factory=list)
    """For each next step: refused, slow, reply-lost or cut."""
    drags: bool = False
    """Each folder takes a minute, so that looks are cut short."""
    vendor: list[str] = field(default_factory=list)
    """For each next call: away or reply-lost."""
    refuses_release: bool = False
    lists_half: bool = False

    def clear(self) -> None:
        """All is well again."""
        self.remote.clear()
        self.vendor.clear()
        self.refuses_release = self.lists_half = self.drags = False


@dataclass
class Cloud:
    """The vendor's one machine. Implements `Provider`, `Remote` and `Examiner` at once."""

    disk: Disk
    at: Callable[[str], None]
    troubles: Troubles = field(default_factory=Troubles)
    state: InstanceState | None = None
    token: str = ""
    keys: bytes = b""
    name: str = "cloud"
    has_left_a_disk: bool = False

    def __post_init__(self) -> None:
        self.kernel = Kernel(self.disk, self.at)

    # the vendor

    def capabilities(self) -> Capabilities:
        return ABLE

    def offers(self) -> tuple[Offer, ...]:
        return (OFFER,)

    def launch(self, spec: LaunchSpec) -> InstanceRef:
        if self.state is None:
            self.state, self.token = InstanceState.RUNNING, spec.token
        return InstanceRef(self.name, self.token)

    def get(self, ref: InstanceRef) -> Instance | None:
        self._called()
        return self._instance if self.state is not None and ref.id == self.token else None

    def list_owned(self) -> Listing:
        self._called()
        return Listing((self._instance,) if self.state is not None else (), complete=not self.troubles.lists_half)

    def release(self, ref: InstanceRef, clearance: Clearance) -> ReleaseOutcome:
        assert clearance.lease_id == self.token
        if self.troubles.refuses_release:
            raise NotAllowed("not today")
        is_lost = self._called(is_change=True)
        if self.state is not None:
            self.has_left_a_disk = clearance.keeps_disk
            for path in [
                path for path in self.disk.nodes if not (clearance.keeps_disk and path.startswith(b"~/work/"))
            ]:
                self.disk.delete(path)
        self.state = None
        if is_lost:
            raise VendorTrouble("the reply was lost")
        return ReleaseOutcome.ACCEPTED

    def disks(self) -> DiskListing:
        self._called()
        kept = KeptDisk(VOLUME, OFFER.region, 100, None)
        return DiskListing((kept,) if self.has_left_a_disk else (), complete=not self.troubles.lists_half)

    def delete_disk(self, disk_id: str, clearance: DiskClearance) -> ReleaseOutcome:
        assert disk_id == clearance.disk_id == VOLUME
        if self.troubles.refuses_release:
            raise NotAllowed("not today")
        is_lost = self._called(is_change=True)
        self.has_left_a_disk = False
        for path in list(self.disk.nodes):
            self.disk.delete(path)
        if is_lost:
            raise VendorTrouble("the reply was lost")
        return ReleaseOutcome.ACCEPTED

    def stop(self, ref: InstanceRef) -> None:
        self._called(is_change=True)
        self.state = InstanceState.STOPPED
        self.disk.writers.clear()

    def start(self, ref: InstanceRef) -> None:
        self._called(is_change=True)
        self.state = InstanceState.RUNNING

    def _called(self, *, is_change: bool = False) -> bool:
        """Whether the reply is going to be lost."""
        trouble = self.troubles.vendor.pop(0) if self.troubles.vendor else ""
        if trouble == "away":
            raise VendorTrouble("away")
        return trouble == "reply-lost" and is_change

    @property
    def _instance(self) -> Instance:
        assert self.state is not None
        is_up = self.state is InstanceState.RUNNING
        return Instance(
            InstanceRef(self.name, self.token),
            self.token,
            self.state,
            self.state.value,
            ADDRESS if is_up else None,
            VOLUME,
        )

    # the machine

    @property
    def is_up(self) -> bool:
        """It runs."""
        return self.state is InstanceState.RUNNING

    def run(self, login: Login, step: Step, args: tuple[str, ...], stdin: bytes, deadline_s: float) -> StepOutput:
        """See `Remote.run`."""
        self.at("remote.called")
        trouble = self._trouble(step)
        if not self.is_up or trouble == "refused":
            raise Unreachable("tcp", "nobody answers")
        if trouble == "slow":
            raise StepTimedOut(deadline_s)
        if step is Step.PUT_KEYS:
            self.keys = stdin
            text = ""
        else:
            self.kernel.slow_s = 60.0 if self.troubles.drags else 0.0
            text = self.kernel.run(step, stdin)
        self.at("remote.ended")
        if trouble == "reply-lost":
            raise StepTimedOut(deadline_s)
        if trouble == "cut":
            text = text[: len(text) * 2 // 3]
        return StepOutput(text, 0, ADDRESS.host_key or "")

    def _trouble(self, step: Step) -> str:
        """What goes wrong with this step; the doors can be closed unless nobody answers at all."""
        first = self.troubles.remote[0] if self.troubles.remote else ""
        if not first or (step is Step.PUT_KEYS and first != "refused"):
            return ""
        return self.troubles.remote.pop(0)

    def forget(self, address: SshAddress) -> None: ...
    def close(self) -> None: ...

    def greet(self, login: Login, at: datetime) -> Examined:
        if not self.is_up:
            raise Unreachable("tcp", "nobody answers")
        return Examined(Checklist((HEALTHY,), at), ADDRESS.host_key or "")

    def health(self, login: Login, _expected: object, at: datetime) -> Examined:
        return self.greet(login, at)

    def use(self, login: Login, _expected: object) -> Use:
        raise AssertionError

    @property
    def home(self) -> bytes:
        """Where the login home is."""
        return HOME


class OpenVault:
    """Nothing here is secret."""

    def seal(self, secret: Secret) -> str:
        return "sealed"

    def unseal(self, sealed: str) -> Secret:
        return Secret("key")

    def new_key_pair(self) -> KeyPair:
        return KeyPair("ssh-ed25519 BBBB", Secret("key"))
