"""Living messages: what is behind, in which order, and threads that wait for their card."""

import pytest

from bot.domain.lease import LeaseState
from bot.domain.living import LivingMessage, Subject
from bot.domain.notice import Priority
from bot.domain.places import MessageRef
from bot.ports.store import Tx
from storage.store import SqlStore
from tests.storage.samples import at, lease, question, quote, show_card


def add_leases(tx: Tx, *names: str) -> None:
    for name in names:
        tx.leases.add(lease(name, f"name-{name}", state=LeaseState.READY))


def card(tx: Tx, lease_id: str) -> LivingMessage:
    found = tx.living.get(Subject.LEASE, lease_id)
    assert found is not None
    return found


def due(tx: Tx, now: float = 0, limit: int = 10) -> list[str]:
    return [living.subject_id for living in tx.living.due(at(now), limit)]


def test_what_is_shown_is_not_due(store: SqlStore) -> None:
    with store.transaction() as tx:
        add_leases(tx, "a")
        assert due(tx) == ["a"]
        message = show_card(tx, "a", when=at(1))
        assert due(tx) == []
        assert card(tx, "a") == LivingMessage(Subject.LEASE, "a", "C1", 1, 1, Priority.STATE, message, shown_at=at(1))


def test_what_changed_while_it_was_being_shown_stays_behind(store: SqlStore) -> None:
    with store.transaction() as tx:
        add_leases(tx, "a")
        before = card(tx, "a")
        tx.living.touch(Subject.LEASE, "a", Priority.STATE)
        tx.living.shown(before, MessageRef("C1", "17.1"), at(1))
        assert (card(tx, "a").shown, card(tx, "a").wanted) == (1, 2)
        assert due(tx) == ["a"]


def test_by_priority_then_longest_behind(store: SqlStore) -> None:
    with store.transaction() as tx:
        add_leases(tx, "a", "b", "c", "d")
        for number, name in enumerate("abcd"):
            show_card(tx, name, f"17.{number}", at(number))
        for name, priority in [
            ("d", Priority.FIGURES),
            ("c", Priority.STATE),
            ("b", Priority.FIGURES),
            ("a", Priority.STATE),
            ("c", Priority.STATE),
        ]:
            tx.living.touch(Subject.LEASE, name, priority)
        assert due(tx) == ["c", "a", "d", "b"]
        assert due(tx, limit=3) == ["c", "a", "d"]


def test_what_was_shown_and_changed_again_goes_to_the_end(store: SqlStore) -> None:
    with store.transaction() as tx:
        add_leases(tx, "a", "b")
        before = card(tx, "a")
        tx.living.touch(Subject.LEASE, "a", Priority.STATE)
        tx.living.shown(before, MessageRef("C1", "17.1"), at(1))
        assert due(tx) == ["b", "a"]


@pytest.mark.parametrize(
    ("first", "then", "holds"),
    [
        (Priority.FIGURES, Priority.PERSON, Priority.PERSON),
        (Priority.PERSON, Priority.FIGURES, Priority.PERSON),
        (Priority.STATE, Priority.STATE, Priority.STATE),
    ],
)
def test_the_more_urgent_priority_holds_until_it_is_shown(
    store: SqlStore, first: Priority, then: Priority, holds: Priority
) -> None:
    with store.transaction() as tx:
        add_leases(tx, "a")
        show_card(tx, "a")
        tx.living.touch(Subject.LEASE, "a", first)
        tx.living.touch(Subject.LEASE, "a", then)
        assert card(tx, "a").priority is holds
        show_card(tx, "a")
        tx.living.touch(Subject.LEASE, "a", Priority.FIGURES)
        assert card(tx, "a").priority is Priority.FIGURES


def test_a_thread_waits_for_its_card(store: SqlStore) -> None:
    with store.transaction() as tx:
        add_leases(tx, "a", "b")
        tx.questions.add(question("q", "a"))
        tx.quotes.add(quote("k"))
        assert due(tx) == ["k", "a", "b"]
        show_card(tx, "b", "17.2")
        assert due(tx) == ["k", "a"]
        show_card(tx, "a", "17.1")
        assert due(tx) == ["q", "k"]
        tx.living.lost(card(tx, "a"))
        assert due(tx) == ["k", "a"]


def test_a_lost_message_is_posted_anew(store: SqlStore) -> None:
    with store.transaction() as tx:
        add_leases(tx, "a")
        show_card(tx, "a")
        tx.living.lost(card(tx, "a"))
        again = card(tx, "a")
        assert (again.message, again.shown, again.shown_at, again.posting_since) == (None, 0, None, None)
        assert due(tx) == ["a"]


def test_posting_is_remembered_until_it_is_out(store: SqlStore) -> None:
    with store.transaction() as tx:
        add_leases(tx, "a")
        tx.living.posting(card(tx, "a"), "HOME", at(1))
        assert (card(tx, "a").posting_since, card(tx, "a").channel) == (at(1), "HOME")
        assert due(tx) == ["a"]
        tx.living.shown(card(tx, "a"), MessageRef("HOME", "17.1"), at(2))
        assert (card(tx, "a").posting_since, card(tx, "a").channel) == (None, "HOME")


def test_a_postponed_message_waits_and_a_touch_does_not_hasten_it(store: SqlStore) -> None:
    with store.transaction() as tx:
        add_leases(tx, "a")
        tx.living.postpone(card(tx, "a"), at(1))
        tx.living.postpone(card(tx, "a"), at(2))
        tx.living.touch(Subject.LEASE, "a", Priority.PERSON)
        assert card(tx, "a").attempts == 2
        assert due(tx, 1.9) == []
        assert due(tx, 2) == ["a"]
        tx.living.shown(card(tx, "a"), MessageRef("C1", "17.1"), at(2))
        assert (card(tx, "a").attempts, card(tx, "a").next_try_at) == (0, None)


def test_figures_of_meters_that_run(store: SqlStore) -> None:
    with store.transaction() as tx:
        add_leases(tx, "old", "older", "fresh", "behind", "ended")
        tx.leases.add(lease("asked", "asked"))
        for name, shown_at in {"old": 1, "older": 0, "fresh": 5, "behind": 0, "ended": 0, "asked": 0}.items():
            show_card(tx, name, f"17.{name}", at(shown_at))
        tx.living.touch(Subject.LEASE, "behind", Priority.STATE)
        vanished = lease("ended", "name-ended", state=LeaseState.READY).noted(state=LeaseState.VANISHED)
        tx.leases.save(vanished, at(2))
    with store.transaction() as tx:
        assert tx.living.touch_figures(at(5), 1) == 1
        assert due(tx) == ["behind", "older"]
        assert tx.living.touch_figures(at(5), 10) == 1
        assert due(tx) == ["behind", "older", "old"]
        assert tx.living.touch_figures(at(5), 10) == 0
        assert card(tx, "old").priority is Priority.FIGURES


def test_a_subject_that_is_not_there(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.living.touch(Subject.QUOTE, "nobody", Priority.PERSON)
        assert tx.living.get(Subject.QUOTE, "nobody") is None
