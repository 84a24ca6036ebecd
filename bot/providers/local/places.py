"""Where things lie: the provider's root and each machine's directory below it."""

import zlib
from dataclasses import dataclass
from pathlib import Path

LOGIN_USER = "dev"
DATA_PATH = "work"
DATA_MARK = ".gpubot-volume"
_LOCK_COUNT = 64


@dataclass(frozen=True, slots=True)
class Place:
    """One machine's directory. ``system`` is its system disk, ``data`` its data disk."""

    dir: Path

    @property
    def id(self) -> str:
        return self.dir.name

    @property
    def state(self) -> Path:
        return self.dir / "state.json"

    @property
    def server(self) -> Path:
        """Which process serves it: boot, pid, start ticks, the host's boot."""
        return self.dir / "server.json"

    @property
    def server_lock(self) -> Path:
        """Held by the server for its whole life, so that there is never a second one."""
        return self.dir / "server.lock"

    @property
    def ready(self) -> Path:
        """Written by the server once it listens: boot and port."""
        return self.dir / "ready.json"

    @property
    def log(self) -> Path:
        return self.dir / "server.log"

    @property
    def host_key(self) -> Path:
        return self.dir / "host_key"

    @property
    def lease_key(self) -> Path:
        return self.dir / "lease_key.pub"

    @property
    def misbehave(self) -> Path:
        return self.dir.parent.parent / "misbehave.json"

    @property
    def system(self) -> Path:
        return self.dir / "system"

    @property
    def home(self) -> Path:
        return self.system / "home" / LOGIN_USER

    @property
    def tools(self) -> Path:
        """First on the PATH."""
        return self.system / "bin"

    @property
    def tmp(self) -> Path:
        return self.system / "tmp"

    @property
    def boot_id(self) -> Path:
        """The id of the current boot, for programs that were started without the environment."""
        return self.system / "boot-id"

    @property
    def gpu_sample(self) -> Path:
        return self.system / "gpu-sample.json"

    @property
    def data(self) -> Path:
        return self.dir / "data"

    @property
    def no_disk(self) -> Path:
        """What the data path shows while the data disk is missing."""
        return self.system / "no-disk"


@dataclass(frozen=True, slots=True)
class Root:
    """The provider's directory: all that it knows is in here."""

    dir: Path

    @property
    def instances(self) -> Path:
        return self.dir / "instances"

    @property
    def drafts(self) -> Path:
        """Machines being made; moved to ``instances`` when complete."""
        return self.dir / "drafts"

    @property
    def trash(self) -> Path:
        return self.dir / "trash"

    @property
    def disks(self) -> Path:
        """Data disks that outlive their machines, a directory each by the volume's id."""
        return self.dir / "disks"

    @property
    def folders(self) -> tuple[Path, ...]:
        """Those that are always there."""
        return self.instances, self.drafts, self.trash, self.disks

    @property
    def stock_lock(self) -> Path:
        """Held while machines are made or get a GPU. Taken before any machine's lock, never after."""
        return self.dir / "stock.lock"

    def place(self, instance_id: str) -> Place:
        """Where the machine is, whether or not it exists. The id has to be one of ours."""
        return Place(self.instances / instance_id)

    def lock(self, instance_id: str) -> Path:
        """The lock of one machine; outside its directory, which may go. Some machines share one."""
        return self.dir / "locks" / f"{zlib.crc32(instance_id.encode()) % _LOCK_COUNT:02d}"
