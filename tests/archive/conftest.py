"""A local machine with a data disk, a way to it, and archives in directories of this machine."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.archive.rclone import RcloneArchive
from bot.domain.instance import Instance, InstanceRef, InstanceState
from bot.domain.inventory.files import FileState, KnownFiles
from bot.domain.inventory.hashes import Answers, HashKind, hash_request, parse_hashes
from bot.domain.inventory.inventory import Inventory
from bot.domain.inventory.parse import parse, parse_listing
from bot.domain.inventory.request import Watch, inventory_request
from bot.domain.secret import Secret
from bot.ports.archive import CopyOrder, Place, Progress, Saved
from bot.ports.remote import Login, Step
from bot.providers.local.boot import marks_of
from bot.providers.local.places import Root
from bot.providers.local.processes import end_all
from bot.providers.local.provider import LocalProvider
from bot.providers.local.state import load_state
from bot.remote.ssh import SshRemote
from tests.providers.local.behind import Behind, offer
from tests.providers.world import Key, fresh_key, in_state, spec

AT = datetime(2026, 1, 2, tzinfo=UTC)
PLACE = Place("U1", "amber-fox-1")


@dataclass
class Machine:
    """A rented machine as gpubot sees it, and the folder behind it."""

    provider: LocalProvider
    ref: InstanceRef
    seen: Instance
    key: Key
    remote: SshRemote
    data: Path
    home: Path
    known: KnownFiles = field(default_factory=KnownFiles)

    @property
    def login(self) -> Login:
        assert self.seen.address is not None
        return Login(self.seen.address, Secret(self.key.path.read_text()))

    def inventory(self, **how: object) -> tuple[Inventory, tuple[FileState, ...]]:
        stdin = inventory_request(Watch.of("work"), self.known, within_s=20, share=(0, 1), **how)  # type: ignore[arg-type]
        text = self.remote.run(self.login, Step.INVENTORY, (), stdin, 30).text
        return parse(text, at=AT), parse_listing(text)

    def hash_files(self, paths: Sequence[bytes], kind: HashKind) -> Answers:
        stdin = hash_request(paths, kind, within_s=20)
        return parse_hashes(self.remote.run(self.login, Step.HASH_FILES, (), stdin, 30).text, paths)

    def order(self, *paths: bytes, **changes: object) -> CopyOrder:
        fields = {"login": self.login, "home": os.fsencode(self.home), "place": PLACE, "paths": paths, "stamp": "1"}
        return CopyOrder(**(fields | changes))  # type: ignore[arg-type]

    def save(self, archive: RcloneArchive, order: CopyOrder, **how: object) -> Saved:
        given = {
            "on_progress": ignore,
            "should_stop": lambda: False,
            "hash_files": self.hash_files,
            "clock": lambda: AT,
        }
        return archive.save(order, **(given | how))  # type: ignore[arg-type]


def ignore(progress: Progress) -> None:
    """Nobody looks."""


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Key:
    return fresh_key(tmp_path_factory.mktemp("key") / "lease_key")


@pytest.fixture(scope="session")
def remote() -> Iterator[SshRemote]:
    remote = SshRemote()
    yield remote
    remote.close()


@pytest.fixture
def machine(tmp_path: Path, key: Key, remote: SshRemote) -> Iterator[Machine]:
    root = tmp_path / "cloud"
    provider = LocalProvider(root, boot_s=0.0, host_gpus=())
    ref = provider.launch(spec(offer(provider, "cpu"), "lease-1", key))
    place = Behind(root).place(ref)
    seen = in_state(provider, ref, InstanceState.RUNNING)
    yield Machine(provider, ref, seen, key, remote, place.data, place.home)
    for found in Root(root).instances.iterdir():
        state = load_state(Root(root).place(found.name).state)
        assert state is not None
        assert end_all(marks_of(Root(root).place(found.name), state))


@pytest.fixture
def there(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.fixture
def archive(there: Path, tmp_path: Path) -> RcloneArchive:
    return RcloneArchive(str(there), tmp_path / "run", os.environ)


@pytest.fixture
def filled(there: Path) -> Callable[[], dict[bytes, bytes]]:
    """What the archive holds, by path below the lease's place."""

    def look() -> dict[bytes, bytes]:
        top = os.fsencode(there / "U1" / "amber-fox-1")
        found = (folder + b"/" + name for folder, _, files in os.walk(top) for name in files)
        return {os.path.relpath(path, top): Path(os.fsdecode(path)).read_bytes() for path in found}

    return look
