"""What a wish comes to: the one rule behind the form that shows it and the service that rents by it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from bot.domain.lease import Lease, LeaseState
from bot.domain.offers import Offer, Wish, best_of_each
from bot.domain.ordering import Priced, RentWish, price
from bot.domain.policy import Policy
from bot.domain.quote import QuoteReason
from bot.errors import Refused
from handlers.words.refused import refusal_words

HOUR = 3600
Kinds = tuple[tuple[str, int, str], ...]
NOW = datetime(2026, 5, 4, 10, 0, tzinfo=UTC)
POLICY = Policy(rent_limit_microusd=25_000_000, approval_limit_microusd=100_000_000)


def offer(gpu: str, cents: int, *, count: int = 1, stock: int | None = 3, **facts: Any) -> Offer:
    known = {"provider": "local", "region": "here-1", "gpu_memory_gib": 80, "disk_gib": 500} | facts
    return Offer(
        ref=f"{gpu}x{count}",
        gpu=gpu,
        gpu_count=count,
        price_microusd_per_hour=cents * 10_000,
        stopped_microusd_per_hour=8_000,
        stock=stock,
        **known,
    )


OFFERS = {
    "local": (offer("h100", 299), offer("h100", 279, region="here-2"), offer("h200", 400, stock=0)),
    "other": (offer("h100", 279, provider="other", region="far", disk_gib=2000), offer("h100", 598, count=2)),
}


def wish(gpu: str = "h100", hours: float = 4, *, name: str | None = None, **facts: Any) -> RentWish:
    shown = facts.pop("shown_microusd", None)
    return RentWish(Wish((gpu,), facts.pop("count", 1), **facts), round(hours * HOUR), name, shown)


def priced(asked: RentWish, latest: tuple[Lease, ...] = ()) -> Priced:
    return price(OFFERS, asked, latest, POLICY)


def refused(asked: RentWish) -> Refused:
    with pytest.raises(Refused) as caught:
        priced(asked)
    return caught.value


def rented(asked: RentWish) -> Lease:
    order = priced(asked).order
    return Lease(
        id="lease1",
        name="amber-fox",
        team_id="T1",
        owner="U1",
        channel="C1",
        offer=order.offer,
        spare=order.spare,
        disk_gib=order.disk_gib,
        length_s=order.length_s,
        quote_microusd=order.quote_microusd,
        requested_at=NOW,
        state=LeaseState.REQUESTED,
        state_since=NOW,
        public_key="",
        sealed_private_key=b"",
        next_look_at=NOW + timedelta(seconds=1),
    )


def test_the_cheapest_in_stock_for_the_whole_length_with_spares_at_its_price() -> None:
    order = priced(wish()).order
    assert (order.offer.region, order.quote_microusd, order.disk_gib) == ("here-2", 4 * 2_790_000, 100)
    assert [spare.provider for spare in order.spare] == ["other"]
    assert priced(wish(hours=1.5)).order.quote_microusd == 4_185_000


def test_the_policys_limits_decide_who_has_to_press() -> None:
    assert priced(wish(hours=8)).reason is None
    assert priced(wish(hours=9)).reason is QuoteReason.OVER_LIMIT
    assert priced(wish(hours=40)).reason is QuoteReason.NEEDS_APPROVER


def test_the_same_once_more_waits_unless_it_has_a_name_of_its_own() -> None:
    earlier = (rented(wish()),)
    assert priced(wish(), earlier).reason is QuoteReason.SECOND_ONE
    assert priced(wish(name="other"), earlier).reason is None
    assert priced(wish(hours=5), earlier).reason is None
    assert priced(wish(), (replace(earlier[0], state=LeaseState.FAILED),)).reason is None


@pytest.mark.parametrize(
    ("asked", "reason", "facts"),
    [
        (wish(hours=24 * 15), "lease-too-long", {"longest_s": 14 * 86_400}),
        (wish(provider="nobody"), "no-such-provider", {"provider": "nobody", "known": ("local", "other")}),
        (wish("h200"), "sold-out", {}),
        (wish("t4"), "no-such-offer", {"instead": ()}),
        (wish(disk_gib=3000), "disk-too-large", {"disk_gib": 3000, "most_gib": 2000}),
        (wish(disk_gib=1000, provider="local"), "disk-too-large", {"disk_gib": 1000, "most_gib": 500}),
    ],
)
def test_what_cannot_be_had_is_refused_with_its_reason(asked: RentWish, reason: str, facts: dict[str, object]) -> None:
    error = refused(asked)
    assert error.reason == reason
    assert facts.items() <= error.facts.items()


@pytest.mark.parametrize(
    ("asked", "in_stock", "smaller"),
    [
        # as many GPUs and as much memory in all, the cheapest of each kind
        (wish("h100", count=2), (("a100", 4, "here-2"), ("h100", 8, "here-1"), ("h200", 8, "here-1")), ()),
        (wish("t4", count=4), (("a100", 4, "here-2"), ("h100", 8, "here-1"), ("h200", 8, "here-1")), ()),
        # nothing is: what comes closest, and that is not called as big
        (wish("b200", count=8), (), (("h200", 8, "here-1"), ("h100", 8, "here-1"), ("a100", 4, "here-2"))),
        (wish("t4", count=4, disk_gib=900), (), (("l4", 1, "here-1"),)),
        # nor does a GPU stand in for none
        (wish("cpu"), (), ()),
    ],
)
def test_what_is_named_instead_of_what_is_sold_out(asked: RentWish, in_stock: Kinds, smaller: Kinds) -> None:
    gone = [offer("h100", 600, count=2, stock=0), offer("b200", 9000, count=8, stock=0, gpu_memory_gib=180)]
    gone += [offer("t4", 99, count=4, stock=0, gpu_memory_gib=16, disk_gib=900), offer("cpu", 5, stock=0)]
    there = [
        offer("a100", 700, count=4, gpu_memory_gib=40),
        offer("a100", 650, count=4, region="here-2", gpu_memory_gib=40),
    ]
    there += [offer("h100", 2400, count=8), offer("h200", 3000, count=8, gpu_memory_gib=141), offer("h100", 280)]
    there += [offer("l4", 70, gpu_memory_gib=24, disk_gib=900)]
    with pytest.raises(Refused) as caught:
        price({"local": (*gone, *there)}, asked, (), POLICY)
    facts = caught.value.facts
    assert caught.value.reason == "sold-out"
    named = [
        tuple((o.gpu, o.gpu_count, o.region) for o in cast(tuple[Offer, ...], facts[key]))
        for key in ("instead", "smaller")
    ]
    assert named == [in_stock, smaller]
    said = refusal_words(caught.value)
    assert ("no smaller" in said, "fewer GPUs or less memory" in said) == (bool(in_stock), bool(smaller))
    assert all(f"at local, {region}" in said for _, _, region in (*in_stock, *smaller))


def test_without_price_lists_nothing_can_be_priced() -> None:
    with pytest.raises(Refused, match="no-offers-yet"):
        price({"local": ()}, wish(), (), POLICY)


def test_nothing_dearer_than_what_was_shown_is_rented() -> None:
    assert priced(wish(shown_microusd=11_160_000)).order.quote_microusd == 11_160_000
    assert priced(wish(shown_microusd=20_000_000)).order.quote_microusd == 11_160_000
    assert refused(wish(shown_microusd=11_159_999)).reason == "dearer-than-shown"


def test_each_kind_of_machine_is_offered_once_as_it_would_be_rented_and_those_sold_out_come_last() -> None:
    everything = (
        offer("t4", 30, stock=0),
        offer("h100", 250, stock=0, region="dear-and-gone"),
        *OFFERS["local"],
        *OFFERS["other"],
        offer("l4", 70, stock=None),
    )
    best = best_of_each(everything)
    assert [(o.gpu, o.gpu_count, o.price_microusd_per_hour // 10_000) for o in best] == [
        ("l4", 1, 70),
        ("h100", 1, 279),
        ("h100", 2, 598),
        ("t4", 1, 30),
        ("h200", 1, 400),
    ]
    assert best[1] == priced(wish()).order.offer
