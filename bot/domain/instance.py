"""Instances: the provider's machines, as it reports them, and what it promises about them."""

from dataclasses import dataclass
from enum import StrEnum

from bot.domain.offers import Offer


@dataclass(frozen=True, slots=True)
class InstanceRef:
    """Where an instance is found again: the provider's name and its id there."""

    provider: str
    id: str


class InstanceState(StrEnum):
    """What the vendor says, in our words."""

    PENDING = "pending"
    """Being made or starting; nothing answers yet."""
    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"
    DOWN = "down"
    """It ended by itself; its disks are kept and it may be started again."""
    FAILED = "failed"
    """It will never run; what is left of it has to be released."""
    RELEASING = "releasing"
    UNKNOWN = "unknown"
    """A word we do not know: logged, never guessed."""


@dataclass(frozen=True, slots=True)
class SshAddress:
    """Where and as whom to log in. ``host_key`` is ``type base64``; None where it is not known beforehand."""

    host: str
    port: int
    user: str
    host_key: str | None


@dataclass(frozen=True, slots=True)
class Instance:
    """One read of one instance. ``token`` is the lease id that it was launched with."""

    ref: InstanceRef
    token: str | None
    state: InstanceState
    vendor_state: str
    address: SshAddress | None
    volume_id: str | None = None
    """Identity of its data disk, to be found on the machine in the data path's mark."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """All instances of ours at a vendor; ``complete`` is False where a page failed or may be missing."""

    instances: tuple[Instance, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class LaunchSpec:
    """What to launch. ``token`` is the lease's id: called twice with it, one machine comes about."""

    token: str
    name: str
    offer: Offer
    disk_gib: int
    public_key: str
    """The lease's own key, an OpenSSH ``type base64`` line."""
    disk_id: str | None = None
    """A kept disk that becomes its data disk; None: a new one of ``disk_gib``."""


@dataclass(frozen=True, slots=True)
class KeptDisk:
    """One read of a data disk that outlives machines. ``token``: of the machine that it is attached to."""

    id: str
    region: str
    size_gib: int
    token: str | None


@dataclass(frozen=True, slots=True)
class DiskListing:
    """All kept disks of ours at a vendor; ``complete`` is False where a page failed or may be missing."""

    disks: tuple[KeptDisk, ...]
    complete: bool


class ReleaseOutcome(StrEnum):
    """How far a release has come."""

    ACCEPTED = "accepted"
    """The vendor took it; the instance may still be seen for a while."""
    GONE = "gone"
    """It is not there (any more)."""


class Keeps(StrEnum):
    """Which of a machine's disks outlive an action."""

    ALL = "all"
    DATA = "data"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Typed facts about a provider; cards and questions say them in words."""

    can_stop: bool
    stop_keeps: Keeps
    release_keeps: Keeps
    gpu_promised_at_start: bool
    shutdown_inside_ends_billing: bool
    boot_limit_s: float
    """After this long without SSH a machine counts as unfit."""
    poll_s: float
    """How often a machine in transition is worth a read."""
    data_path: str
    """Where the data disk is, relative to the login user's home or absolute."""
    data_mark: str
    """A file in the data path that holds the volume's id; empty where the mount itself proves it."""
    simulated: bool
    keeps_disks: bool = False
    """Whether a data disk can be kept at a release, and attached to another machine."""
    disk_microusd_per_gib_hour: int = 0
    """What a kept disk costs while no machine has it."""
