"""A lease's thread with what is behind it: Slack's files, a machine's folder, and who says what became of them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from bot.domain.claim import Duty
from bot.domain.drops.drop import Drop, Entry, EntryKind
from bot.domain.lease import Lease
from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.domain.policy import Policy
from bot.errors import NotifierError, RemoteError
from bot.ports.faults import NoFaults
from bot.ports.shared_files import SharedFile
from bot.services.place_files import PlaceFiles
from bot.services.take_files import TakeFiles
from storage.store import SqlStore
from tests.services.test_watching import OpenVault, World

ANA, BEN, DAN = Actor("U1", "T1"), Actor("U2", "T1"), Actor("U3", "T1")
THREAD = MessageRef("C1", "1.0")
TTL = timedelta(minutes=1)


@dataclass
class Slack:
    """Files by their ids; ``meanwhile`` is what happens while one is sent."""

    contents: dict[str, bytes] = field(default_factory=dict)
    meanwhile: Callable[[], None] = lambda: None

    def look(self, file_id: str) -> SharedFile:
        return SharedFile(file_id, f"{file_id}.py", len(self.contents[file_id]), "", "")

    @contextmanager
    def content(self, file: SharedFile, *_: object) -> Iterator[Iterator[bytes]]:
        yield iter((self.contents[file.id],))
        self.meanwhile()


@dataclass
class Machine:
    """One folder, as the port describes it."""

    now_s: int = 1_800_000_000
    entries: dict[str, tuple[bytes, int]] = field(default_factory=dict)
    trouble: RemoteError | None = None

    @contextmanager
    def open(self, *_: object) -> Iterator["Machine"]:
        if self.trouble is not None:
            raise self.trouble
        yield self

    def look(self, name: str) -> Entry | None:
        found = self.entries.get(name)
        return None if found is None else Entry(EntryKind.FILE, len(found[0]), found[1])

    def write(self, name: str, pieces: Iterator[bytes], expected_bytes: int) -> Entry:
        assert name not in self.entries
        assert expected_bytes
        self.entries[name] = (b"".join(pieces), self.now_s)
        entry = self.look(name)
        assert entry is not None
        return entry

    def move(self, name: str, to: str) -> bool:
        if to in self.entries:
            return False
        self.entries[to] = self.entries.pop(name)
        return True

    def remove(self, name: str) -> None:
        self.entries.pop(name, None)

    @property
    def files(self) -> dict[str, bytes]:
        return {name: content for name, (content, _) in self.entries.items()}


@dataclass
class Teller:
    """What was said; each error in ``refusals`` is raised once."""

    said: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    refusals: list[NotifierError] = field(default_factory=list)

    def tell(self, drop: Drop, _lease: Lease) -> MessageRef:
        if self.refusals:
            raise self.refusals.pop(0)
        self.said.append(drop.shown)
        return MessageRef("C1", f"2.{len(self.said)}")

    def retell(self, drop: Drop, _lease: Lease, _message: MessageRef) -> None:
        if self.refusals:
            raise self.refusals.pop(0)
        self.edited.append(drop.shown)


class Thread:
    """A lease's thread, and all that is behind it."""

    def __init__(self, store: SqlStore) -> None:
        self.store, self.world = store, World()
        self.is_stopping = False
        self.slack, self.machine, self.teller = Slack(), Machine(), Teller()
        ids = iter(f"d{n}" for n in range(1, 100))
        policy = Policy(approvers=frozenset({"U2"}))
        self.take = TakeFiles(store, self.world, NoFaults(), self.world.clock, lambda: next(ids), policy)
        parts = (store, self.slack, self.machine, self.teller, OpenVault(), NoFaults(), self.world.clock)
        self.place = PlaceFiles(*parts, lambda: self.is_stopping, 10**6)

    @property
    def lease(self) -> Lease:
        with self.store.read() as tx:
            found = tx.leases.get("lease1")
        assert found is not None
        return found

    def change_lease(self, **changes: object) -> None:
        with self.store.transaction() as tx:
            found = tx.leases.lock("lease1")
            assert found is not None
            tx.leases.save(found.evolve(**changes), self.world.now)

    def drop(self, *files: str, who: Actor = ANA, delivery: str = "one") -> None:
        self.slack.contents |= {file: f"new {file}".encode() for file in files}
        self.take(who, self.lease, files, THREAD, delivery)

    def work(self, holder: str = "w1", after: timedelta = timedelta(0)) -> Drop:
        """One round of the reconciler, some time later."""
        self.world.now += after
        for thing in self.place.due():
            with self.store.transaction() as tx:
                claim = tx.claims.take(thing, Duty.DROP, holder, self.world.now, TTL)
            assert claim is not None
            try:
                self.place.step(claim)
            finally:
                with self.store.transaction() as tx:
                    tx.claims.drop(claim)
        return self.dropped

    @property
    def dropped(self) -> Drop:
        with self.store.read() as tx:
            found = tx.drops.get("d1")
        assert found is not None
        return found
