"""Offers: what can be rented now, and which of them answer a wish."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.domain.money import cost_microusd


@dataclass(frozen=True, slots=True)
class Offer:
    """One line of a vendor's price list. Prices are for the whole machine, in micro-dollars an hour."""

    provider: str
    region: str
    ref: str
    """The vendor's own name for it (instance type, SKU)."""
    gpu: str
    """Key of a `GpuModel`, e.g. ``a100-80``; ``cpu`` for a machine without one."""
    gpu_count: int
    gpu_memory_gib: int
    disk_gib: int
    """The largest data disk that may be asked for."""
    price_microusd_per_hour: int
    stopped_microusd_per_hour: int
    """What a stopped machine still costs (its disks)."""
    stock: int | None = None
    """How many are left; None where the vendor does not say."""
    simulated: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person asked for; ``gpus`` are model keys, any of which will do."""

    gpus: tuple[str, ...]
    gpu_count: int
    disk_gib: int | None = None
    provider: str | None = None
    region: str | None = None


def cheapest_first(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Offers by price, then by provider and region so that the order is stable."""
    return tuple(sorted(offers, key=lambda o: (o.price_microusd_per_hour, o.provider, o.region, o.ref)))


def matching(offers: Iterable[Offer], wish: Wish) -> tuple[Offer, ...]:
    """The offers that answer the wish, cheapest first, also those that are sold out."""
    return cheapest_first(
        offer
        for offer in offers
        if offer.gpu in wish.gpus
        and (offer.gpu_count == wish.gpu_count or offer.gpu == "cpu")
        and (wish.provider is None or offer.provider == wish.provider)
        and (wish.region is None or offer.region == wish.region)
        and (wish.disk_gib is None or wish.disk_gib <= offer.disk_gib)
    )


def in_stock(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Those that the vendor has, or does not say that it lacks."""
    return tuple(offer for offer in offers if offer.stock is None or offer.stock > 0)


def best_of_each(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """For each kind of machine the offer that a wish for it would get; cheapest first, those sold out last."""
    best: dict[tuple[str, int], Offer] = {}
    everything = cheapest_first(offers)
    for offer in (*in_stock(everything), *everything):
        best.setdefault((offer.gpu, offer.gpu_count), offer)
    available = cheapest_first(in_stock(best.values()))
    return (*available, *(offer for offer in cheapest_first(best.values()) if offer not in available))


def quote_microusd(offer: Offer, duration_s: int) -> int:
    """The whole sum for the whole lease."""
    return cost_microusd(offer.price_microusd_per_hour, duration_s)
