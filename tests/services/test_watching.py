"""Checks and looks at use are taken up once and told once, also when the process dies in between."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.domain.checklist import Checklist, Item, Line, Verdict
from bot.domain.claim import Claim, Duty
from bot.domain.idle import IdleRule
from bot.domain.instance import Capabilities, Keeps
from bot.domain.jobs.job import JobState
from bot.domain.lease import LeaseState
from bot.domain.living import Subject
from bot.domain.notice import NoticeKind
from bot.domain.people import Actor
from bot.domain.policy import Policy
from bot.domain.secret import Secret
from bot.domain.use import Use, UseVerdict
from bot.errors import ClaimLost, Refused, StepTimedOut
from bot.ports.examiner import Examined
from bot.ports.faults import FaultPoint, NoFaults
from bot.ports.vault import KeyPair
from bot.services.check import Check
from bot.services.keep_quiet import KeepQuiet
from bot.services.observe_use import ObserveUse
from bot.services.run_checks import RunChecks
from storage.schema import migrate
from storage.store import SqlStore
from tests.domain.jobs.samples import job
from tests.domain.lifecycle.sample import NOW, handed_over

ABLE = {"local": Capabilities(True, Keeps.ALL, Keeps.NOTHING, False, False, 60, 1, "work", ".mark", simulated=True)}
ANA, BEN = Actor("U1", "T1"), Actor("U2", "T1")
IDLE = Use((0,), True, 0.01, 0, None, 0, 10)
RULE = IdleRule(idle_after_s=120, look_every_s=60)
GOOD = Checklist((Line(Item.SSH, Verdict.OK, "answered", "dev"),), NOW)


class Died(Exception):
    """As by SIGKILL."""


@dataclass
class World:
    """A clock, a machine and a place to die."""

    now: datetime = NOW
    use: Use | None = IDLE
    reachable: bool = True
    looks: int = 0
    dies_at: FaultPoint | None = None
    woken: list[Duty] = field(default_factory=list)

    def clock(self) -> datetime:
        return self.now

    def wake(self, duty: Duty) -> None:
        self.woken.append(duty)

    def reach(self, point: FaultPoint) -> None:
        if point is self.dies_at:
            raise Died

    def look(self) -> None:
        """One look at the machine."""
        self.looks += 1
        if not self.reachable:
            raise StepTimedOut(1.0)


@dataclass
class Machine:
    """The examiner of a world."""

    world: World

    def greet(self, *_: object) -> Examined:
        raise AssertionError

    def health(self, *_: object) -> Examined:
        self.world.look()
        return Examined(GOOD, "ssh-ed25519 AAAA")

    def use(self, *_: object) -> Use:
        self.world.look()
        assert self.world.use is not None
        return self.world.use


class OpenVault:
    def seal(self, *_: object) -> str:
        return "sealed"

    def unseal(self, *_: object) -> Secret:
        return Secret("key")

    def new_key_pair(self) -> KeyPair:
        raise AssertionError


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    store = SqlStore(url)
    with store.transaction() as tx:
        tx.leases.add(handed_over(LeaseState.READY, state_since=NOW - timedelta(hours=1)))
        tx.people.note_zone("U1", "UTC", NOW)
    yield store
    store.close()


def taken(store: SqlStore, duty: Duty, now: datetime, holder: str = "w1") -> Claim:
    with store.transaction() as tx:
        claim = tx.claims.take("lease1", duty, holder, now, timedelta(seconds=30))
    assert claim is not None
    return claim


def told(store: SqlStore, kind: NoticeKind) -> list[str]:
    with store.read() as tx:
        return [q.notice.occasion for q in tx.outbox.due(NOW + timedelta(days=1), 100) if q.notice.kind is kind]


def wanted(store: SqlStore) -> int:
    """How often the lease's card has changed."""
    with store.read() as tx:
        living = tx.living.get(Subject.LEASE, "lease1")
    assert living is not None
    return living.wanted


def checks(store: SqlStore, world: World) -> RunChecks:
    return RunChecks(store, Machine(world), OpenVault(), world, world, world.clock, ABLE)


def asked(store: SqlStore, world: World, delivery: str, actor: Actor = ANA) -> None:
    Check(store, world, world.clock, lambda: f"c-{delivery}", Policy()).ask(actor, "lease1", delivery)


def test_a_check_is_looked_at_and_told_once(store: SqlStore) -> None:
    world = World()
    for delivery in ("d1", "d1", "d2"):
        asked(store, world, delivery)
    run = checks(store, world)
    assert run.due() == ("lease1",)
    claim = taken(store, Duty.CHECK, NOW)
    assert run.step(claim) is run.step(claim) is False
    assert (world.looks, told(store, NoticeKind.CHECKED), run.due()) == (1, ["check:c-d1"], ())
    with store.read() as tx:
        lease = tx.leases.get("lease1")
    assert lease is not None
    assert lease.checklist == GOOD


def test_a_check_whose_worker_dies_after_the_look_is_told_once(store: SqlStore) -> None:
    world = World(dies_at=FaultPoint.CHECK_LOOKED)
    asked(store, world, "d1")
    with pytest.raises(Died):
        checks(store, world).step(taken(store, Duty.CHECK, NOW))
    assert told(store, NoticeKind.CHECKED) == []
    world.dies_at, world.now = None, NOW + timedelta(minutes=1)
    assert checks(store, world).due() == ("lease1",)
    checks(store, world).step(taken(store, Duty.CHECK, world.now))
    assert told(store, NoticeKind.CHECKED) == ["check:c-d1"]


def test_a_machine_that_does_not_answer_has_a_checklist_of_what_is_not_known(store: SqlStore) -> None:
    world = World(reachable=False)
    asked(store, world, "d1")
    checks(store, world).step(taken(store, Duty.CHECK, NOW))
    with store.read() as tx:
        lease = tx.leases.get("lease1")
    assert lease is not None
    assert lease.checklist is not None
    assert {line.verdict for line in lease.checklist.lines} == {Verdict.UNKNOWN}
    assert told(store, NoticeKind.CHECKED) == ["check:c-d1"]


def test_who_may_not_check_and_when_there_is_nothing_to_look_at(store: SqlStore) -> None:
    world = World()
    with pytest.raises(Refused, match="not-owner"):
        asked(store, world, "d1", BEN)
    with store.transaction() as tx:
        tx.leases.save(handed_over(LeaseState.STOPPED), NOW)
    with pytest.raises(Refused, match="not-now"):
        asked(store, world, "d2")


def observe(store: SqlStore, world: World) -> ObserveUse:
    return ObserveUse(store, Machine(world), OpenVault(), world, NoFaults(), world.clock, ABLE, RULE, lambda: "q1")


def minutes(store: SqlStore, world: World, count: int) -> None:
    """Look once a minute."""
    for _ in range(count):
        world.now += timedelta(minutes=1)
        assert observe(store, world).due() == ("lease1",)
        observe(store, world).step(taken(store, Duty.USE, world.now, f"w{world.looks}"))
        assert observe(store, world).due() == ()


def test_an_idle_machine_is_brought_up_once_a_rung(store: SqlStore) -> None:
    world = World()
    minutes(store, world, 2)
    assert told(store, NoticeKind.IDLE) == []
    minutes(store, world, 2)
    assert len(told(store, NoticeKind.IDLE)) == 1
    minutes(store, world, 1)
    assert len(told(store, NoticeKind.IDLE)) == 2


def idle_since(store: SqlStore) -> float | None:
    """In seconds after `NOW`; None: no spell."""
    with store.read() as tx:
        activity = tx.use.get("lease1")
    since = activity.idle_since if activity is not None else None
    return None if since is None else (since - NOW).total_seconds()


def test_a_short_job_between_two_looks_is_use(store: SqlStore) -> None:
    world = World()
    minutes(store, world, 1)
    assert idle_since(store) == 60
    short = job(JobState.ENDED, lease_id="lease1", started_at=NOW, ended_at=NOW + timedelta(seconds=90))
    never = job(JobState.ENDED, id="j2", lease_id="lease1", started_at=None, ended_at=NOW + timedelta(seconds=100))
    with store.transaction() as tx:
        tx.jobs.add(short)
        tx.jobs.add(never)
    before = wanted(store)
    minutes(store, world, 2)
    assert (idle_since(store), told(store, NoticeKind.IDLE)) == (90, [])
    assert wanted(store) > before
    minutes(store, world, 1)
    assert len(told(store, NoticeKind.IDLE)) == 1


def test_a_job_whose_end_is_not_known_yet_is_use(store: SqlStore) -> None:
    world = World()
    minutes(store, world, 1)
    with store.transaction() as tx:
        tx.jobs.add(job(JobState.RUNNING, lease_id="lease1"))
    minutes(store, world, 3)
    assert (idle_since(store), told(store, NoticeKind.IDLE)) == (240, [])
    with store.transaction() as tx:  # it is not seen any more since then
        tx.jobs.save(job(JobState.UNKNOWN, lease_id="lease1", started_at=NOW, seen_at=NOW + timedelta(seconds=200)))
    minutes(store, world, 3)
    assert idle_since(store) == 240


def test_not_knowing_is_not_idle(store: SqlStore) -> None:
    world = World()
    minutes(store, world, 2)
    world.reachable = False
    minutes(store, world, 30)
    assert told(store, NoticeKind.IDLE) == []
    with store.read() as tx:
        activity = tx.use.get("lease1")
        verdicts = [sample.verdict for sample in tx.use.samples("lease1", NOW)]
    assert activity is not None
    assert (activity.idle_since, activity.use) == (None, IDLE)
    assert verdicts == [UseVerdict.IDLE] * 2 + [UseVerdict.UNKNOWN] * 30


def test_keep_silences_and_shows_on_the_card(store: SqlStore) -> None:
    world = World()
    minutes(store, world, 2)
    before = wanted(store)
    KeepQuiet(store, world, world.clock, Policy())(ANA, "lease1", 3600, "d1")
    minutes(store, world, 59)
    assert told(store, NoticeKind.IDLE) == []
    assert len(told(store, NoticeKind.KEPT_QUIET)) == 1
    assert wanted(store) > before
    minutes(store, world, 3)
    assert len(told(store, NoticeKind.IDLE)) == 1


def test_samples_are_kept_for_a_day(store: SqlStore) -> None:
    world = World()
    minutes(store, world, 1)
    world.now += timedelta(hours=25)
    minutes(store, world, 1)
    with store.read() as tx:
        assert len(tx.use.samples("lease1", NOW)) == 1


def test_who_lost_the_claim_stores_nothing(store: SqlStore) -> None:
    world = World()
    world.now += timedelta(minutes=1)
    claim = taken(store, Duty.USE, world.now)
    taken(store, Duty.USE, world.now + timedelta(minutes=1), "w2")
    with pytest.raises(ClaimLost):
        observe(store, world).step(claim)
    with store.read() as tx:
        assert tx.use.get("lease1") is None
