"""The port to what is stored: a transaction that gives one store per aggregate."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.domain.audit import AuditEntry
from bot.domain.inventory.list_wish import ListWish
from bot.domain.jobs.curve_wish import CurveWish
from bot.domain.jobs.log_file import LogWish
from bot.domain.keys import PublicKey
from bot.domain.lease import Lease
from bot.domain.ledger import Interval
from bot.domain.offers import Offer
from bot.domain.places import MessageRef
from bot.domain.question import Question
from bot.domain.quote import Quote
from bot.ports.data_store import LookStore, SafeStore, SyncStore
from bot.ports.delivery_store import ClaimStore, InboxStore, LivingStore, OutboxStore
from bot.ports.disk_store import DiskStore
from bot.ports.drop_store import DropStore
from bot.ports.errand_store import ErrandStore
from bot.ports.fetch_store import FetchStore, WatchStore
from bot.ports.home_store import GreetingStore, HomeStore
from bot.ports.job_store import JobStore, PictureStore, PointStore
from bot.ports.secret_store import SecretStore
from bot.ports.use_store import CheckStore, PeopleStore, UseStore


class LeaseStore(Protocol):
    """Leases. Saving one keeps its ledger (an interval per rate) and marks its card when its version grew."""

    def add(self, lease: Lease) -> None:
        """Store a new one, with its living card.

        Raises:
            Refused: ``name-taken``, when a live lease has that name.
        """
        ...

    def get(self, lease_id: str) -> Lease | None: ...
    def lock(self, lease_id: str) -> Lease | None:
        """Read it for change: nobody else writes it until the transaction ends."""
        ...

    def save(self, lease: Lease, at: datetime) -> None:
        """Write it back; ``at`` is when a change of rate begins to count."""
        ...

    def by_name(self, name: str) -> Lease | None:
        """The live one of that name, else the latest that had it."""
        ...

    def live(self, owner: str | None = None, limit: int | None = None) -> tuple[Lease, ...]:
        """Those that may still have a machine, oldest first."""
        ...

    def live_of(self, owners: Iterable[str]) -> tuple[Lease, ...]:
        """As `live`, of these owners."""
        ...

    def latest(self, owner: str, since: datetime) -> tuple[Lease, ...]:
        """An owner's leases asked for since then, ended ones included, newest first."""
        ...

    def billed(self, since: datetime | None, owner: str | None) -> tuple[Lease, ...]:
        """Leases whose meter ran after ``since`` (None: ever), of one owner or of all, oldest first."""
        ...

    def ending(self, before: datetime) -> tuple[Lease, ...]:
        """Live ones whose end is before then, the earliest first."""
        ...

    def in_thread(self, message: MessageRef) -> Lease | None:
        """The lease whose card is that message."""
        ...

    def due(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of live leases whose next look is due and that nobody holds, longest overdue first."""
        ...

    def look_now(self, lease_ids: Iterable[str], now: datetime) -> None:
        """Make them due."""
        ...


class QuestionStore(Protocol):
    """Questions; one live one of each machine, and one of each kept disk."""

    def add(self, question: Question) -> None: ...
    def get(self, question_id: str) -> Question | None: ...
    def lock(self, question_id: str) -> Question | None: ...
    def latest(self, lease_id: str) -> Question | None:
        """The newest about a lease's machine, whatever its state."""
        ...

    def latest_of_disk(self, disk_id: str) -> Question | None:
        """The newest about a kept disk, whatever its state."""
        ...

    def latest_of(self, lease_ids: Iterable[str]) -> dict[str, Question]:
        """As `latest`, of each of these leases; one that has none is no key."""
        ...

    def save(self, question: Question) -> None: ...
    def open(self) -> tuple[Question, ...]:
        """Those about machines that wait for an answer, oldest first."""
        ...

    def looking(self, limit: int) -> tuple[str, ...]:
        """Ids of leases with a question that is being prepared, oldest first."""
        ...

    def answerable(self) -> tuple[Question, ...]:
        """Those about live leases and kept disks that may still be answered or have their answer taken back, oldest
        first."""
        ...

    def of(self, lease_id: str) -> tuple[Question, ...]:
        """All of a lease, those about a disk that its machine had last too, newest first."""
        ...

    def signs_read(self, question_id: str, at: datetime) -> None:
        """The reactions under it were read; nothing that its message shows."""
        ...

    def at(self, message: MessageRef) -> str | None:
        """Id of the question that a message shows."""
        ...


class QuoteStore(Protocol):
    """Quotes."""

    def add(self, quote: Quote) -> None: ...
    def get(self, quote_id: str) -> Quote | None: ...
    def lock(self, quote_id: str) -> Quote | None: ...
    def save(self, quote: Quote) -> None: ...
    def open(self, now: datetime) -> tuple[Quote, ...]:
        """Those that wait for a button and are not too old, oldest first."""
        ...


class KeyStore(Protocol):
    """People's public keys."""

    def add(self, key: PublicKey) -> bool:
        """False when the person has it already."""
        ...

    def of(self, user: str) -> tuple[PublicKey, ...]:
        """In the order they were added."""
        ...

    def remove(self, user: str, fingerprint: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class OfferSheet:
    """One provider's price list as last read. ``fault`` is the code of the error that the last try met."""

    provider: str
    offers: tuple[Offer, ...]
    read_at: datetime | None
    fault: str | None = None


class OfferStore(Protocol):
    """Cached offers, so that a command never waits for a vendor."""

    def replace(self, provider: str, offers: tuple[Offer, ...], read_at: datetime) -> None: ...
    def failed(self, provider: str, fault: str) -> None:
        """The last read failed; the older list stays."""
        ...

    def sheets(self) -> tuple[OfferSheet, ...]: ...


class LedgerStore(Protocol):
    """Billing intervals; written when leases are saved."""

    def of(self, lease_ids: Iterable[str]) -> dict[str, tuple[Interval, ...]]:
        """Intervals per lease, oldest first; every asked id is a key."""
        ...

    def of_live(self) -> dict[str, tuple[Interval, ...]]:
        """Intervals of each live lease, oldest first; every such lease is a key."""
        ...


class AuditStore(Protocol):
    """Append-only: the database refuses to change or delete a row."""

    def add(self, entry: AuditEntry) -> None: ...
    def of(self, lease_id: str | None, limit: int) -> tuple[AuditEntry, ...]:
        """Newest first; of everything when no lease is given."""
        ...


class Tx(Protocol):
    """One transaction."""

    @property
    def leases(self) -> LeaseStore: ...
    @property
    def claims(self) -> ClaimStore: ...
    @property
    def outbox(self) -> OutboxStore: ...
    @property
    def living(self) -> LivingStore: ...
    @property
    def questions(self) -> QuestionStore: ...
    @property
    def quotes(self) -> QuoteStore: ...
    @property
    def keys(self) -> KeyStore: ...
    @property
    def secrets(self) -> SecretStore: ...
    @property
    def offers(self) -> OfferStore: ...
    @property
    def ledger(self) -> LedgerStore: ...
    @property
    def audit(self) -> AuditStore: ...
    @property
    def inbox(self) -> InboxStore: ...
    @property
    def use(self) -> UseStore: ...
    @property
    def checks(self) -> CheckStore: ...
    @property
    def people(self) -> PeopleStore: ...
    @property
    def safe(self) -> SafeStore: ...
    @property
    def looks(self) -> LookStore: ...
    @property
    def syncs(self) -> SyncStore: ...
    @property
    def disks(self) -> DiskStore: ...
    @property
    def watched(self) -> WatchStore: ...
    @property
    def fetches(self) -> FetchStore: ...
    @property
    def drops(self) -> DropStore: ...
    @property
    def jobs(self) -> JobStore: ...
    @property
    def points(self) -> PointStore: ...
    @property
    def logs(self) -> ErrandStore[LogWish]: ...
    @property
    def lists(self) -> ErrandStore[ListWish]: ...
    @property
    def curve_wishes(self) -> ErrandStore[CurveWish]: ...
    @property
    def pictures(self) -> PictureStore: ...
    @property
    def homes(self) -> HomeStore: ...
    @property
    def greetings(self) -> GreetingStore: ...


class Store(Protocol):
    """Opens transactions. All raise `StoreUnavailable` when the database is locked or away."""

    def read(self) -> AbstractContextManager[Tx]:
        """For reading only; never blocks a writer."""
        ...

    def transaction(self) -> AbstractContextManager[Tx]:
        """For writing: committed at the end, rolled back on any exception."""
        ...

    def close(self) -> None: ...
