"""At a lease's end it is asked once, whatever the clock does and wherever the process dies; answers nobody heard are
read once, by the rules that hold for all."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.domain.answering import Sign
from bot.domain.claim import Duty
from bot.domain.departure import owner_asked
from bot.domain.ending import EndRule
from bot.domain.idle import IdleRule
from bot.domain.lease import LeaseState, Want
from bot.domain.living import Subject
from bot.domain.notice import Notice, NoticeKind
from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.domain.policy import Policy
from bot.domain.question import Answer, Cause, Question, QuestionState
from bot.domain.use import Activity, Use, UseVerdict
from bot.errors import SlackBusy
from bot.ports.faults import FaultPoint, NoFaults
from bot.services.mind_ends import MindEnds, SteadyClock
from bot.services.operate import Operate
from bot.services.read_answers import Connected, ReadAnswers
from bot.services.release import Release
from storage.schema import migrate
from storage.store import SqlStore
from tests.domain.lifecycle.sample import NOW, SHOWN, handed_over, question
from tests.services.test_watching import ABLE, Died, World

OWNER, BEN = "U1", "U2"
POLICY = Policy(approvers=frozenset({BEN}), owner_first_s=600)
HERE = MessageRef("C1", "2.0")
Q, A = QuestionState, Answer
MINUTE = timedelta(minutes=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    """A lease that ends in ten minutes, its card shown, its owner in UTC."""
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    store = SqlStore(url)
    with store.transaction() as tx:
        tx.leases.add(handed_over(LeaseState.READY, ends_at=NOW + 10 * MINUTE))
        card = tx.living.get(Subject.LEASE, "lease1")
        assert card is not None
        tx.living.shown(card, MessageRef("C1", "1.0"), NOW)
    yield store
    store.close()


@dataclass
class Ticking(World):
    """A world with a clock that nobody sets."""

    monotonic_s: float = 0.0

    def go_on(self, seconds: float, jump_s: float = 0.0) -> None:
        """Both clocks; the system's may jump besides."""
        self.monotonic_s += seconds
        self.now += timedelta(seconds=seconds + jump_s)


def ends(store: SqlStore, world: Ticking) -> MindEnds:
    steady = SteadyClock(world.clock, lambda: world.monotonic_s)
    numbers = (f"q{n}" for n in itertools.count(1))
    idle = IdleRule(60, 60)
    return MindEnds(store, world, world, world.clock, lambda: next(numbers), steady, ABLE, EndRule(), idle)


def round_of(store: SqlStore, reconciler: MindEnds | ReadAnswers, world: World) -> int:
    """How many things were due."""
    due = reconciler.due()
    for thing in due:
        with store.transaction() as tx:
            claim = tx.claims.take(thing, reconciler.duty, "w1", world.now, MINUTE)
        assert claim is not None
        try:
            reconciler.step(claim)
        finally:
            with store.transaction() as tx:
                tx.claims.drop(claim)
    return len(due)


def kinds(store: SqlStore) -> list[NoticeKind]:
    with store.read() as tx:
        return [queued.notice.kind for queued in tx.outbox.due(NOW + timedelta(days=9), 99)]


def latest(store: SqlStore) -> Question | None:
    with store.read() as tx:
        return tx.questions.latest("lease1")


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
        tx.use.save(Activity("lease1", looked_at=now, verdict=UseVerdict.IDLE, use=Use((0,)), idle_since=now))


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


@dataclass
class Under:
    """Reactions under the question, as Slack would tell them."""

    given: dict[Answer, Sign] = field(default_factory=dict)
    people: dict[str, Actor] = field(default_factory=dict)
    away: bool = False
    reads: int = 0

    def read(self, message: MessageRef) -> Mapping[Answer, Sign] | None:
        if self.away:
            raise SlackBusy(1)
        assert message == HERE
        self.reads += 1
        return self.given

    def person(self, user: str) -> Actor | None:
        return self.people.get(user, Actor(user, "T1"))


def give(*users: str, answer: Answer = A.YES, unnamed: int = 0) -> dict[Answer, Sign]:
    return {answer: Sign(answer, users, unnamed)}


@dataclass
class Town:
    """A question that is out, and who reads under it."""

    store: SqlStore
    under: Under
    world: Ticking
    reading: ReadAnswers

    def round(self) -> int:
        return round_of(self.store, self.reading, self.world)

    def question(self) -> Question:
        found = latest(self.store)
        assert found is not None
        return found


def town(store: SqlStore, asked: Question) -> Town:
    world, under = Ticking(), Under()
    with store.transaction() as tx:
        tx.questions.add(replace(asked, signs_read_at=None))
        tx.looks.show(asked.id, SHOWN)
        living = tx.living.get(Subject.QUESTION, asked.id)
        assert living is not None
        tx.living.shown(living, HERE, NOW)
    release = Release(store, world, NoFaults(), world.clock, lambda: "s1", POLICY, has_archive=True)
    parts = (world, world, world.clock)
    reading = ReadAnswers(store, under, release, *parts, POLICY, 60, 120, Connected(NOW))
    return Town(store, under, world, reading)


def test_a_yes_that_nobody_heard_counts_once(store: SqlStore) -> None:
    here = town(store, question(Q.OPEN))
    here.under.given = give(OWNER)
    assert here.round() == 1
    asked = here.question()
    assert (asked.state, asked.answered_by, asked.signed_at) == (Q.YES, OWNER, NOW)
    assert here.round() == 0
    here.world.go_on(61)
    assert here.round() == 1, "once more after its grace"
    assert here.question().signs_read_at == here.world.now


def test_people_who_left_and_people_who_are_not_named_do_not_count(store: SqlStore) -> None:
    here = town(store, question(Q.OPEN))
    here.under.people[OWNER] = Actor(OWNER, "T1", is_deactivated=True)
    here.under.given = give(OWNER, "U9", unnamed=4)
    here.round()
    assert here.question().state is Q.OPEN


def test_taken_back_while_nobody_listened(store: SqlStore) -> None:
    here = town(store, question(Q.OPEN))
    here.under.given = give(OWNER)
    here.round()
    here.under.given = {}
    here.reading.connected.at = here.world.now + MINUTE
    here.world.go_on(61)
    here.round()
    assert here.question().state is Q.NO


def test_as_long_as_slack_is_away_nothing_counts_as_read(store: SqlStore) -> None:
    here = town(store, question(Q.OPEN))
    here.under.given = give(OWNER)
    here.round()
    here.under.away = True
    here.world.go_on(61)
    read_at = here.question().signs_read_at
    assert here.round() == 1
    assert here.question().signs_read_at == read_at
    here.under.away = False
    here.round()
    assert here.question().signs_read_at == here.world.now


def test_contradicting_signs_keep_it_and_the_person_is_told(store: SqlStore) -> None:
    here = town(store, question(Q.OPEN))
    here.under.given = give(OWNER) | give(BEN, answer=A.NO)
    here.round()
    assert (here.question().state, here.question().answered_by) == (Q.NO, BEN)
    with store.read() as tx:
        (told,) = [queued.notice for queued in tx.outbox.due(NOW, 9)]
    assert (told.kind, told.facts["to"]) == (NoticeKind.SIGNS_CONTRADICT, OWNER)


def test_an_approvers_yes_waits_for_the_owner_and_counts_by_itself(store: SqlStore) -> None:
    here = town(store, replace(question(Q.OPEN), asked_by=BEN))
    here.under.given = give(BEN)
    here.round()
    assert here.question().state is Q.OPEN
    assert here.question().owner_first_until is None, "the owner was not told yet"
    with store.transaction() as tx:
        tx.outbox.put(replace(_owner_asked(store), at_most_once=False), NOW)
        (queued,) = [q for q in tx.outbox.due(NOW, 9) if q.notice.kind is NoticeKind.OWNER_ASKED]
        tx.outbox.said(queued.id, NOW + MINUTE)
    here.world.go_on(120)
    here.round()
    assert here.question().owner_first_until == NOW + 11 * MINUTE
    here.world.go_on(500)
    here.round()
    assert here.question().state is Q.OPEN
    here.world.go_on(60)
    here.round()
    assert (here.question().state, here.question().answered_by) == (Q.YES, BEN)
    assert kinds(store).count(NoticeKind.SIGN_REFUSED) == 1, "told once that it waits"


def _owner_asked(store: SqlStore) -> Notice:
    with store.read() as tx:
        lease, asked = tx.leases.get("lease1"), tx.questions.latest("lease1")
    assert lease is not None
    assert asked is not None
    return owner_asked(lease, asked)


def test_an_owner_who_left_is_not_waited_for(store: SqlStore) -> None:
    here = town(store, replace(question(Q.OPEN), asked_by=BEN))
    here.under.people[OWNER] = Actor(OWNER, "T1", is_deactivated=True)
    here.under.given = give(BEN)
    here.round()
    assert here.question().owner_first_until == NOW
    here.world.go_on(121)
    here.round()
    assert here.question().state is Q.YES


def test_killed_after_reading_the_answer_is_taken_once(store: SqlStore) -> None:
    here = town(store, question(Q.OPEN))
    here.under.given = give(OWNER)
    here.world.dies_at = FaultPoint.ANSWERS_READ
    with pytest.raises(Died):
        here.round()
    here.world.dies_at = None
    assert here.question().state is Q.YES
    here.round()
    with store.read() as tx:
        assert [entry.action for entry in tx.audit.of("lease1", 9)] == ["release-approved"]
