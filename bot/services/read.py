"""Read: what people look at — leases, offers, how to log in, their keys."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.domain.audit import AuditEntry
from bot.domain.instance import Capabilities
from bot.domain.jobs.view import RECENT_POINTS, JobView, job_view
from bot.domain.keys import PublicKey
from bot.domain.lease import Lease, LeaseState
from bot.domain.ledger import total_microusd
from bot.domain.living import Subject
from bot.domain.offers import cheapest_first
from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.domain.policy import Action, Policy, denied
from bot.domain.views import LeaseView
from bot.errors import Refused
from bot.ports.clock import Clock
from bot.ports.store import OfferSheet, Store, Tx


@dataclass(frozen=True, slots=True)
class ListedLease:
    """One line of ``status``."""

    view: LeaseView
    card: MessageRef | None


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

    def status(self, owner: str | None) -> tuple[ListedLease, ...]:
        """Live leases, of one person or of all."""
        with self.store.read() as tx:
            return self._listed(tx, tx.leases.live(owner))

    def one(self, lease_id: str) -> ListedLease:
        """One lease, live or not."""
        with self.store.read() as tx:
            lease = tx.leases.get(lease_id)
            if lease is None:
                raise Refused("no-lease")
            return self._listed(tx, (lease,))[0]

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

    def _listed(self, tx: Tx, leases: tuple[Lease, ...]) -> tuple[ListedLease, ...]:
        now = self.clock()
        ledger = tx.ledger.of(lease.id for lease in leases)
        activities = tx.use.of(lease.id for lease in leases)
        listed = []
        for lease in leases:
            living = tx.living.get(Subject.LEASE, lease.id)
            view = LeaseView(
                lease,
                total_microusd(ledger[lease.id], now),
                self.capabilities.get(lease.offer.provider),
                tx.questions.latest(lease.id),
                now,
                activities.get(lease.id),
                jobs=tuple(self._running(tx, lease)),
            )
            listed.append(ListedLease(view, living.message if living else None))
        return tuple(listed)

    def _running(self, tx: Tx, lease: Lease) -> Iterator[JobView]:
        for job in tx.jobs.live_of(lease.id):
            recent = tx.points.recent(job.id, RECENT_POINTS)
            yield job_view(job, lease, tx.jobs.output(job.id), recent, tx.pictures.get(job.id), self.clock())
