"""Leases: names, lists, and what is due."""

from datetime import timedelta

import pytest

from bot.domain.claim import Duty
from bot.domain.lease import Lease, LeaseState
from bot.domain.living import LivingMessage, Subject
from bot.domain.notice import Priority
from bot.domain.places import MessageRef
from bot.errors import Refused
from storage.store import SqlStore
from tests.storage.samples import MINUTE, NOON, at, lease, show_card
from tests.storage.threads import at_once


def ended(value: Lease) -> Lease:
    return value.moved(LeaseState.FAILED, at(1))


def test_a_new_lease_has_a_card(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease(channel="C7"))
        assert tx.living.get(Subject.LEASE, "l1") == LivingMessage(Subject.LEASE, "l1", "C7", 1, 0, Priority.STATE)


def test_a_name_is_taken_while_its_lease_lives(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease("l1", "amber-fox"))
        with pytest.raises(Refused) as refused:
            tx.leases.add(lease("l2", "amber-fox"))
        # the transaction goes on: another name may be tried
        tx.leases.add(lease("l2", "brisk-owl"))
    assert (refused.value.reason, refused.value.facts) == ("name-taken", {"name": "amber-fox"})
    with store.transaction() as tx:
        tx.leases.save(ended(lease("l1", "amber-fox")), at(1))
        tx.leases.add(lease("l3", "amber-fox"))
    with store.read() as tx:
        assert [one.id for one in tx.leases.live()] == ["l2", "l3"]


def test_eight_threads_want_the_same_name(store: SqlStore) -> None:
    def work(number: int) -> str:
        try:
            with store.transaction() as tx:
                tx.leases.add(lease(f"l{number}", "amber-fox"))
        except Refused as refused:
            return refused.reason
        return "added"

    assert sorted(at_once(8, work)) == ["added"] + ["name-taken"] * 7


def test_by_name_prefers_the_live_one_then_the_latest(store: SqlStore) -> None:
    def name_means() -> str | None:
        with store.read() as tx:
            found = tx.leases.by_name("amber-fox")
        return found.id if found else None

    assert name_means() is None
    with store.transaction() as tx:
        for lease_id, asked in (("l1", 1), ("l3", 3), ("l2", 2)):
            tx.leases.add(ended(lease(lease_id, requested_at=at(asked))))
    assert name_means() == "l3"
    with store.transaction() as tx:
        tx.leases.add(lease("l0", requested_at=at(0)))
    assert name_means() == "l0"


def test_live_and_latest(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease("l2", "b", owner="U1", requested_at=at(2)))
        tx.leases.add(lease("l1", "a", owner="U1", requested_at=at(1)))
        tx.leases.add(lease("l3", "c", owner="U2", requested_at=at(3)))
        tx.leases.add(ended(lease("l4", "d", owner="U1", requested_at=at(4))))
    with store.read() as tx:
        assert [one.id for one in tx.leases.live()] == ["l1", "l2", "l3"]
        assert [one.id for one in tx.leases.live("U1")] == ["l1", "l2"]
        assert [one.id for one in tx.leases.latest("U1", at(0))] == ["l4", "l2", "l1"]
        assert [one.id for one in tx.leases.latest("U1", at(2))] == ["l4", "l2"]


def test_due_is_live_unheld_and_longest_overdue_first(store: SqlStore) -> None:
    looks = {"late": at(-2), "now": at(0), "later": at(0) + timedelta(microseconds=1), "held": at(-9), "never": None}
    with store.transaction() as tx:
        for name, look in looks.items():
            tx.leases.add(lease(name, name, next_look_at=look))
        tx.leases.add(ended(lease("ended", "ended", next_look_at=at(-3))))
        tx.claims.take("held", Duty.LEASE, "w1", NOON, MINUTE)
        tx.claims.take("late", Duty.MESSAGE, "w1", NOON, MINUTE)
    with store.read() as tx:
        assert tx.leases.due(NOON, 10) == ("never", "late", "now")
        assert tx.leases.due(NOON, 2) == ("never", "late")
        assert tx.leases.due(NOON + MINUTE, 10) == ("never", "held", "late", "now", "later")


def test_look_now_hastens_and_never_delays(store: SqlStore) -> None:
    with store.transaction() as tx:
        for name, look in {"late": at(-2), "later": at(9), "other": at(9), "never": None}.items():
            tx.leases.add(lease(name, name, next_look_at=look))
        tx.leases.look_now(("late", "later", "never"), NOON)
        tx.leases.look_now((), NOON)
        found = [tx.leases.get(name) for name in ("late", "later", "other", "never")]
    assert [one and one.next_look_at for one in found] == [at(-2), NOON, at(9), None]


def test_in_thread_finds_the_lease_of_a_card(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease("l1", "a"))
        tx.leases.add(lease("l2", "b"))
        card = show_card(tx, "l2", "17.2")
    with store.read() as tx:
        found = tx.leases.in_thread(card)
        assert found is not None
        assert found.id == "l2"
        assert tx.leases.in_thread(MessageRef("C1", "17.1")) is None


def test_saving_marks_the_card_when_the_version_grew(store: SqlStore) -> None:
    def wanted() -> int:
        with store.read() as tx:
            card = tx.living.get(Subject.LEASE, "l1")
        assert card is not None
        return card.wanted

    with store.transaction() as tx:
        tx.leases.add(lease())
    with store.transaction() as tx:
        tx.leases.save(lease().noted(seen_at=at(1)), at(1))
    assert wanted() == 1
    with store.transaction() as tx:
        tx.leases.save(lease().evolve(attempts=3), at(1))
    assert wanted() == 2
