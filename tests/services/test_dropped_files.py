"""Dropped files, where something happens at the same time: who is quicker, who answers, what a machine's end means."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.drops.drop import Choice, FileState, WhyNot
from bot.domain.lease import LeaseState, Want
from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.errors import ClaimLost, MessageLost, Refused, SlackBusy, Unreachable
from bot.ports.faults import FaultPoint
from bot.services.place_files import TOLD_FIRST_BYTES
from storage.schema import migrate
from storage.store import SqlStore
from tests.domain.lifecycle.sample import NOW, handed_over
from tests.services.dropping import ANA, BEN, DAN, TTL, Thread


@pytest.fixture
def thread(tmp_path: Path) -> Iterator[Thread]:
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    store = SqlStore(url)
    with store.transaction() as tx:
        tx.leases.add(handed_over(LeaseState.READY))
    yield Thread(store)
    store.close()


def test_told_once_and_put_once(thread: Thread) -> None:
    thread.drop("a", "b")
    thread.drop("a", "b")
    drop = thread.work()
    thread.work(after=TTL)
    assert thread.machine.files == {"a.py": b"new a", "b.py": b"new b"}
    assert (len(thread.teller.said), thread.teller.edited) == (1, [])
    assert drop.ended_at == NOW
    assert thread.place.due() == ()


def test_of_a_big_one_is_said_that_it_is_on_its_way(thread: Thread) -> None:
    said_before: list[int] = []
    thread.slack.meanwhile = lambda: said_before.append(len(thread.teller.said))
    thread.place = replace(thread.place, most_bytes=2 * TOLD_FIRST_BYTES)
    thread.drop("a", "b")
    thread.slack.contents["a"] = bytes(TOLD_FIRST_BYTES)
    assert thread.work().ended_at is not None
    assert said_before == [1, 1]
    assert (len(thread.teller.said), len(thread.teller.edited)) == (1, 1)
    assert len(thread.machine.files["a.py"]) == TOLD_FIRST_BYTES


def test_the_end_of_the_bot_is_not_held_up(thread: Thread) -> None:
    thread.drop("a", "b")
    thread.is_stopping = True
    thread.work()
    assert (thread.machine.files, thread.teller.said) == ({}, [])
    thread.is_stopping = False
    assert thread.work().ended_at is not None
    assert thread.machine.files == {"a.py": b"new a", "b.py": b"new b"}


def test_a_name_that_is_taken_in_the_last_instant_is_asked_about(thread: Thread) -> None:
    thread.slack.meanwhile = lambda: thread.machine.entries.update({"a.py": (b"quicker", 5)})
    thread.drop("a")
    thread.work()
    drop = thread.work(after=TTL)
    assert drop.files[0].state is FileState.ASKED
    assert thread.machine.files == {"a.py": b"quicker"}


def test_somebody_elses_file_of_the_same_size_and_second_is_not_taken_for_ours(thread: Thread) -> None:
    quicker = {"a.py": (b"old a", thread.machine.now_s)}
    thread.slack.meanwhile = lambda: thread.machine.entries.update(quicker)
    thread.drop("a")
    thread.work()
    drop = thread.work(after=TTL)
    assert drop.files[0].state is FileState.ASKED
    assert thread.machine.files == {"a.py": b"old a"}


def test_what_was_written_and_never_named_before_a_crash_is_not_taken_for_placed(thread: Thread) -> None:
    class Crash(Exception):
        def reach(self, _point: FaultPoint) -> None:
            left.update(thread.machine.entries)
            raise self

    left = {"a.py": (b"old a", thread.machine.now_s)}
    sound = thread.place
    thread.place = replace(sound, faults=Crash())
    thread.drop("a")
    with pytest.raises(Crash):
        thread.work()
    thread.place, thread.machine.entries = sound, left
    assert thread.work(after=TTL).files[0].state is FileState.ASKED
    assert thread.machine.files == {"a.py": b"old a"}


def test_nothing_is_put_on_a_machine_that_is_wished_away_meanwhile(thread: Thread) -> None:
    thread.slack.meanwhile = lambda: thread.change_lease(want=Want.RELEASED)
    thread.drop("a", "b")
    thread.work()
    drop = thread.work(after=TTL)
    assert [(file.state, file.why) for file in drop.files] == [(FileState.FAILED, WhyNot.LEAVING)] * 2
    assert thread.machine.files == {}
    assert drop.ended_at is not None


def test_who_lost_the_claim_names_nothing(thread: Thread) -> None:
    def taken_over() -> None:
        thread.slack.meanwhile = lambda: None
        thread.world.now += 2 * TTL
        assert thread.work("w2").files[0].state is FileState.PLACED

    thread.slack.meanwhile = taken_over
    thread.drop("a")
    with pytest.raises(ClaimLost):
        thread.work("w1")
    assert thread.machine.files == {"a.py": b"new a"}
    assert thread.dropped.files[0].state is FileState.PLACED
    assert len(thread.teller.said) == 1


def test_an_answer_that_comes_while_another_file_is_put_is_kept(thread: Thread) -> None:
    thread.machine.entries["a.py"] = (b"old", 5)
    thread.drop("a", "b")

    def answered() -> None:
        thread.slack.meanwhile = lambda: None
        thread.take.choose(ANA, "d1", 0, Choice.REPLACE)

    thread.slack.meanwhile = answered
    thread.work()
    drop = thread.work()
    assert [file.state for file in drop.files] == [FileState.PLACED] * 2
    aside = drop.files[0].aside
    assert thread.machine.files == {"a.py": b"new a", "b.py": b"new b", aside: b"old"}
    with thread.store.read() as tx:
        entries = [entry for entry in tx.audit.of("lease1", 10) if entry.action == "file-put"]
    assert [(entry.actor, entry.facts.get("aside")) for entry in entries] == [("U1", f"work/{aside}"), ("U1", None)]


def test_the_first_answer_counts_and_only_of_those_who_may(thread: Thread) -> None:
    thread.machine.entries["a.py"] = (b"old", 5)
    thread.drop("a")
    thread.work()
    with pytest.raises(Refused, match="not-owner"):
        thread.take.choose(DAN, "d1", 0, Choice.REPLACE)
    thread.take.choose(BEN, "d1", 0, Choice.LEAVE)
    for index, choice in ((0, Choice.REPLACE), (1, Choice.LEAVE), (-1, Choice.LEAVE)):
        with pytest.raises(Refused, match="file-answered"):
            thread.take.choose(ANA, "d1", index, choice)
    assert thread.work().ended_at is not None
    assert thread.machine.files == {"a.py": b"old"}
    assert len(thread.teller.edited) == 1


def test_a_machine_that_never_answers_is_given_up_and_that_is_said(thread: Thread) -> None:
    thread.machine.trouble = Unreachable("tcp", "refused")
    thread.drop("a")
    thread.work()
    for _ in range(12):
        thread.work(after=timedelta(minutes=11))
    drop = thread.dropped
    assert (drop.files[0].state, drop.files[0].why) == (FileState.FAILED, WhyNot.UNREACHABLE)
    assert (len(thread.teller.said), len(thread.teller.edited)) == (1, 1)
    assert drop.ended_at is not None


def test_slack_that_does_not_take_the_words_hears_them_later(thread: Thread) -> None:
    thread.teller.refusals = [SlackBusy(3.0), SlackBusy(3.0)]
    thread.drop("a")
    assert thread.work().ended_at is None
    thread.work(after=timedelta(seconds=4))
    assert thread.work(after=timedelta(seconds=4)).ended_at is not None
    assert (len(thread.teller.said), thread.machine.files) == (1, {"a.py": b"new a"})


def test_a_question_that_was_deleted_is_answered_anew(thread: Thread) -> None:
    thread.machine.entries["a.py"] = (b"old", 5)
    thread.drop("a")
    thread.work()
    thread.teller.refusals = [MessageLost("message_not_found")]
    thread.take.choose(ANA, "d1", 0, Choice.BOTH)
    assert thread.work().told == MessageRef("C1", "2.2")
    assert thread.machine.files == {"a.py": b"old", "a-2.py": b"new a"}


def test_a_question_stays_open_for_a_day(thread: Thread) -> None:
    thread.machine.entries["a.py"] = (b"old", 5)
    thread.drop("a")
    thread.work()
    assert thread.work(after=timedelta(hours=23)).files[0].state is FileState.ASKED
    drop = thread.work(after=timedelta(hours=1))
    assert (drop.files[0].state, drop.files[0].why) == (FileState.LEFT, WhyNot.UNANSWERED)
    assert (len(thread.teller.edited), drop.ended_at) == (1, thread.world.now)


@pytest.mark.parametrize(
    ("changes", "who", "files", "why"),
    [
        ({}, DAN, 1, "not-owner"),
        ({}, ANA, 21, "too-many"),
        ({"want": Want.RELEASED}, ANA, 1, "leaving"),
        ({"want": Want.STOPPED}, ANA, 1, "stopped"),
        ({"state": LeaseState.UNFIT}, ANA, 1, "unfit"),
        ({"state": LeaseState.RELEASED}, ANA, 1, "lease-over"),
    ],
)
def test_what_is_not_taken(thread: Thread, changes: dict[str, object], who: Actor, files: int, why: str) -> None:
    thread.change_lease(**changes)
    with pytest.raises(Refused, match="file-not-taken") as refused:
        thread.drop(*(f"f{n}" for n in range(files)), who=who)
    assert refused.value.facts["why"] == why
    assert thread.place.due() == ()
    assert [thread.take.is_news("U3", thread.lease, why) for _ in range(2)] == [True, False]


def test_what_a_machine_that_stopped_was_left_with_goes_with_the_next_drop(thread: Thread) -> None:
    remove = thread.machine.remove

    def stops() -> None:
        def no_answer(_name: str) -> None:
            raise Unreachable("tcp", "it does not answer")

        thread.machine.remove = no_answer  # type: ignore[method-assign]
        raise Unreachable("session", "the connection was lost")

    thread.slack.meanwhile = stops
    thread.drop("a")
    thread.work()
    thread.change_lease(state=LeaseState.STOPPED)
    assert thread.work(after=timedelta(hours=1)).ended_at is not None
    assert [name.startswith(".gpubot-d1-0-") for name in thread.machine.files] == [True]
    thread.machine.remove = remove  # type: ignore[method-assign]
    thread.slack.meanwhile = lambda: None
    thread.change_lease(state=LeaseState.READY)
    thread.drop("b", delivery="two")
    thread.work()
    assert thread.machine.files == {"b.py": b"new b"}
    assert thread.dropped.left_over == ()
