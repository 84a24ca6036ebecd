"""Use, checklists that were asked for and zones come back as they were stored."""

from dataclasses import fields, replace
from typing import Any

import pytest

from bot.domain.check import CheckAsked
from bot.domain.lease import LeaseState
from bot.domain.use import Activity, Use, UseSample, UseVerdict
from storage import tables
from storage.store import SqlStore
from tests.storage.samples import at, lease, unfilled

USE = Use((97, None), False, 3.5, 2, 40, 1, 81)
FULL = Activity("l1", at(1), at(2), UseVerdict.IDLE, USE, at(3), at(4), at(5), 60.5, 30.25, 5.0)


@pytest.fixture
def ready(store: SqlStore) -> SqlStore:
    with store.transaction() as tx:
        tx.leases.add(lease(state=LeaseState.READY, state_since=at(0)))
        tx.leases.add(lease("l2", "blue-owl", state=LeaseState.STOPPED))
    return store


@pytest.mark.parametrize(
    ("value", "row"),
    [(Activity, tables.ActivityRow), (UseSample, tables.UseSampleRow), (CheckAsked, tables.CheckRow)],
)
def test_a_table_has_a_column_for_every_field(value: Any, row: Any) -> None:
    assert {field.name for field in fields(value)} <= set(row.__table__.columns.keys())


def test_activity(ready: SqlStore) -> None:
    assert unfilled(FULL) == unfilled(USE) == []
    with ready.transaction() as tx:
        assert tx.use.get("l1") is None
        tx.use.keep_quiet("l1", at(5))
        tx.use.save(FULL)
    with ready.transaction() as tx:
        assert tx.use.get("l1") == FULL
        assert tx.use.of(("l1", "l2")) == {"l1": FULL}
        tx.use.keep_quiet("l1", at(9))
        tx.use.save(replace(FULL, verdict=UseVerdict.BUSY))
    with ready.read() as tx:
        assert tx.use.get("l1") == replace(FULL, verdict=UseVerdict.BUSY, quiet_until=at(9))


def test_due_are_ready_leases_at_their_time(ready: SqlStore) -> None:
    with ready.transaction() as tx:
        assert tx.use.due(at(1), at(-1), 10) == ()
        assert tx.use.due(at(1), at(0.5), 10) == ("l1",)
        tx.use.save(FULL)
        assert tx.use.due(at(0.9), at(1), 10) == ()
        assert tx.use.due(at(1), at(1), 10) == ("l1",)


def test_samples_are_forgotten_in_time(ready: SqlStore) -> None:
    samples = [UseSample("l1", at(n), UseVerdict.UNKNOWN if n else UseVerdict.BUSY, USE if n else None) for n in (2, 0)]
    with ready.transaction() as tx:
        for sample in samples:
            tx.use.add(sample)
        assert tx.use.samples("l1", at(0)) == (samples[1], samples[0])
        assert tx.use.samples("l1", at(1)) == (samples[0],)
        tx.use.forget_before("l1", at(1))
    with ready.read() as tx:
        assert tx.use.samples("l1", at(0)) == (samples[0],)


def test_checks(ready: SqlStore) -> None:
    asked = [CheckAsked(f"c{n}", f"l{n}", "U1", at(n)) for n in (2, 1)]
    with ready.transaction() as tx:
        for check in asked:
            tx.checks.add(check)
        assert tx.checks.open(10) == (asked[1], asked[0])
        assert tx.checks.of("l2") == (asked[0],)
        tx.checks.done(["c1"], at(3))
    with ready.read() as tx:
        assert tx.checks.open(10) == (asked[0],)
        assert tx.checks.of("l1") == ()


def test_zones(store: SqlStore) -> None:
    with store.transaction() as tx:
        assert tx.people.zone("U1") is None
        tx.people.note_zone("U1", "Europe/Berlin", at(0))
        tx.people.note_zone("U1", "Asia/Tokyo", at(1))
        assert tx.people.zone("U1") == "Asia/Tokyo"
        tx.people.note_zone("U2", "Europe/Berlin", at(2))
        assert tx.people.zones({"U1", "U2", "U3"}) == {"U1": "Asia/Tokyo", "U2": "Europe/Berlin"}
