"""The rent decision: which offer answers a wish, what it costs in whole, and whether a button is needed first."""

from dataclasses import dataclass

from bot.domain.offers import Offer, Wish, in_stock, matching, quote_microusd
from bot.domain.policy import Policy
from bot.domain.quote import QuoteReason, RentOrder


@dataclass(frozen=True, slots=True)
class NoMatch:
    """No offer answers the wish. ``instead`` are the closest that can be had, cheapest first."""

    reason: str
    instead: tuple[Offer, ...]


def order(
    offers: tuple[Offer, ...], wish: Wish, length_s: int, name: str | None, default_disk_gib: int
) -> RentOrder | NoMatch:
    """The cheapest offer in stock; as spares those that match at the same price, so that the quote holds."""
    fitting = matching(offers, wish)
    if not fitting:
        same_gpu = matching(offers, Wish(wish.gpus, wish.gpu_count))
        any_count = tuple(o for o in offers if o.gpu in wish.gpus)
        return NoMatch("no-such-offer", (same_gpu or any_count)[:5])
    available = in_stock(fitting)
    if not available:
        return NoMatch("sold-out", _next_best(offers, wish))
    best, *others = available
    return RentOrder(
        offer=best,
        spare=tuple(o for o in others if o.price_microusd_per_hour <= best.price_microusd_per_hour),
        length_s=length_s,
        disk_gib=wish.disk_gib or min(default_disk_gib, best.disk_gib),
        name=name,
        quote_microusd=quote_microusd(best, length_s),
    )


def _next_best(offers: tuple[Offer, ...], wish: Wish) -> tuple[Offer, ...]:
    """What can be had with at least the memory that was asked for."""
    sizes = [o.gpu_memory_gib * o.gpu_count for o in offers if o.gpu in wish.gpus]
    least_gib = min(sizes, default=0)
    enough = [o for o in in_stock(offers) if o.gpu_memory_gib * o.gpu_count >= least_gib and o.gpu != "cpu"]
    return tuple(sorted(enough, key=lambda o: o.price_microusd_per_hour))[:3]


def button_needed(rent: RentOrder, policy: Policy, is_second: bool) -> QuoteReason | None:
    """Why this rent waits for a button; None rents at once."""
    if rent.quote_microusd > policy.approval_limit_microusd:
        return QuoteReason.NEEDS_APPROVER
    if rent.quote_microusd > policy.rent_limit_microusd:
        return QuoteReason.OVER_LIMIT
    return QuoteReason.SECOND_ONE if is_second else None
