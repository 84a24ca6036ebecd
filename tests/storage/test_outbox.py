"""The outbox and the inbox: everything once, in order."""

from collections.abc import Callable

from bot.domain.notice import Priority
from bot.ports.store import Tx
from storage.store import SqlStore
from tests.storage.samples import NOON, at, notice
from tests.storage.threads import at_once


def due(tx: Tx, now: float = 0, limit: int = 10) -> list[str]:
    return [queued.notice.occasion for queued in tx.outbox.due(at(now), limit)]


def test_an_occasion_comes_once_even_after_it_was_said(store: SqlStore) -> None:
    with store.transaction() as tx:
        assert tx.outbox.put(notice("o1"), NOON)
        assert not tx.outbox.put(notice("o1", lease_id="l2"), at(1))
    with store.transaction() as tx:
        [queued] = tx.outbox.due(NOON, 10)
        assert (queued.notice.lease_id, queued.queued_at) == ("l1", NOON)
        tx.outbox.said(queued.id, at(1))
        assert due(tx) == []
        assert not tx.outbox.put(notice("o1"), at(2))
        assert due(tx) == []


def test_by_priority_then_as_written(store: SqlStore) -> None:
    with store.transaction() as tx:
        for occasion, priority in [
            ("f", Priority.FIGURES),
            ("s1", Priority.STATE),
            ("p", Priority.PERSON),
            ("s2", Priority.STATE),
        ]:
            tx.outbox.put(notice(occasion, priority=priority), NOON)
        assert due(tx) == ["p", "s1", "s2", "f"]
        assert due(tx, limit=2) == ["p", "s1"]


def test_a_postponed_notice_waits(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.outbox.put(notice(), NOON)
        tx.outbox.postpone(tx.outbox.due(NOON, 1)[0].id, at(2))
        assert due(tx, 1.9) == []
        assert due(tx, 2) == ["o1"]
        assert tx.outbox.due(at(2), 1)[0].attempts == 1


def test_a_reminder_that_was_about_to_go_out_can_be_postponed(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.outbox.put(notice(at_most_once=True), NOON)
        [queued] = tx.outbox.due(NOON, 1)
        tx.outbox.said(queued.id, NOON)
        assert due(tx, 9) == []
        tx.outbox.postpone(queued.id, at(2))
        assert due(tx, 2) == ["o1"]


def test_what_is_given_up_stays_given_up(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.outbox.put(notice(), NOON)
        [queued] = tx.outbox.due(NOON, 1)
        tx.outbox.give_up(queued.id, at(1), "nowhere-to-post")
        tx.outbox.postpone(queued.id, at(2))
        assert due(tx, 9) == []
        assert not tx.outbox.put(notice(), at(3))


def test_occasions_are_unique_under_threads(store: SqlStore, open_store: Callable[..., SqlStore]) -> None:
    stores = [store, open_store(30)]

    def work(number: int) -> int:
        new = 0
        for turn in range(20):
            with stores[number % 2].transaction() as tx:
                new += tx.outbox.put(notice(f"o{turn}"), NOON)
        return new

    assert sum(at_once(8, work)) == 20
    with store.read() as tx:
        assert sorted(due(tx, limit=100)) == sorted(f"o{turn}" for turn in range(20))


def test_a_delivery_is_taken_in_once_under_threads(store: SqlStore) -> None:
    def work(_number: int) -> bool:
        with store.transaction() as tx:
            return tx.inbox.first_time("Ev1", NOON)

    assert sum(at_once(8, work)) == 1


def test_a_delivery_whose_work_failed_may_come_again(store: SqlStore) -> None:
    try:
        with store.transaction() as tx:
            assert tx.inbox.first_time("Ev1", NOON)
            raise KeyError("bug")
    except KeyError:
        pass
    with store.transaction() as tx:
        assert tx.inbox.first_time("Ev1", NOON)
