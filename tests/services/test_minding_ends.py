"""At a lease's end it is asked once, whatever the clock does and wherever the process dies."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.domain.claim import Duty
from bot.domain.ending import EndRule
from bot.domain.idle import IdleRule
from bot.domain.lease import Want
from bot.domain.notice import NoticeKind
from bot.domain.people import Actor
from bot.domain.question import Cause, QuestionState
from bot.domain.use import Activity, Use, UseVerdict
from bot.ports.faults import FaultPoint, NoFaults
from bot.services.mind_ends import MindEnds, SteadyClock
from bot.services.operate import Operate
from storage.store import SqlStore
from tests.services.asking import MINUTE, OWNER, POLICY, Ticking, kinds, latest, leased, round_of
from tests.services.test_watching import ABLE, Died

Q = QuestionState


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    with leased(tmp_path) as store:
        yield store


def ends(store: SqlStore, world: Ticking) -> MindEnds:
    steady = SteadyClock(world.clock, lambda: world.monotonic_s)
    numbers = (f"q{n}" for n in itertools.count(1))
    idle = IdleRule(60, 60)
    return MindEnds(store, world, world, world.clock, lambda: next(numbers), steady, ABLE, EndRule(), idle)


def test_reminded_once_then_asked_once(store: SqlStore) -> None:
    world = Ticking()
    minding = ends(store, world)
    assert round_of(store, minding, world) == 1
    assert round_of(store, minding, world) == 0
    assert kinds(store) == [NoticeKind.ENDS_SOON]
    world.go_on(600)
    assert round_of(store, minding, world) == 1
    asked = latest(store)
    assert asked is not None
    assert (asked.asked_by, asked.cause, asked.state) == ("gpubot", Cause.LEASE_END, Q.LOOKING)
    assert round_of(store, minding, world) == 0
    assert latest(store) == asked
    assert Duty.INVENTORY in world.woken


@pytest.mark.parametrize("jump_s", [86_400, -86_400, 1200])
def test_a_jump_of_the_clock_brings_nothing_up(store: SqlStore, jump_s: float) -> None:
    world = Ticking()
    minding = ends(store, world)
    world.go_on(1, jump_s)
    assert round_of(store, minding, world) == 0
    world.go_on(30)
    assert round_of(store, minding, world) == 0
    world.go_on(1, -jump_s)  # set right again
    assert round_of(store, minding, world) == 0
    assert kinds(store) == []
    assert latest(store) is None


def test_a_clock_that_stays_where_it_jumped_to_is_believed_after_a_while(store: SqlStore) -> None:
    world = Ticking()
    minding = ends(store, world)
    world.go_on(1, 7200)
    assert round_of(store, minding, world) == 0
    world.go_on(899)
    assert round_of(store, minding, world) == 0
    world.go_on(2)
    assert round_of(store, minding, world) == 1
    assert latest(store) is not None


def test_killed_after_it_was_stored_it_is_not_asked_again(store: SqlStore) -> None:
    world = Ticking(dies_at=FaultPoint.END_STORED)
    world.go_on(600)
    with pytest.raises(Died):
        round_of(store, ends(store, world), world)
    world.dies_at = None
    assert round_of(store, ends(store, world), world) == 0
    assert latest(store) is not None


def unused(store: SqlStore, now: datetime) -> None:
    with store.transaction() as tx:
        tx.use.save(Activity("lease1", looked_at=now, verdict=UseVerdict.IDLE, use=Use((0,)), idle_since=now - MINUTE))


def test_stopped_where_nobody_answers_and_nothing_runs(store: SqlStore) -> None:
    world = Ticking()
    minding = ends(store, world)
    world.go_on(600)
    round_of(store, minding, world)
    with store.transaction() as tx:
        asked = tx.questions.latest("lease1")
        assert asked is not None
        tx.questions.save(replace(asked, state=Q.OPEN))
    world.go_on(1801)
    assert round_of(store, minding, world) == 0, "nobody looked at its use: that is not unused"
    unused(store, world.now)
    assert round_of(store, minding, world) == 1
    with store.read() as tx:
        lease = tx.leases.get("lease1")
    assert lease is not None
    assert lease.want is Want.STOPPED
    assert NoticeKind.STOPPED_AT_END in kinds(store)
    assert latest(store) == replace(asked, state=Q.OPEN), "a stop answers nothing"
    with store.transaction() as tx:
        tx.leases.save(lease.evolve(want=Want.RUNNING), world.now)
    assert round_of(store, minding, world) == 0, "whoever started it again wants it running"


@pytest.mark.parametrize("state", [Q.LOOKING, Q.OPEN, Q.CLEAN])
def test_extending_answers_the_clock(store: SqlStore, state: QuestionState) -> None:
    """Also in the moment in which nothing was found and the release is about to begin."""
    world = Ticking()
    world.go_on(600)
    round_of(store, ends(store, world), world)
    with store.transaction() as tx:
        asked, lease = tx.questions.latest("lease1"), tx.leases.lock("lease1")
        assert asked is not None
        assert lease is not None
        tx.questions.save(replace(asked, state=state))
        if state is Q.CLEAN:
            tx.leases.save(lease.evolve(want=Want.RELEASED), world.now)
    operate = Operate(store, world, NoFaults(), world.clock, POLICY, ABLE)
    extended = operate.extend(Actor(OWNER, "T1"), "lease1", 3600, "d1").lease
    assert extended.want is Want.RUNNING
    assert extended.ends_at == world.now + timedelta(hours=1)
    answered = latest(store)
    assert answered is not None
    assert (answered.state, answered.answered_by) == (Q.NO, OWNER)
