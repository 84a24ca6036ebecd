"""Notices outlast Slack's absence; a reminder is never said twice."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.claim import Duty
from bot.domain.lease import LeaseState
from bot.domain.living import Subject
from bot.domain.notice import Notice, NoticeKind
from bot.domain.places import MessageRef
from bot.errors import NotifierError, SlackBusy, SlackUnsure
from bot.ports.faults import NoFaults
from bot.services.deliver_notices import MOST_TRIES, DeliverNotices
from storage.schema import migrate
from storage.store import SqlStore
from tests.domain.lifecycle.sample import NOW, handed_over


class Mouth:
    """A notifier that fails as it is told, then speaks."""

    def __init__(self, *failures: NotifierError) -> None:
        self.failures, self.said = list(failures), 0

    def tell(self, *_: Any) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.said += 1


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    store = SqlStore(url)
    with store.transaction() as tx:
        tx.leases.add(handed_over(LeaseState.READY))
        card = tx.living.get(Subject.LEASE, "lease1")
        assert card is not None
        tx.living.shown(card, MessageRef("C1", "1.0"), NOW)
    yield store
    store.close()


def rounds(store: SqlStore, mouth: Mouth, count: int) -> None:
    """So many rounds, each late enough for the next try."""
    now = NOW

    def clock() -> datetime:
        return now

    deliver = DeliverNotices(store, mouth, NoFaults(), clock)  # type: ignore[arg-type]
    for _ in range(count):
        for thing in deliver.due():
            with store.transaction() as tx:
                claim = tx.claims.take(thing, Duty.NOTICE, "me", now, timedelta(minutes=1))
            assert claim is not None
            deliver.step(claim)
        now += timedelta(minutes=10)


def queue(store: SqlStore, *, at_most_once: bool = False) -> None:
    with store.transaction() as tx:
        tx.outbox.put(Notice("once", NoticeKind.ENDED, "lease1", at_most_once=at_most_once), NOW)


@pytest.mark.parametrize("error", [SlackBusy(5), SlackUnsure(5)])
def test_an_event_is_said_however_long_slack_was_away(store: SqlStore, error: NotifierError) -> None:
    queue(store)
    mouth = Mouth(*[error] * (MOST_TRIES * 2))
    rounds(store, mouth, MOST_TRIES * 2 + 2)
    assert mouth.said == 1


def test_what_slack_refuses_again_and_again_is_given_up(store: SqlStore) -> None:
    queue(store)
    mouth = Mouth(*[NotifierError()] * (MOST_TRIES * 2))
    rounds(store, mouth, MOST_TRIES * 2)
    assert len(mouth.failures) == MOST_TRIES - 1


def test_a_reminder_that_may_be_out_is_not_said_again(store: SqlStore) -> None:
    queue(store, at_most_once=True)
    mouth = Mouth(SlackUnsure(5))
    rounds(store, mouth, 3)
    assert mouth.said == 0


def test_a_reminder_that_surely_was_not_said_is_said_later(store: SqlStore) -> None:
    queue(store, at_most_once=True)
    mouth = Mouth(SlackBusy(5), SlackBusy(5))
    rounds(store, mouth, 5)
    assert mouth.said == 1
