"""Column types: moments are aware, and whatever text comes from outside can be stored."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import StatementError

from bot.domain.checklist import Checklist
from bot.domain.problem import Problem
from storage.columns import storable
from storage.store import SqlStore
from tests.storage.samples import NOON, lease, notice

NAIVE = datetime(2026, 3, 29, 2, 30)  # noqa: DTZ001 - what has to be refused
INDIA = timezone(timedelta(hours=5, minutes=30))


@pytest.mark.parametrize(
    "changes", [{"requested_at": NAIVE}, {"next_look_at": NAIVE}, {"checklist": Checklist((), NAIVE)}]
)
def test_a_naive_moment_is_refused(store: SqlStore, changes: dict[str, Any]) -> None:
    with pytest.raises(StatementError, match="naive datetime"), store.transaction() as tx:
        tx.leases.add(lease(**changes))


def test_a_naive_moment_is_refused_in_a_question_too(store: SqlStore) -> None:
    with pytest.raises(StatementError, match="naive datetime"), store.read() as tx:
        tx.leases.due(NAIVE, 1)


def test_moments_come_back_in_utc_whatever_zone_they_were_in(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease(next_look_at=NOON.astimezone(INDIA), checklist=Checklist((), NOON.astimezone(INDIA))))
    with store.read() as tx:
        found = tx.leases.get("l1")
        assert tx.leases.due(NOON.astimezone(INDIA), 1) == ("l1",)
    assert found is not None
    assert found.checklist is not None
    for moment in (found.next_look_at, found.checklist.at):
        assert moment == NOON
        assert moment is not None
        assert moment.utcoffset() == timedelta(0)
    assert found.next_look_at is not None
    assert found.next_look_at.tzinfo is UTC


def test_text_from_outside(store: SqlStore) -> None:
    ugly = "a\0b\udcff é 🦊 '\"; DROP TABLE leases"
    with store.transaction() as tx:
        tx.leases.add(lease(volume_id=ugly, problem=Problem("odd", {ugly: ugly})))
        tx.outbox.put(notice(ugly, facts={"share": float("nan")}), NOON)
    with store.read() as tx:
        [queued] = tx.outbox.due(NOON, 1)
        found = tx.leases.get("l1")
    assert found is not None
    clean = "a\ufffdb\ufffd é 🦊 '\"; DROP TABLE leases"
    assert found.volume_id == clean
    assert found.problem == Problem("odd", {clean: clean})
    assert queued.notice == notice(clean, facts={"share": None})


@given(st.text(st.characters(codec=None, categories=None)))
def test_storable_text_is_what_databases_take(text: str) -> None:
    stored = storable(text)
    stored.encode()
    assert "\0" not in stored
    assert storable(stored) == stored
    if not any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text):
        assert stored == text
