"""Read: what people look at — leases, offers, how to log in, their keys."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import chain
from threading import Lock
from typing import Final

from bot.domain.audit import AuditEntry
from bot.domain.instance import Capabilities
from bot.domain.keys import PublicKey
from bot.domain.lease import Lease, LeaseState
from bot.domain.ledger import total_microusd
from bot.domain.offers import cheapest_first
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.domain.views import LeaseView
from bot.errors import Refused
from bot.ports.clock import Clock
from bot.ports.lease_view import read_lease_views
from bot.ports.store import OfferSheet, Store

MOST_SHOWN: Final = 12
"""Leases of one listing that are told in full: more is no overview."""
_Whose = str | None
"""A person, or None: everybody."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Some leases in full, and how many there are and what they come to in all."""

    shown: tuple[LeaseView, ...]
    count: int
    cost_microusd: int


class _Together:
    """One reading for all who ask while another is under way. What somebody gets was read after they asked."""

    def __init__(self) -> None:
        self._asking, self._reading = Lock(), Lock()
        self._next: tuple[set[_Whose], Future[Mapping[_Whose, Listing]]] | None = None

    def get(self, whose: _Whose, read: Callable[[Collection[_Whose]], Mapping[_Whose, Listing]]) -> Listing:
        """What ``read`` finds, called here or by another who asks at the same time."""
        with self._asking:
            is_first = self._next is None
            asked, coming = self._next = self._next or (set(), Future())
            asked.add(whose)
        if is_first:
            with self._reading:
                with self._asking:
                    self._next = None  # who asks from here on may have to see more than what is read now
                try:
                    coming.set_result(read(asked))
                except BaseException as error:  # noqa: BLE001 -- it is raised again in everybody who waits
                    coming.set_exception(error)
        return coming.result()[whose]


@dataclass(frozen=True, slots=True)
class Access:
    """How to log in. ``keys`` are the owner's keys that are on the machine."""

    lease: Lease
    keys: tuple[PublicKey, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """Answers from what is stored; changes nothing, asks no vendor."""

    store: Store
    clock: Clock
    policy: Policy
    capabilities: Mapping[str, Capabilities]
    _together: _Together = field(default_factory=_Together)

    def status(self, owner: str | None) -> Listing:
        """Live leases, of one person or of all."""
        return self._together.get(owner, self._live)

    def one(self, lease_id: str) -> LeaseView:
        """One lease, live or not."""
        with self.store.read() as tx:
            lease = tx.leases.get(lease_id)
            if lease is None:
                raise Refused("no-lease")
            return read_lease_views(tx, (lease,), self.capabilities, self.clock())[0]

    def offers(self, gpus: tuple[str, ...] | None) -> tuple[OfferSheet, ...]:
        """The cached price lists, cheapest first, of some models or of all."""
        with self.store.read() as tx:
            sheets = tx.offers.sheets()
        return tuple(
            OfferSheet(
                sheet.provider,
                cheapest_first(o for o in sheet.offers if gpus is None or o.gpu in gpus),
                sheet.read_at,
                sheet.fault,
            )
            for sheet in sheets
        )

    def audit(self, lease_id: str | None, limit: int) -> tuple[AuditEntry, ...]:
        """Who did what, newest first; of everything where no lease is given."""
        with self.store.read() as tx:
            return tx.audit.of(lease_id, limit)

    def names(self, lease_ids: Iterable[str | None]) -> Mapping[str, str]:
        """Leases' names by their ids; of what is none, nothing."""
        with self.store.read() as tx:
            leases = [tx.leases.get(lease_id) for lease_id in {*lease_ids} if lease_id is not None]
        return {lease.id: lease.name for lease in leases if lease is not None}

    def access(self, actor: Actor, lease_id: str) -> Access:
        """How to log in to one's own machine."""
        with self.store.read() as tx:
            lease = tx.leases.get(lease_id)
            if lease is None:
                raise Refused("no-lease")
            if (denial := denied(self.policy, actor, Action.LOG_IN, lease.owner)) is not None:
                raise Refused(denial, owner=lease.owner, name=lease.name)
            if not lease.is_live:
                raise Refused("lease-over", name=lease.name, state=lease.state)
            keys = tx.keys.of(lease.owner)
        if lease.state not in (LeaseState.READY, LeaseState.UNFIT) or lease.address is None:
            raise Refused("no-address-yet", name=lease.name, state=lease.state)
        if not keys:
            raise Refused("no-key-for-ssh", name=lease.name)
        return Access(lease, keys)

    def _live(self, asked: Collection[_Whose]) -> Mapping[_Whose, Listing]:
        now = self.clock()
        with self.store.read() as tx:
            listed: dict[_Whose, list[Lease]] = {whose: [] for whose in asked}
            people = [whose for whose in asked if whose is not None]
            for lease in tx.leases.live_of(people) if people else ():
                listed[lease.owner].append(lease)
            shown = {whose: leases[:MOST_SHOWN] for whose, leases in listed.items()}
            if None in asked:
                shown[None] = list(tx.leases.live(None, MOST_SHOWN))
            ledger = tx.ledger.of_live() if None in asked else tx.ledger.of(_ids(listed))
            together = tuple(chain(*shown.values()))
            views = {v.lease.id: v for v in read_lease_views(tx, together, self.capabilities, now, ledger)}
        costs = {lease_id: total_microusd(intervals, now) for lease_id, intervals in ledger.items()}
        return {
            whose: Listing(
                tuple(views[lease.id] for lease in shown[whose]),
                len(costs if whose is None else leases),
                sum(costs.values() if whose is None else (costs[lease.id] for lease in leases)),
            )
            for whose, leases in listed.items()
        }


def _ids(listed: Mapping[_Whose, Sequence[Lease]]) -> tuple[str, ...]:
    return tuple(lease.id for leases in listed.values() for lease in leases)
