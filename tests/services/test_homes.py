"""Homes are published when they would look different and somebody looks; figures wait, and none is kept for ever."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.domain.claim import Claim, Duty
from bot.domain.home import FIGURES_AGE, LOOKED_AT, HomeView, beginnings
from bot.domain.lease import LeaseState
from bot.domain.policy import Policy
from bot.errors import SlackBusy
from bot.ports.faults import NoFaults
from bot.services.keep_homes import KeepHomes
from bot.services.read_home import ReadHome
from storage.schema import migrate
from storage.store import SqlStore
from tests.domain.lifecycle.sample import NOW, handed_over

OWNER = handed_over(LeaseState.READY).owner
MINUTE = timedelta(minutes=1)


class Slack:
    """Where homes are published: the words of the last one, and how often."""

    def __init__(self) -> None:
        self.times, self.busy = 0, False

    def publish(self, view: HomeView, content: str) -> str:
        looks = f"{[(v.lease.name, v.lease.state, v.cost_microusd // 10_000) for v in view.leases]}{view.has_key}"
        if self.busy:
            raise SlackBusy(7)
        self.times += looks != content
        return looks


class World:
    """A store with one machine, a clock, and the reconciler."""

    def __init__(self, store: SqlStore) -> None:
        self.now, self.store, self.slack = NOW, store, Slack()
        policy = Policy(members=frozenset({OWNER}))
        read = ReadHome(store, self.clock, policy, {})
        self.keep = KeepHomes(store, read, self.slack, NoFaults(), self.clock, policy)

    def clock(self) -> datetime:
        return self.now

    def open(self, user: str = OWNER, content: str = "") -> None:
        with self.store.transaction() as tx:
            tx.homes.opened(user, "T1", self.now, content)

    def round(self, after: timedelta = timedelta(seconds=1)) -> int:
        """How many are due after a while; each takes its step."""
        self.now += after
        due = self.keep.due()
        for user in due:
            with self.store.transaction() as tx:
                claim = tx.claims.take(user, Duty.HOME, "me", self.now, MINUTE)
            assert isinstance(claim, Claim)
            self.keep.step(claim)
            with self.store.transaction() as tx:
                tx.claims.drop(claim)
        return len(due)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    store = SqlStore(url)
    with store.transaction() as tx:
        tx.leases.add(handed_over(LeaseState.READY))
    yield World(store)
    store.close()


def _stops(world: World) -> None:
    with world.store.transaction() as tx:
        lease = tx.leases.live()[0]
        tx.leases.save(lease.moved(LeaseState.STOPPED, world.now), world.now)


def test_opened_shown_once_and_anew_when_something_changes(world: World) -> None:
    assert world.round() == 0, "nobody looks"
    world.open()
    assert (world.round(), world.slack.times) == (1, 1)
    assert (world.round(), world.slack.times) == (0, 1)
    _stops(world)
    assert (world.round(), world.slack.times) == (1, 2)
    assert world.round() == 0


def test_figures_come_every_few_minutes_while_somebody_looks(world: World) -> None:
    world.open()
    world.round()
    assert world.round(FIGURES_AGE - 2 * MINUTE) == 0
    assert (world.round(2 * MINUTE), world.slack.times) == (1, 2)
    world.round(LOOKED_AT)
    _stops(world)
    assert (world.round(), world.slack.times) == (0, 2), "left alone until it is opened again"
    world.open()
    assert (world.round(), world.slack.times) == (1, 3)


def test_a_touched_card_alone_is_no_reason_to_publish(world: World) -> None:
    world.open()
    world.round()
    for _ in range(3):
        with world.store.transaction() as tx:
            tx.leases.save(tx.leases.live()[0].evolve(seen_at=world.now), world.now)
        assert world.round(MINUTE) == 1
    assert world.slack.times == 1


def test_slack_is_busy(world: World) -> None:
    world.open()
    world.slack.busy = True
    assert world.round() == 1
    world.slack.busy = False
    assert world.round(timedelta(seconds=5)) == 0, "it said how long to wait"
    assert (world.round(timedelta(seconds=2)), world.slack.times) == (1, 1)


def test_whoever_is_no_member_any_more_is_told_nothing(world: World) -> None:
    world.open("U9")
    assert (world.round(), world.slack.times) == (1, 0)
    assert world.round() == 0


def test_day_week_and_month_begin_by_their_own_clock() -> None:
    sunday = datetime(2026, 3, 29, 23, 30, tzinfo=ZoneInfo("UTC"))
    here = beginnings(sunday, "Europe/Berlin")
    assert [at.isoformat() for at in (here.day, here.week, here.month)] == [
        "2026-03-30T00:00:00+02:00",
        "2026-03-30T00:00:00+02:00",
        "2026-03-01T00:00:00+01:00",
    ]
    assert beginnings(sunday, "Mars/Olympus").week == datetime(2026, 3, 23, tzinfo=ZoneInfo("UTC"))
