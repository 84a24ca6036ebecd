"""Claims: one holder at a time, tokens that only grow, fencing."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from bot.domain.claim import Claim, Duty
from bot.errors import ClaimLost, StoreUnavailable
from storage.store import SqlStore
from tests.storage.samples import MINUTE, NOON, at, lease
from tests.storage.threads import at_once


def take(store: SqlStore, holder: str, now: float = 0, thing: str = "l1", duty: Duty = Duty.LEASE) -> Claim | None:
    with store.transaction() as tx:
        return tx.claims.take(thing, duty, holder, at(now), MINUTE)


def taken(store: SqlStore, holder: str, now: float = 0) -> Claim:
    claim = take(store, holder, now)
    assert claim is not None
    return claim


def test_one_holder_at_a_time(store: SqlStore) -> None:
    assert taken(store, "w1").token == 1
    assert take(store, "w2") is None
    assert take(store, "w1") is None
    assert take(store, "w2", duty=Duty.MESSAGE) is not None
    assert take(store, "w2", thing="l2") is not None


def test_a_claim_runs_out_at_its_moment_and_its_token_grows(store: SqlStore) -> None:
    first = taken(store, "w1")
    just_before = (first.expires_at - timedelta(microseconds=1) - NOON) / timedelta(hours=1)
    assert take(store, "w2", just_before) is None
    second = taken(store, "w2", 1 / 60)
    assert (second.holder, second.token) == ("w2", 2)


def test_fencing(store: SqlStore) -> None:
    stale = taken(store, "w1")
    with store.transaction() as tx:
        tx.claims.check(stale)
    fresh = taken(store, "w2", 1)
    with store.transaction() as tx:
        tx.claims.check(fresh)

    def apply_stale_result() -> None:
        with store.transaction() as tx:
            tx.leases.add(lease())
            tx.claims.check(stale)

    with pytest.raises(ClaimLost) as lost:
        apply_stale_result()
    assert (lost.value.thing, lost.value.duty) == ("l1", Duty.LEASE)
    with store.read() as tx:
        assert tx.leases.get("l1") is None


def test_fencing_tells_two_claims_of_one_holder_apart(store: SqlStore) -> None:
    stale, fresh = taken(store, "w1"), taken(store, "w1", 1)
    with store.transaction() as tx:
        tx.claims.check(fresh)
        with pytest.raises(ClaimLost):
            tx.claims.check(stale)


def test_nobody_takes_a_claim_that_was_checked_before_its_result_is_in(
    store: SqlStore, open_store: Callable[..., SqlStore]
) -> None:
    claim, impatient = taken(store, "w1"), open_store(0.05)
    with store.transaction() as tx:
        tx.claims.check(claim)
        with pytest.raises(StoreUnavailable):
            take(impatient, "w2", 1)
    assert take(impatient, "w2", 1) is not None


def test_a_claim_that_ran_out_holds_until_somebody_takes_it(store: SqlStore) -> None:
    claim = taken(store, "w1")
    with store.transaction() as tx:
        tx.claims.renew("w1", at(2), MINUTE)
        tx.claims.check(claim)
    assert taken(store, "w2", 2).token == 2


def test_a_dropped_claim_is_free_and_its_token_is_never_used_again(store: SqlStore) -> None:
    first = taken(store, "w1")
    with store.transaction() as tx:
        tx.claims.drop(first)
    with pytest.raises(ClaimLost), store.transaction() as tx:
        tx.claims.check(first)
    second = taken(store, "w2")
    assert second.token == 2
    with store.transaction() as tx:
        tx.claims.drop(first)
        tx.claims.check(second)


def test_renewal_lengthens_what_the_holder_holds_and_nothing_else(store: SqlStore) -> None:
    mine, theirs = taken(store, "w1"), take(store, "w2", thing="l2")
    assert theirs is not None
    with store.transaction() as tx:
        tx.claims.renew("w1", NOON + MINUTE / 2, MINUTE)
    assert take(store, "w3", 1.2 / 60) is None
    assert take(store, "w3", 1.2 / 60, thing="l2") is not None
    with store.transaction() as tx:
        tx.claims.check(mine)


def test_eight_workers_share_forty_duties(store: SqlStore, open_store: Callable[..., SqlStore]) -> None:
    stores = [store, open_store(30)]

    def work(number: int) -> list[tuple[str, int]]:
        claims = [take(stores[number % 2], f"w{number}", thing=f"l{n}") for n in range(40)]
        return [(claim.thing, claim.token) for claim in claims if claim is not None]

    won = [claim for claims in at_once(8, work) for claim in claims]
    assert sorted(won) == sorted((f"l{n}", 1) for n in range(40))


def test_tokens_are_unique_however_a_duty_changes_hands(store: SqlStore) -> None:
    def work(number: int) -> list[int]:
        tokens = []
        for turn in range(20):
            claim = take(store, f"w{number}", now=turn)
            if claim is not None:
                tokens.append(claim.token)
                if turn % 3 == 0:
                    with store.transaction() as tx:
                        tx.claims.drop(claim)
        return tokens

    tokens = [token for own in at_once(8, work) for token in own]
    assert len(tokens) == len(set(tokens)) == max(tokens)
    assert len(tokens) >= 20
