"""The simulated stage: a machine in memory, looked at by the real scripts through the real surveyor."""

import copy
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bot.domain.instance import InstanceState
from bot.domain.keys import PublicKey
from bot.domain.lease import Lease, LeaseState
from bot.ports.archive import Place
from bot.ports.examiner import Examiner
from bot.ports.provider import Provider
from bot.ports.remote import Remote
from bot.ports.surveyor import Surveyor
from bot.remote.survey import ScriptSurveyor
from storage.schema import migrate
from storage.store import SqlStore
from tests.soak.board import OWNER, TEAM
from tests.soak.cloud import ABLE, OFFER, Cloud, OpenVault
from tests.soak.copies import Copies
from tests.soak.files import Disk
from tests.soak.judge import Sights
from tests.soak.stage import Watched
from tests.soak.world import LEASE, World

NOON_NS: Final = int(datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()) * 10**9
IMAGE: Final = {b"~/.bashrc": b"PS1=...\n", b"~/work/README": b"The data disk.\n"}
HOUR_S: Final = 3600


def place_of(lease: Lease) -> Place:
    """Where its files lie in the archive."""
    return Place(lease.owner, f"{lease.name}-{lease.id}")


@dataclass
class Simulated:
    """`Stage` in memory."""

    disk: Disk
    at: Callable[[str], None] = field(default=lambda _: None)
    settle_s: float = 60.0

    def __post_init__(self) -> None:
        self.cloud = Cloud(self.disk, self._reached)
        self.copies = Copies(self.disk, lambda: self.cloud.is_up, self._reached)
        self.files = self.disk
        self.vault = OpenVault()
        self.provider: Provider = self.cloud
        self.remote: Remote = self.cloud
        self.examiner: Examiner = self.cloud
        self.archive = self.copies

    def _reached(self, place: str) -> None:
        self.at(place)

    def survey(self, remote: Remote, watched: Watched) -> Surveyor:
        """The real one."""
        return ScriptSurveyor(remote, self.vault, {self.cloud.name: ABLE}, self.settle_s, watched)

    @property
    def is_up(self) -> bool:
        return self.cloud.is_up

    @property
    def has_left_a_disk(self) -> bool:
        return self.cloud.has_left_a_disk

    def now_s(self) -> float:
        return self.disk.now_ns / 1e9

    def pass_time(self, s: float) -> None:
        self.disk.now_ns += int(s * 1e9)

    def witness(self) -> Sights:
        return dict(self.cloud.kernel.saw)

    def holds(self, lease: Lease, path: bytes, content: bytes) -> bool:
        return self.copies.holds(place_of(lease), path, content)

    def strike(self, trouble: str) -> None:
        """remote:…, vendor:…, archive:…, or a switch."""
        kind, _, what = trouble.partition(":")
        match kind:
            case "remote":
                self.cloud.troubles.remote.append(what)
            case "vendor":
                self.cloud.troubles.vendor.append(what)
            case "archive":
                self.copies.faults.append(what)
            case "drags":
                self.cloud.troubles.drags = True
            case "refuses-release":
                self.cloud.troubles.refuses_release = True
            case _:
                self.cloud.troubles.lists_half = True

    def heal(self) -> None:
        self.cloud.troubles.clear()
        self.copies.faults.clear()


def new_lease(now: datetime, **changes: Any) -> Lease:
    """As `rent` makes it."""
    plain: dict[str, Any] = {
        "id": LEASE,
        "name": "amber-fox",
        "team_id": TEAM,
        "owner": OWNER,
        "channel": "C1",
        "offer": OFFER,
        "disk_gib": 100,
        "length_s": 4 * HOUR_S,
        "quote_microusd": 710_000,
        "requested_at": now,
        "state": LeaseState.REQUESTED,
        "state_since": now,
        "public_key": "ssh-ed25519 BBBB",
        "sealed_private_key": "sealed",
        "next_look_at": now,
    }
    return Lease(**plain | changes)


class Theatre:
    """Machines that were just handed over, one after the other: the way there is walked once, and the database is set
    back to that point for each."""

    def __init__(self, folder: Path) -> None:
        database = folder / "histories.db"
        url = f"sqlite:///{database}"
        migrate(url)
        self.store = SqlStore(url)
        self._disk = Disk(NOON_NS)
        for path, content in IMAGE.items():
            self._disk.write(path, content)
        world = World(Simulated(self._disk), self.store, IMAGE)
        with self.store.transaction() as tx:
            tx.leases.add(new_lease(world.now()))
            tx.keys.add(PublicKey(OWNER, "ssh-ed25519 CCCC", "SHA256:x", "laptop", world.now()))
        for _ in range(10):
            world.pass_time(2)
        assert world.lease().state is LeaseState.READY
        self._live = sqlite3.connect(database)
        self._handed_over = sqlite3.connect(":memory:")
        self._live.backup(self._handed_over)

    def world(self) -> World:
        """A machine that was just handed over; the one before is gone."""
        self._handed_over.backup(self._live)
        stage = Simulated(copy.deepcopy(self._disk))
        stage.cloud.state, stage.cloud.token = InstanceState.RUNNING, LEASE
        return World(stage, self.store, IMAGE)

    def close(self) -> None:
        """The last one is gone."""
        for database in (self._live, self._handed_over, self.store):
            database.close()
