"""Homes come back as they were stored, and what concerns their people is news to them and to nobody else."""

from collections.abc import Callable
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.home import Home
from bot.domain.keys import PublicKey
from bot.domain.lease import LeaseState
from bot.domain.living import Subject
from bot.domain.notice import Priority
from bot.domain.places import MessageRef
from bot.domain.quote import QuoteState
from bot.ports.store import Tx
from storage import tables
from storage.store import SqlStore
from tests.storage.samples import NOON, at, job, lease, question, quote, unfilled

FULL = Home("U1", "T1", at(0), "hash", "states", "news", at(1), at(2), at(3), 4)


def test_a_home_comes_back(store: SqlStore) -> None:
    assert unfilled(FULL) == []
    assert {field.name for field in fields(Home)} == set(tables.HomeRow.__table__.columns.keys())  # type: ignore[attr-defined]
    with store.transaction() as tx:
        assert tx.homes.get("U1") is None
        tx.homes.opened("U1", "T1", at(0), "")
        assert tx.homes.get("U1") == Home("U1", "T1", at(0))
        tx.homes.shown(FULL, "hash", "states", "news", at(1))
        tx.homes.looked(FULL, "later", at(2))
        tx.homes.postpone(FULL, at(3))
        shown = Home("U1", "T1", at(0), "hash", "states", "later", at(1), at(2), at(3), 1)
        assert tx.homes.get("U1") == shown
        tx.homes.opened("U1", "T1", at(4), "other")
    with store.transaction() as tx:
        opened = replace(shown, opened_at=at(4), content="other", next_try_at=None, attempts=0)
        assert tx.homes.get("U1") == opened
        tx.homes.forget("U1")
        assert tx.homes.get("U1") is None


def test_what_was_done_before_it_was_opened_again_does_not_count(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.homes.opened("U1", "T1", at(0), "seen")
        tx.homes.opened("U1", "T1", at(1), "seen")
        tx.homes.shown(FULL, "hash", "states", "news", at(2))
        tx.homes.looked(FULL, "news", at(2))
        assert tx.homes.get("U1") == Home("U1", "T1", at(1), "seen")


@pytest.mark.parametrize("order", [("", "seen"), ("seen", "")])
def test_of_two_looks_that_saw_different_things_nobody_knows_which_came_first(
    store: SqlStore, order: tuple[str, str]
) -> None:
    """Two looks within a second: Slack's events, and the threads that take them, overtake each other."""
    first, second = order
    with store.transaction() as tx:
        tx.homes.opened("U1", "T1", at(0), "seen")
        tx.homes.shown(Home("U1", "T1", at(0)), "seen", "states", "news", at(1))
        tx.homes.opened("U1", "T1", at(2), first)
        tx.homes.opened("U1", "T1", at(2.01), second)
        home = tx.homes.get("U1")
        assert home is not None
        assert home.content == ""


def test_those_opened_lately(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.homes.opened("U2", "T1", at(1), "")
        tx.homes.opened("U1", "T1", at(2), "")
        assert [home.user for home in tx.homes.open(at(1))] == ["U1", "U2"]
        assert [home.user for home in tx.homes.open(at(1.5))] == ["U1"]


def _own_lease(tx: Tx) -> None:
    tx.leases.save(lease(state=LeaseState.READY, version=1), at(1))


def _own_lease_ends(tx: Tx) -> None:
    tx.leases.save(lease(state=LeaseState.RELEASED, version=1), at(1))


def _own_job(tx: Tx) -> None:
    tx.jobs.add(job())


def _own_question(tx: Tx) -> None:
    tx.questions.add(question())


def _own_quote(tx: Tx) -> None:
    tx.quotes.add(quote("q2", owner="U1", expires_at=at(9)))


def _own_key(tx: Tx) -> None:
    tx.keys.add(PublicKey("U1", "ssh-ed25519 A", "SHA256:a", "me", at(0)))


def _own_figures(tx: Tx) -> None:
    tx.living.touch(Subject.LEASE, "l1", Priority.FIGURES)


def _own_card_is_out(tx: Tx) -> None:
    living = tx.living.get(Subject.LEASE, "l1")
    assert living is not None
    tx.living.shown(living, MessageRef("C1", "1"), at(0))


@pytest.mark.parametrize(
    ("happens", "told"),
    [
        (_own_lease, "U1 U9"),
        (_own_lease_ends, "U1 U9"),
        (_own_job, "U1"),
        (_own_question, "U1"),
        (_own_quote, "U1 U9"),
        (_own_key, "U1"),
        (_own_figures, "U1"),
        (_own_card_is_out, ""),
    ],
)
def test_news_reaches_those_whom_it_concerns(store: SqlStore, happens: Callable[[Tx], None], told: str) -> None:
    users = ["U1", "U2", "U9"]
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.leases.add(lease("l2", "blue-owl", owner="U2"))
        tx.quotes.add(quote(owner="U2", expires_at=at(9)))
        before = tx.homes.news(users, {"U9"}, at(1))
        happens(tx)
        after = tx.homes.news(users, {"U9"}, at(1))
    assert set(after) == set(users)
    assert [user for user in users if before[user] != after[user]] == told.split()


def test_a_question_is_news_once_more_when_its_message_is_out(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.questions.add(question())
        before = tx.homes.news(["U1"], (), at(1))
        living = tx.living.get(Subject.QUESTION, question().id)
        assert living is not None
        tx.living.shown(living, MessageRef("C1", "2"), at(1))
        assert tx.homes.news(["U1"], (), at(1)) != before
        assert [asked.id for asked in tx.questions.open()] == [question().id]


def test_quotes_that_wait_run_out(store: SqlStore) -> None:
    def saved(**changes: Any) -> None:
        tx.quotes.save(quote(expires_at=NOON + timedelta(hours=1), **changes))

    with store.transaction() as tx:
        tx.quotes.add(quote(expires_at=NOON + timedelta(hours=1)))
        assert [q.id for q in tx.quotes.open(at(0.5))] == [quote().id]
        assert tx.quotes.open(at(1)) == ()
        saved(state=QuoteState.DECLINED)
        assert tx.quotes.open(at(0.5)) == ()
    with store.read() as tx:
        assert tx.homes.news([], (), at(0)) == {}


def test_somebodys_latest_jobs(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.leases.add(lease("l2", "blue-owl"))
        tx.jobs.add(job("j1", requested_at=at(1)))
        tx.jobs.add(job("j2", lease_id="l2", requested_at=at(3)))
        tx.jobs.add(job("j3", requested_at=at(2)))
        tx.jobs.add(job("j4", owner="U2", requested_at=at(4)))
        assert [found.id for found in tx.jobs.latest("U1", 2)] == ["j2", "j3"]


def test_a_channel_is_greeted_once(store: SqlStore) -> None:
    with store.transaction() as tx:
        assert tx.greetings.first_time("C1", at(0))
    with store.transaction() as tx:
        assert not tx.greetings.first_time("C1", at(1))
        assert tx.greetings.first_time("C2", at(1))
