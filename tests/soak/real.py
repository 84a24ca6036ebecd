"""The real stage: a local instance, SSH to it, rclone into a folder. The bot's clock runs ahead of the computer's."""

import os
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Any, Final

from bot.archive.rclone import RcloneArchive
from bot.domain.checklist import Checklist
from bot.domain.instance import InstanceState
from bot.domain.inventory.files import archived_as
from bot.domain.keys import PublicKey
from bot.domain.lease import Lease, LeaseState
from bot.domain.secret import Secret
from bot.errors import StepTimedOut, Unreachable
from bot.ports.examiner import Examined
from bot.ports.remote import Login, Remote, Step, StepOutput
from bot.ports.surveyor import Surveyor
from bot.ports.vault import KeyPair
from bot.providers.local.places import Root
from bot.providers.local.provider import LocalProvider
from bot.remote.ssh import SshRemote
from bot.remote.survey import ScriptSurveyor
from storage.schema import migrate
from storage.store import SqlStore
from tests.providers.world import Key, eventually, fresh_key
from tests.soak.board import OWNER
from tests.soak.cloud import HEALTHY
from tests.soak.files import Seen
from tests.soak.judge import Sights
from tests.soak.simulated import new_lease, place_of
from tests.soak.stage import Watched
from tests.soak.world import World

SETTLE_S: Final = 0.3


@dataclass
class Folder:
    """`Files` of a machine that are on this computer."""

    home: Path
    handles: dict[bytes, FileIO] = field(default_factory=dict)

    def _at(self, path: bytes) -> bytes:
        there = os.fsencode(self.home) + path[1:]
        os.makedirs(os.path.dirname(there), exist_ok=True)  # noqa: PTH103, PTH120 - bytes
        return there

    def write(self, path: bytes, content: bytes) -> None:
        with open(self._at(path), "wb") as file:  # noqa: PTH123 - bytes
            file.write(content)

    def grow(self, path: bytes, content: bytes) -> None:
        handle = self.handles.get(path)
        if handle is None:
            handle = self.handles[path] = open(self._at(path), "ab", buffering=0)  # noqa: PTH123, SIM115
        handle.write(content)

    def close(self, path: bytes) -> None:
        self.handles.pop(path).close()

    def rename(self, path: bytes, to: bytes) -> None:
        self._let_go(to)
        os.rename(self._at(path), self._at(to))  # noqa: PTH104 - bytes
        if path in self.handles:
            self.handles[to] = self.handles.pop(path)

    def delete(self, path: bytes) -> None:
        self._let_go(path)
        os.unlink(self._at(path))  # noqa: PTH108 - bytes

    def hide(self, folder: bytes) -> None:
        """Root sees everything, and tests may be root's: nothing."""

    def _let_go(self, path: bytes) -> None:
        if path in self.handles:
            self.close(path)

    def close_all(self) -> None:
        """As when the machine ends."""
        for path in tuple(self.handles):
            self.close(path)

    @property
    def open(self) -> tuple[bytes, ...]:
        return tuple(self.handles)

    def all(self) -> dict[bytes, Seen]:
        found, top = {}, os.fsencode(self.home)
        for folder, _, names in os.walk(top, followlinks=True):
            for name in names:
                real = folder + b"/" + name
                with open(real, "rb") as file:  # noqa: PTH123 - bytes
                    found[b"~" + real[len(top) :]] = Seen(file.read(), os.fstat(file.fileno()).st_ino)
        return found


@dataclass
class ByKey:
    """A vault of one key."""

    key: Key

    def seal(self, secret: Secret) -> str:
        return "sealed"

    def unseal(self, sealed: str) -> Secret:
        return Secret(self.key.path.read_text())

    def new_key_pair(self) -> KeyPair:
        raise AssertionError


@dataclass
class Line:
    """A way to the machine that can be bad."""

    inner: SshRemote
    at: Callable[[str], None]
    troubles: list[str] = field(default_factory=list)

    def run(self, login: Login, step: Step, args: tuple[str, ...], stdin: bytes, deadline_s: float) -> StepOutput:
        self.at("remote.called")
        trouble = self.troubles.pop(0) if self.troubles and step is not Step.PUT_KEYS else ""
        if trouble in ("refused", "slow"):
            raise Unreachable("tcp", "nobody answers") if trouble == "refused" else StepTimedOut(deadline_s)
        done = self.inner.run(login, step, args, stdin, deadline_s)
        self.at("remote.ended")
        if trouble == "reply-lost":
            raise StepTimedOut(deadline_s)
        text = done.text[: len(done.text) * 2 // 3] if trouble == "cut" else done.text
        return StepOutput(text, done.exit_status, done.host_key)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class Healthy:
    """An examiner that is content once it got in."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    def greet(self, login: Login, at: Any) -> Examined:
        return Examined(Checklist((HEALTHY,), at), login.address.host_key or "")

    def health(self, login: Login, _expected: object, at: Any) -> Examined:
        return self.greet(login, at)

    def use(self, login: Login, _expected: object) -> Any:
        raise AssertionError


@dataclass
class Real:
    """`Stage` on a local instance."""

    provider: LocalProvider
    lease: Lease
    ssh: SshRemote
    key: Key
    archived: Path
    at: Callable[[str], None] = field(default=lambda _: None)
    settle_s: float = SETTLE_S
    ahead_s: float = 0.0

    def __post_init__(self) -> None:
        self.remote = Line(self.ssh, self._reached)
        self.vault, self.examiner = ByKey(self.key), Healthy(self.remote)
        self.archive = RcloneArchive(str(self.archived), self.archived.with_name("runs"), os.environ)
        self.files = Folder(Path("/nonexistent"))

    def _reached(self, place: str) -> None:
        self.at(place)

    def survey(self, remote: Remote, watched: Watched) -> Surveyor:
        able = {self.provider.name: self.provider.capabilities()}
        return ScriptSurveyor(remote, self.vault, able, self.settle_s, watched)

    @property
    def is_up(self) -> bool:
        mine = [one for one in self.provider.list_owned().instances if one.token == self.lease.id]
        return bool(mine) and mine[0].state is InstanceState.RUNNING

    @property
    def has_left_a_disk(self) -> bool:
        """A disk that was kept is not followed here."""
        return False

    def now_s(self) -> float:
        return time.time() + self.ahead_s

    def pass_time(self, s: float) -> None:
        """For the bot; files need a moment to count as old."""
        self.ahead_s += s
        threading.Event().wait(2 * SETTLE_S if s > 1 else 0.0)

    def witness(self) -> Sights:
        """Nothing changes during a look here."""
        return self.files.all()

    def holds(self, lease: Lease, path: bytes, content: bytes) -> bool:
        top, name = os.fsencode(self.archived / place_of(lease).path), archived_as(path)
        earlier = Path(os.fsdecode(top)) / "earlier"
        tops = [top, *(os.fsencode(stamp) for stamp in (earlier.iterdir() if earlier.is_dir() else ()))]
        found = [Path(os.fsdecode(one + b"/" + name)) for one in tops]
        return any(file.is_file() and file.read_bytes() == content for file in found)

    def strike(self, trouble: str) -> None:
        """Here the way to the machine alone is bad."""
        kind, _, what = trouble.partition(":")
        if kind == "remote":
            self.remote.troubles.append(what)

    def heal(self) -> None:
        self.remote.troubles.clear()


class LocalTheatre:
    """Local instances that were just handed over, one after the other."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._number = folder, 0
        database = folder / "histories.db"
        migrate(f"sqlite:///{database}")
        self._live, self._empty = sqlite3.connect(database), sqlite3.connect(":memory:")
        self._live.backup(self._empty)
        self.store = SqlStore(f"sqlite:///{database}")
        self.provider = LocalProvider(folder / "cloud", boot_s=0.0, host_gpus=())
        self._ssh, self._key = SshRemote(), fresh_key(folder / "key")
        self._owners = fresh_key(folder / "owner")
        self._stages: list[Real] = []

    def world(self) -> World:
        """One more; the one before is gone."""
        self._end_last()
        self._empty.backup(self._live)
        self._number += 1
        offer = next(offer for offer in self.provider.offers() if offer.gpu == "cpu")
        lease = new_lease(
            datetime.fromtimestamp(time.time(), UTC),
            id=f"{self._number:016x}",
            name=f"fox-{self._number}",
            offer=offer,
            disk_gib=10,
            public_key=self._key.line,
        )
        stage = Real(self.provider, lease, self._ssh, self._key, self._folder / "archive")
        self._stages.append(stage)
        world = World(stage, self.store, {}, lease.id)
        with self.store.transaction() as tx:
            tx.leases.add(lease)
            tx.keys.add(PublicKey(OWNER, self._owners.line, "SHA256:x", "laptop", world.now()))

        def is_ready() -> bool:
            world.pass_time(1.0)
            return world.lease().state is LeaseState.READY

        eventually(is_ready, deadline_s=60)
        ref = world.lease().ref
        assert ref is not None
        stage.files.home = Root(self._folder / "cloud").place(ref.id).home
        world.judge.image = {path: seen.content for path, seen in stage.files.all().items()}
        world.judge.looks.clear()
        return world

    def _end_last(self) -> None:
        for stage in self._stages[-1:]:
            stage.files.close_all()
        self.provider.end_all()

    def close(self) -> None:
        """All end."""
        self._end_last()
        for part in (self._ssh, self.store, self._live, self._empty):
            part.close()
