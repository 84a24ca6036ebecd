"""Answers that nobody heard are read, and taken once, by the rules that hold for all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.domain.answering import Sign
from bot.domain.departure import owner_asked
from bot.domain.lease import LeaseState
from bot.domain.living import Subject
from bot.domain.notice import Notice, NoticeKind
from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.domain.question import Answer, Question, QuestionState
from bot.errors import SlackBusy
from bot.ports.faults import FaultPoint, NoFaults
from bot.services.answer_question import AnswerQuestion
from bot.services.read_answers import Connected, ReadAnswers
from handlers.words.ending import direct_words
from storage.store import SqlStore
from tests.domain.lifecycle.sample import NOW, SHOWN, question
from tests.services.asking import BEN, MINUTE, OWNER, POLICY, Ticking, kinds, latest, leased, round_of
from tests.services.test_watching import Died

HERE = MessageRef("C1", "2.0")
Q, A = QuestionState, Answer


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    with leased(tmp_path) as store:
        yield store


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
    takes = AnswerQuestion(store, world, NoFaults(), world.clock, lambda: "s1", POLICY, has_archive=True)
    parts = (world, world, world.clock)
    reading = ReadAnswers(store, under, takes, *parts, POLICY, 60, 120, Connected(NOW))
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


def test_a_save_that_cannot_be_yet_is_told_once_and_counts_when_the_machine_runs(store: SqlStore) -> None:
    here = town(store, question(Q.OPEN))
    _moved(store, LeaseState.STOPPED)
    here.under.given = give(OWNER, answer=A.SAVE)
    for _ in range(2):
        here.round()
        here.world.go_on(121)
    assert here.question().state is Q.OPEN
    with store.read() as tx:
        (told,) = [queued.notice for queued in tx.outbox.due(here.world.now, 9)]
        lease = tx.leases.get("lease1")
    assert lease is not None
    assert (told.kind, told.facts["to"]) == (NoticeKind.SIGN_REFUSED, OWNER)
    assert "it counts by itself" in direct_words(told, lease)
    assert "Take the 💾 away to withdraw it" in direct_words(told, lease)
    _moved(store, LeaseState.STARTING, LeaseState.BOOTING, LeaseState.CHECKING, LeaseState.READY)
    here.round()
    assert here.question().state is Q.SAVING


def _moved(store: SqlStore, *states: LeaseState) -> None:
    with store.transaction() as tx:
        for state in states:
            lease = tx.leases.lock("lease1")
            assert lease is not None
            tx.leases.save(lease.moved(state, NOW), NOW)


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
