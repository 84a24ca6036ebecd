"""Fetch: somebody wants to know what the archive holds of a lease, or to have some of it."""

from dataclasses import dataclass
from typing import Final

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.fetching.browse import (
    BROWSED_AT_MOST,
    EARLIER,
    ArchivedFile,
    Folder,
    Found,
    Nothing,
    Version,
    browse,
)
from bot.domain.fetching.run import FetchRun
from bot.domain.inventory.names import path_of, read_name
from bot.domain.lease import Lease
from bot.domain.near import near
from bot.domain.people import Actor
from bot.domain.places import MessageRef, Place
from bot.domain.policy import Action, Policy, denied
from bot.errors import Refused
from bot.ports.archive import Place as Shelf
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.fetch_store import Holding
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

LISTED_AT_MOST: Final = 20
_NAMES_LOOKED_AT: Final = 1000


@dataclass(frozen=True, slots=True)
class Fetched:
    """What the records say; what a look into the archive says follows to the asker directly."""

    lease: Lease
    found: Found
    place: str
    """The lease's folder in the archive, as people are told it."""
    others: tuple[Lease, ...]
    """Other leases of that name with something in the archive."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """Answers from the records and takes the wish. Raises `Refused` for whatever it does not do."""

    store: Store
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    policy: Policy
    archive_label: str
    """The archive as people are told it; empty: there is none."""

    def holdings(self, actor: Actor) -> tuple[Holding, ...]:
        """The asker's leases of which the archive holds something."""
        with self.store.read() as tx:
            return tx.fetches.holdings(actor.user, LISTED_AT_MOST)

    def in_thread(self, place: Place) -> str | None:
        """The lease whose thread that is."""
        if place.thread_ts is None:
            return None
        with self.store.read() as tx:
            lease = tx.leases.in_thread(MessageRef(place.channel, place.thread_ts))
        return None if lease is None else f"{lease.name}-{lease.id}"

    def __call__(self, actor: Actor, name: str, path: str | None, delivery: str) -> Fetched:
        """``name``: a lease's, or its folder's; ``path``: as it was typed, none: all there is."""
        if not self.archive_label:
            raise Refused("no-archive")
        with self.store.read() as tx:
            lease, others = self._meant(tx, name)
            if (denial := denied(self.policy, actor, Action.FETCH, lease.owner)) is not None:
                raise Refused(denial, owner=lease.owner, name=lease.name, fetches=True)
            found = self._found(tx, lease, path)
        place = Shelf.of(lease).below(self.archive_label)
        match found:
            case ArchivedFile() | Version():
                self._want(actor, lease, found.path, delivery)
            case Folder() if found.files or path is None:
                self._want(actor, lease, found.path, delivery)
            case _:
                pass
        return Fetched(lease, found, place, others)

    def _found(self, tx: Tx, lease: Lease, path: str | None) -> Found:
        """By the whole list where that is quickly read; else by what can be looked up."""
        if path is not None and (file := tx.fetches.file(lease.id, path_of(path))) is not None:
            return file
        total = tx.safe.archived(lease.id)
        if total[0] <= BROWSED_AT_MOST:
            found = browse(tx.fetches.files(lease.id), path)
            return (tx.fetches.file(lease.id, found.path) or found) if isinstance(found, ArchivedFile) else found
        if path is None:
            return Folder(b"", *total, ())
        if read_name(path).startswith(EARLIER):
            return browse((), path)
        below = tx.fetches.below(lease.id, path_of(path))
        return Folder(path_of(path), *below, ()) if below[0] else Nothing()

    def _meant(self, tx: Tx, name: str) -> tuple[Lease, tuple[Lease, ...]]:
        """The newest of that name that has something there; else the newest."""
        called = tx.fetches.called(name)
        if not called:
            raise Refused("no-such-lease", name=name, near=near(name, tx.fetches.names(_NAMES_LOOKED_AT)))
        newest, *others = [lease for lease, has_copies in called if has_copies] or [called[0][0]]
        return newest, tuple(others)

    def _want(self, actor: Actor, lease: Lease, wanted: bytes, delivery: str) -> None:
        now = self.clock()
        with self.store.transaction() as tx:
            if not tx.inbox.first_time(delivery, now):
                return
            tx.fetches.add(FetchRun(self.new_id(), lease.id, actor.user, now, wanted))
            facts = {"paths": wanted.decode("utf-8", "backslashreplace")}
            tx.audit.add(AuditEntry(now, actor.user, "fetch", lease.id, facts))
        self.faults.reach(FaultPoint.FETCH_RECORDED)
        self.wake.wake(Duty.FETCH)
