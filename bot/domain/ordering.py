"""The rent decision: which offer answers a wish, what it costs in whole, and whether a button is needed first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.domain.lease import Lease
from bot.domain.offers import Offer, Wish, best_of_each, in_stock, matching, quote_microusd
from bot.domain.policy import Policy
from bot.domain.quote import QuoteReason, RentOrder
from bot.errors import Refused

DEFAULT_DISK_GIB: Final = 100
_MOST_INSTEAD: Final = 3


@dataclass(frozen=True, slots=True)
class RentWish:
    """What somebody asked for. ``length_s`` of a rent ``until`` a time counts from the moment of asking."""

    wish: Wish
    length_s: int
    name: str | None
    shown_microusd: int | None = None
    """The whole cost that was shown before: nothing dearer is rented. None where none was."""
    disk: str | None = None
    """The name of a kept disk that it is to have."""


@dataclass(frozen=True, slots=True)
class Priced:
    """What a wish comes to now. ``reason`` is why it would wait for a button; None rents at once."""

    order: RentOrder
    reason: QuoteReason | None


def price(offers: Mapping[str, tuple[Offer, ...]], asked: RentWish, latest: Iterable[Lease], policy: Policy) -> Priced:
    """Price a wish, for whoever shows it as for whoever rents by it. Rents nothing.

    ``offers`` are the price lists by provider; ``latest`` what the same person asked for within the last minute.

    Raises:
        Refused: ``lease-too-long``, ``no-such-provider``, ``no-offers-yet``, ``no-such-region``, ``no-such-offer``,
            ``disk-too-large``, ``sold-out`` or ``dearer-than-shown``.
    """
    wish = asked.wish
    if asked.length_s > policy.longest_lease_s:
        raise Refused("lease-too-long", longest_s=policy.longest_lease_s)
    if wish.provider is not None and wish.provider not in offers:
        raise Refused("no-such-provider", provider=wish.provider, known=tuple(offers))
    everything = tuple(offer for sheet in offers.values() for offer in sheet)
    if not everything:
        raise Refused("no-offers-yet")
    if wish.region is not None and wish.region not in (regions := _regions(everything, wish.provider)):
        raise Refused("no-such-region", region=wish.region, known=regions)
    order = _order(everything, asked)
    if asked.shown_microusd is not None and order.quote_microusd > asked.shown_microusd:
        raise Refused("dearer-than-shown", quote_microusd=order.quote_microusd, shown_microusd=asked.shown_microusd)
    return Priced(order, _button_needed(order, policy, _is_second(order, latest)))


def _order(offers: tuple[Offer, ...], asked: RentWish) -> RentOrder:
    """The cheapest offer in stock; as spares those that match at the same price, so that the quote holds."""
    wish = asked.wish
    fitting = matching(offers, wish)
    if not fitting:
        if roomier := matching(offers, replace(wish, disk_gib=None)):
            raise Refused("disk-too-large", disk_gib=wish.disk_gib, most_gib=max(o.disk_gib for o in roomier))
        same_gpu = matching(offers, Wish(wish.gpus, wish.gpu_count))
        any_count = tuple(o for o in offers if o.gpu in wish.gpus)
        raise Refused("no-such-offer", instead=(same_gpu or any_count)[:5])
    available = in_stock(fitting)
    if not available:
        instead = _no_smaller(offers, wish)
        raise Refused("sold-out", instead=instead, smaller=() if instead else _closest_smaller(offers, wish))
    best, *others = available
    return RentOrder(
        offer=best,
        spare=tuple(o for o in others if o.price_microusd_per_hour <= best.price_microusd_per_hour),
        length_s=asked.length_s,
        disk_gib=wish.disk_gib or min(DEFAULT_DISK_GIB, best.disk_gib),
        name=asked.name,
        quote_microusd=quote_microusd(best, asked.length_s),
    )


def _regions(offers: Iterable[Offer], provider: str | None) -> tuple[str, ...]:
    return tuple(sorted({offer.region for offer in offers if provider in (None, offer.provider) and offer.region}))


def _no_smaller(offers: tuple[Offer, ...], wish: Wish) -> tuple[Offer, ...]:
    """What can be had with at least as many GPUs, and memory in all, as was asked for: the cheapest of each kind."""
    least_gib = _least_gib(offers, wish)
    enough = (o for o in _instead(offers, wish) if o.gpu_count >= wish.gpu_count and _memory_gib(o) >= least_gib)
    return best_of_each(enough)[:_MOST_INSTEAD]


def _closest_smaller(offers: tuple[Offer, ...], wish: Wish) -> tuple[Offer, ...]:
    """What can be had and comes closest to what was asked for, of which nothing is left."""
    by_size = sorted(best_of_each(_instead(offers, wish)), key=lambda o: (-_memory_gib(o), -o.gpu_count))
    return tuple(by_size)[:_MOST_INSTEAD]


def _instead(offers: tuple[Offer, ...], wish: Wish) -> tuple[Offer, ...]:
    """Whatever is in stock with room for the disk; only a machine without GPUs stands in for such a one."""
    is_cpu = "cpu" in wish.gpus
    return tuple(
        offer
        for offer in in_stock(offers)
        if (offer.gpu == "cpu") is is_cpu and (wish.disk_gib is None or wish.disk_gib <= offer.disk_gib)
    )


def _least_gib(offers: tuple[Offer, ...], wish: Wish) -> int:
    return wish.gpu_count * min((o.gpu_memory_gib for o in offers if o.gpu in wish.gpus), default=0)


def _memory_gib(offer: Offer) -> int:
    return offer.gpu_memory_gib * offer.gpu_count


def _is_second(order: RentOrder, latest: Iterable[Lease]) -> bool:
    """The same rent by the same person within a minute, not renting under a new name on purpose."""
    return order.name is None and any(
        (earlier.offer.gpu, earlier.offer.gpu_count, earlier.length_s)
        == (order.offer.gpu, order.offer.gpu_count, order.length_s)
        for earlier in latest
        if earlier.is_live
    )


def _button_needed(rent: RentOrder, policy: Policy, is_second: bool) -> QuoteReason | None:
    """Why this rent waits for a button; None rents at once."""
    if rent.quote_microusd > policy.approval_limit_microusd:
        return QuoteReason.NEEDS_APPROVER
    if rent.quote_microusd > policy.rent_limit_microusd:
        return QuoteReason.OVER_LIMIT
    return QuoteReason.SECOND_ONE if is_second else None
