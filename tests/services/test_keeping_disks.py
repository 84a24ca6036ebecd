"""A kept disk's question over time, beside the real local provider: yeses that run out, disks that go and come."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.disk import Disk, DiskState
from bot.domain.inventory.inventory import WhyUnknown, unknown
from bot.domain.lease import LeaseState
from bot.domain.living import Subject
from bot.domain.notice import NoticeKind
from bot.domain.on_disk import OnDisk
from bot.domain.people import Actor
from bot.domain.question import Answer, Question, QuestionState
from bot.errors import Refused
from bot.ports.faults import FaultPoint
from bot.providers.local.misbehave import Misbehaviour
from bot.providers.local.provider import LocalProvider
from bot.services.answer_question import AnswerQuestion
from bot.services.disks import Disks
from bot.services.keep_disks import KeepDisks
from bot.services.read_answers import Connected, ReadAnswers
from bot.services.read_home import ReadHome
from handlers.words.home import asked_about
from storage.store import SqlStore
from tests.domain.lifecycle.sample import NOW, handed_over, lease
from tests.services.asking import BEN, MINUTE, OWNER, POLICY, Ticking, kinds, leased, round_of
from tests.services.test_reading_answers import HERE, Under, give
from tests.services.test_watching import Died

ANA = Actor(OWNER, "T1")
SEEN = OnDisk("lease1", unknown(WhyUnknown.NOT_RUNNING, NOW))
"""Its machine was stopped when it was released."""
Q = QuestionState


@dataclass
class Place:
    """One kept disk of Ana's at the provider's, looked at when its machine was released."""

    store: SqlStore
    world: Ticking
    root: Path
    asking: Disks
    taking: AnswerQuestion
    keeping: KeepDisks

    def disk(self) -> Disk:
        with self.store.read() as tx:
            found = tx.disks.get("d1")
        assert found is not None
        return found

    def question(self) -> Question:
        with self.store.read() as tx:
            found = tx.questions.latest_of_disk("d1")
        assert found is not None
        return found

    def answer(self, answer: Answer) -> None:
        """And the reactions under it are read from then on."""
        self.taking.answer(ANA, self.question().id, answer)

    def read(self) -> None:
        with self.store.transaction() as tx:
            tx.questions.signs_read(self.question().id, self.world.now)

    def go_on(self, seconds: float, rounds: int = 3) -> None:
        self.world.go_on(seconds)
        for _ in range(rounds):
            with self.store.transaction() as tx:
                tx.disks.look_now("d1", self.world.now)
            round_of(self.store, self.keeping, self.world)

    @property
    def data(self) -> Path:
        return self.root / "disks" / "vol-1"

    def keep(self) -> None:
        (self.data / "data").mkdir(parents=True)
        (self.data / "disk.json").write_text('{"id": "vol-1", "region": "here-1", "size_gib": 100}')


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with leased(tmp_path) as store:
        root, world = tmp_path / "local", Ticking()
        provider = LocalProvider(root, clock=world.clock)
        provider.disks()
        ids = (f"q{number}" for number in range(1, 99))
        parts = (store, world, world.clock)
        here = Place(
            store,
            world,
            root,
            Disks(*parts, ids.__next__, POLICY),
            AnswerQuestion(store, world, world, world.clock, ids.__next__, POLICY, has_archive=True),
            KeepDisks(store, {"local": provider}, world, world, world.clock, ids.__next__, timedelta(minutes=1)),
        )
        here.keep()
        with store.transaction() as tx:
            tx.leases.save(handed_over(LeaseState.RELEASED, released_at=NOW, ends_at=NOW), NOW)
            kept = Disk("d1", "models", OWNER, "T1", "C1", "local", "here-1", 100, 60, "lease1", DiskState.LEAVING, NOW)
            tx.disks.add(kept.evolve(state=DiskState.KEPT, volume_id="vol-1").moved(DiskState.KEPT, NOW))
            tx.disks.looked("d1", SEEN, NOW)
        yield here


def test_a_yes_past_its_grace_deletes_it_once_the_reactions_were_read(place: Place) -> None:
    place.asking.ask(ANA, "models")
    place.answer(Answer.YES)
    place.go_on(59)
    place.go_on(10)
    assert place.data.exists(), "nobody has read the reactions since the grace"
    place.read()
    place.world.dies_at = FaultPoint.DISK_DELETED
    with pytest.raises(Died):
        place.go_on(1)
    place.world.dies_at = None
    place.go_on(1)
    assert not place.data.exists()
    assert (place.disk().state, place.disk().intervals[-1].ended_at) == (DiskState.DELETED, place.world.now)
    assert kinds(place.store).count(NoticeKind.DISK_DELETED) == 1


def test_no_takes_a_yes_back_in_its_grace(place: Place) -> None:
    place.asking.ask(ANA, "models")
    place.answer(Answer.YES)
    place.answer(Answer.NO)
    place.read()
    place.go_on(120)
    assert (place.disk().state, place.question().state, place.data.exists()) == (DiskState.KEPT, Q.NO, True)


def test_a_yes_that_ran_out_is_asked_anew(place: Place) -> None:
    place.asking.ask(ANA, "models")
    place.answer(Answer.YES)
    place.go_on(16 * 60)
    anew = place.question()
    assert (anew.state, anew.follows, anew.asked_by) == (Q.OPEN, "q1", OWNER)
    place.read()
    place.go_on(1)
    assert place.data.exists()
    with place.store.read() as tx:
        assert tx.looks.of(anew.id).shown == SEEN.inventory
        asked = tx.questions.get("q1")
        assert [one.id for one in tx.questions.answerable()] == [anew.id]
    assert asked is not None
    assert asked.state is Q.SUPERSEDED
    with pytest.raises(Refused, match="question-over"):
        place.taking.answer(ANA, "q1", Answer.YES)


def test_what_cannot_be_seen_is_not_lost_and_a_complete_listing_without_it_is_told_once(place: Place) -> None:
    place.data.rename(place.root / "elsewhere")
    misbehaviour = Misbehaviour(place.root)
    misbehaviour.set(list_first=0)
    place.go_on(60)
    assert place.disk().state is DiskState.KEPT
    misbehaviour.clear()
    place.go_on(60)
    place.go_on(3600)
    lost = place.disk()
    assert (lost.state, lost.intervals[-1].ended_at) == (DiskState.LOST, NOW + 2 * MINUTE)
    assert kinds(place.store).count(NoticeKind.DISK_LOST) == 1


def test_a_yes_deletes_nothing_that_is_gone_already(place: Place) -> None:
    """Nobody looked since somebody else deleted it: the look before a deletion sees it."""
    place.asking.ask(ANA, "models")
    place.answer(Answer.YES)
    place.data.rename(place.root / "elsewhere")
    place.world.go_on(61)
    place.read()
    place.go_on(1)
    assert place.disk().state is DiskState.LOST
    assert NoticeKind.DISK_DELETED not in kinds(place.store)


@pytest.mark.parametrize(
    ("state", "why"), [(LeaseState.VANISHED, WhyUnknown.NEVER_LOOKED), (LeaseState.FAILED, WhyUnknown.NOT_RUNNING)]
)
def test_after_a_machine_that_was_not_released_only_one_that_never_was_leaves_the_look(
    place: Place, state: LeaseState, why: WhyUnknown
) -> None:
    """And never, that a look before that machine says what is on it."""
    with place.store.transaction() as tx:
        later = replace(lease(state), id="lease2", name="blue-owl", disk_id="vol-1")
        tx.leases.add(later)
        tx.disks.save(place.disk().moved(DiskState.ATTACHED, NOW, lease_id="lease2"))
    place.go_on(60)
    place.asking.ask(ANA, "models")
    with place.store.read() as tx:
        shown = tx.looks.of(place.question().id).shown
    assert shown is not None
    assert (shown.why_unknown, place.question().lease_id) == (why, "lease2")
    assert (shown == SEEN.inventory) == (state is LeaseState.FAILED)


def test_an_approvers_sign_waits_for_the_owner_counts_by_itself_and_deletes(place: Place) -> None:
    """Read while nobody listened; of people who left, and of 💾, nothing counts."""
    under = Under()
    reading = ReadAnswers(
        place.store, under, place.taking, place.world, place.world, place.world.clock, POLICY, 60, 30, Connected(NOW)
    )
    place.asking.ask(Actor(BEN, "T1"), "models")
    with place.store.transaction() as tx:
        living = tx.living.get(Subject.QUESTION, "q1")
        assert living is not None
        tx.living.shown(living, HERE, NOW)
        (queued,) = [one for one in tx.outbox.due(NOW, 9) if one.notice.kind is NoticeKind.OWNER_ASKED]
        assert (queued.notice.facts["to"], queued.notice.facts["disk"]) == (OWNER, "models")
        tx.outbox.said(queued.id, NOW)
    under.given = give(BEN) | give(OWNER, answer=Answer.SAVE)
    place.world.go_on(31)
    round_of(place.store, reading, place.world)
    asked = place.question()
    assert (asked.state, asked.owner_first_until) == (Q.OPEN, NOW + 10 * MINUTE)
    under.people[OWNER] = Actor(OWNER, "T1", is_deactivated=True)
    under.given = give(BEN) | give(OWNER, answer=Answer.NO)
    place.world.go_on(570)
    round_of(place.store, reading, place.world)
    assert (place.question().state, place.question().answered_by) == (Q.YES, BEN)
    place.go_on(61)
    assert place.data.exists()
    round_of(place.store, reading, place.world)
    place.go_on(1)
    assert place.disk().state is DiskState.DELETED
    with place.store.read() as tx:
        told = [
            one.notice for one in tx.outbox.due(NOW + MINUTE * 99, 99) if one.notice.kind is NoticeKind.SIGN_REFUSED
        ]
        approved = next(entry for entry in tx.audit.of("lease1", 9) if entry.action == "disk-delete-approved")
    assert {(one.facts["to"], one.facts["reason"]) for one in told} == {
        (BEN, "owner-first"),
        (OWNER, "save-needs-machine"),
    }
    assert (approved.actor, approved.facts["fingerprint"]) == (BEN, SEEN.inventory.fingerprint)


def test_it_waits_on_the_homes_of_those_who_may_answer(place: Place) -> None:
    place.asking.ask(ANA, "models")
    home = ReadHome(place.store, place.world.clock, POLICY, {})
    for user, is_there in ((OWNER, True), (BEN, True), ("U9", False)):
        (*asked,) = home(Actor(user, "T1")).questions
        assert [one.disk == place.disk() for one in asked] == [True] * is_there
    (asked_about_it,) = home(ANA).questions
    assert asked_about(asked_about_it, None).startswith(f"Delete the disk *models* of <@{OWNER}>? Asked by <@{OWNER}>")
    place.answer(Answer.NO)
    assert not home(ANA).questions
