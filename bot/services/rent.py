"""Rent: find the offer, quote the whole cost, and write down the lease or the quote that waits for a button."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.disk import Disk, DiskState, with_disk
from bot.domain.lease import Lease, LeaseState
from bot.domain.names import Chance, new_name
from bot.domain.near import near
from bot.domain.ordering import Priced, RentWish, price
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.domain.problem import Facts
from bot.domain.quote import Quote, QuoteReason, QuoteState, RentOrder
from bot.errors import Refused
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.vault import Vault
from bot.ports.wake import Wake

SAME_AGAIN: Final = timedelta(minutes=1)
QUOTE_LIFE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Rent:
    """Rents machines. Raises `Refused` with a reason for whatever it does not do."""

    store: Store
    vault: Vault
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    chance: Chance
    policy: Policy

    def price(self, actor: Actor, wish: RentWish) -> Priced:
        """What `ask` would do now, and for how much in whole. Rents nothing."""
        self._may_rent(actor)
        with self.store.read() as tx:
            return self._priced(tx, actor, wish, self._disk(tx, actor, wish), self.clock())

    def ask(self, actor: Actor, channel: str, wish: RentWish, delivery: str) -> Lease | Quote | None:
        """Rent at once, or leave a quote with a button. None: this delivery was worked on before."""
        self._may_rent(actor)
        now = self.clock()
        with self.store.transaction() as tx:
            if not tx.inbox.first_time(delivery, now):
                return None
            priced = self._priced(tx, actor, wish, self._disk(tx, actor, wish), now)
            if wish.name is not None and any(lease.name == wish.name for lease in tx.leases.live()):
                raise Refused("name-taken", name=wish.name)
            if priced.reason is not None:
                result: Lease | Quote = self._quote(tx, actor, channel, priced.order, priced.reason, now)
            else:
                result = self._lease(tx, actor.user, actor.team_id, channel, priced.order, now)
        self._recorded(result)
        return result

    def answer(self, actor: Actor, quote_id: str, accept: bool) -> Lease | Quote:
        """A press of *Rent* or *Not now*. The quote's price holds only while its offer is still there at it."""
        now = self.clock()
        with self.store.transaction() as tx:
            quote = tx.quotes.lock(quote_id)
            if quote is None or quote.state is not QuoteState.OPEN:
                raise Refused("quote-answered")
            self._may_answer(actor, quote, accept)
            if not accept:
                quote = quote.answered(QuoteState.DECLINED, actor.user)
                tx.quotes.save(quote)
                result: Lease | Quote = quote
            else:
                if now > quote.expires_at:
                    raise Refused("quote-expired")
                result = self._lease(tx, quote.owner, quote.team_id, quote.channel, quote.order, now)
                tx.quotes.save(quote.answered(QuoteState.ACCEPTED, actor.user, result.id))
                if quote.reason is QuoteReason.NEEDS_APPROVER or actor.user != quote.owner:
                    facts: Facts = {"quote_microusd": quote.order.quote_microusd}
                    tx.audit.add(AuditEntry(now, actor.user, "rent-approved", result.id, facts))
        self._recorded(result)
        return result

    def _disk(self, tx: Tx, actor: Actor, wish: RentWish) -> Disk | None:
        if wish.disk is None:
            return None
        disk = tx.disks.called(wish.disk)
        if disk is None:
            known = (one.name for one in tx.disks.live(actor.user))
            raise Refused("no-such-disk", name=wish.disk, near=near(wish.disk, known))
        if (denial := denied(self.policy, actor, Action.FETCH, disk.owner)) is not None:
            raise Refused(denial, owner=disk.owner, name=disk.name, disk=True)
        return disk

    def _attach(self, tx: Tx, disk_id: str, lease: Lease, now: datetime) -> Lease:
        """The disk is this lease's from here on; nobody else's in between."""
        disk = tx.disks.lock(disk_id)
        if disk is None or disk.volume_id is None or not disk.is_live:
            raise Refused("no-such-disk", name=disk.name if disk is not None else "", near=())
        question = tx.questions.latest_of_disk(disk_id)
        is_asked = question is not None and question.is_live
        if disk.state is not DiskState.KEPT or is_asked:
            other = tx.leases.get(disk.lease_id)
            name = other.name if other is not None else ""
            raise Refused("disk-in-use", disk=disk.name, state=disk.state, lease=name, is_asked=is_asked)
        tx.disks.save(disk.moved(DiskState.ATTACHED, now, lease_id=lease.id, next_look_at=now))
        return lease.noted(disk_id=disk.volume_id)

    def _may_answer(self, actor: Actor, quote: Quote, accept: bool) -> None:
        is_approver = denied(self.policy, actor, Action.APPROVE_RENT) is None
        if actor.user != quote.owner and not is_approver:
            raise Refused("quote-not-yours", owner=quote.owner)
        if accept and quote.reason is QuoteReason.NEEDS_APPROVER and not is_approver:
            raise Refused("quote-needs-approver", limit_microusd=self.policy.approval_limit_microusd)

    def _may_rent(self, actor: Actor) -> None:
        if (denial := denied(self.policy, actor, Action.RENT)) is not None:
            raise Refused(denial)

    def _priced(self, tx: Tx, actor: Actor, wish: RentWish, disk: Disk | None, now: datetime) -> Priced:
        """With the kept disk's own size, where it is, if it is to have one."""
        if disk is None:
            return self._price(tx, actor, wish, now)
        try:
            priced = self._price(tx, actor, with_disk(wish, disk), now)
        except Refused as refused:
            if refused.reason not in ("no-such-offer", "no-such-provider", "no-such-region"):
                raise
            raise Refused("not-at-disk", disk=disk.name, provider=disk.provider, region=disk.region) from None
        return replace(priced, order=replace(priced.order, disk=disk.id, disk_gib=disk.size_gib))

    def _price(self, tx: Tx, actor: Actor, wish: RentWish, now: datetime) -> Priced:
        offers = {sheet.provider: sheet.offers for sheet in tx.offers.sheets()}
        return price(offers, wish, tx.leases.latest(actor.user, now - SAME_AGAIN), self.policy)

    def _quote(self, tx: Tx, actor: Actor, channel: str, rent: RentOrder, reason: QuoteReason, now: datetime) -> Quote:
        quote = Quote(
            id=self.new_id(),
            owner=actor.user,
            team_id=actor.team_id,
            channel=channel,
            order=rent,
            reason=reason,
            asked_at=now,
            expires_at=now + QUOTE_LIFE,
        )
        tx.quotes.add(quote)
        return quote

    def _lease(self, tx: Tx, owner: str, team_id: str, channel: str, rent: RentOrder, now: datetime) -> Lease:
        pair = self.vault.new_key_pair()
        lease = Lease(
            id=self.new_id(),
            name=rent.name or new_name({lease.name for lease in tx.leases.live()}, self.chance),
            team_id=team_id,
            owner=owner,
            channel=channel,
            offer=rent.offer,
            spare=rent.spare,
            disk_gib=rent.disk_gib,
            length_s=rent.length_s,
            quote_microusd=rent.quote_microusd,
            requested_at=now,
            state=LeaseState.REQUESTED,
            state_since=now,
            public_key=pair.public_key,
            sealed_private_key=self.vault.seal(pair.private_key),
            next_look_at=now,
        )
        tx.leases.add(lease)
        if rent.disk is not None:
            lease = self._attach(tx, rent.disk, lease, now)
            tx.leases.save(lease, now)
        facts: Facts = {"name": lease.name, "offer": rent.offer.ref, "quote_microusd": rent.quote_microusd}
        tx.audit.add(AuditEntry(now, owner, "rent", lease.id, facts))
        return lease

    def _recorded(self, result: Lease | Quote) -> None:
        if isinstance(result, Lease):
            self.faults.reach(FaultPoint.RENT_RECORDED)
            self.wake.wake(Duty.LEASE)
        self.wake.wake(Duty.MESSAGE)
