"""The ledger: an interval per rate, from the history of a lease's states."""

from datetime import timedelta
from itertools import pairwise
from random import Random

from bot.domain.lease import Lease, LeaseState
from bot.domain.ledger import Interval, rate_microusd_per_hour, total_microusd
from bot.domain.money import between_microusd
from storage.store import SqlStore
from tests.storage.samples import at, lease

PRICE, STOPPED = 2_000_000, 100_000


def walk(store: SqlStore, value: Lease, *history: tuple[float, LeaseState]) -> Lease:
    """Save the lease in each state at each time, and once more half an hour later, with nothing new."""
    for hours, state in history:
        value = value.moved(state, at(hours))
        with store.transaction() as tx:
            tx.leases.save(value, at(hours))
        with store.transaction() as tx:
            tx.leases.save(value.noted(seen_at=at(hours + 0.5)), at(hours + 0.5))
    return value


def intervals(store: SqlStore, lease_id: str = "l1") -> tuple[Interval, ...]:
    with store.read() as tx:
        return tx.ledger.of((lease_id,))[lease_id]


def test_a_history_of_states(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
    assert intervals(store) == ()
    s = LeaseState
    walk(
        store,
        lease(),
        (1, s.LAUNCHING),
        (2, s.BOOTING),
        (3, s.CHECKING),
        (4, s.READY),
        (6, s.STOPPING),
        (7, s.STOPPED),
        (17, s.STARTING),
        (18, s.BOOTING),
        (20, s.RELEASING),
        (21, s.RELEASED),
    )
    found = intervals(store)
    assert found == (
        Interval("l1", PRICE, at(1), at(7)),
        Interval("l1", STOPPED, at(7), at(17)),
        Interval("l1", PRICE, at(17), at(21)),
    )
    assert total_microusd(found, at(100)) == (6 + 4) * PRICE + 10 * STOPPED
    assert total_microusd(found, at(12)) == 6 * PRICE + 5 * STOPPED


def test_what_never_got_a_machine_costs_nothing(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
    walk(store, lease(), (5, LeaseState.FAILED))
    assert intervals(store) == ()


def test_the_meter_of_a_vanished_machine_freezes(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
    walk(store, lease(), (1, LeaseState.LAUNCHING), (3, LeaseState.VANISHED))
    assert intervals(store) == (Interval("l1", PRICE, at(1), at(3)),)


def test_a_clock_that_jumps_back_bills_nothing_twice(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
    ready = walk(store, lease(), (4, LeaseState.LAUNCHING))
    stopped = walk(store, ready, (2, LeaseState.STOPPED))
    walk(store, stopped, (6, LeaseState.RELEASING))
    assert intervals(store) == (
        Interval("l1", PRICE, at(4), at(4)),
        Interval("l1", STOPPED, at(4), at(6)),
        Interval("l1", PRICE, at(6), None),
    )


def test_every_asked_lease_is_a_key(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease("l1", "a"))
        tx.leases.add(lease("l2", "b", state=LeaseState.READY, launched_at=at(3)))
    with store.read() as tx:
        assert tx.ledger.of(["l1", "l2", "nobody"]) == {
            "l1": (),
            "l2": (Interval("l2", PRICE, at(3), None),),
            "nobody": (),
        }
        assert tx.ledger.of(()) == {}


def test_the_intervals_of_any_history_sum_right(store: SqlStore) -> None:
    rated = [LeaseState.READY, LeaseState.STOPPED, LeaseState.UNFIT, LeaseState.VANISHED]
    for seed in range(20):
        chance = Random(seed)
        value, moment, expected = lease(f"l{seed}", f"name-{seed}"), at(0), 0
        with store.transaction() as tx:
            tx.leases.add(value)
            for state in chance.choices(rated, k=10):
                value = value.noted(state=state)
                tx.leases.save(value, moment)
                until = moment + timedelta(seconds=chance.randrange(1, 10_000))
                expected += between_microusd(rate_microusd_per_hour(value), moment, until)
                moment = until
            found = tx.ledger.of((value.id,))[value.id]
        # each interval is rounded once, and so is each stretch here
        assert abs(total_microusd(found, moment) - expected) <= 10
        assert all(one.ended_at and one.ended_at <= two.started_at for one, two in pairwise(found))
