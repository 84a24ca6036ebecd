"""Dropped files: their names on a machine, what is done with each, and when a drop has come to its end."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.drops.deciding import AskFirst, IsThere, Put, PutBeside, held_up_by, next_move
from bot.domain.drops.drop import Choice, Drop, DroppedFile, Entry, EntryKind, FileState, WhyNot
from bot.domain.drops.names import LONGEST_BYTES, name_aside, name_on_machine, other_names, part_name
from bot.domain.instance import SshAddress
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.places import MessageRef
from tests.storage.samples import lease

NOW = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)
OLD = Entry(EntryKind.FILE, 12, 1_700_000_000)
NEW = DroppedFile("F1", name="train.py", size_bytes=3)


def ready(**changes: object) -> Lease:
    return replace(lease(), state=LeaseState.READY, address=SshAddress("h", 22, "u", None), **changes)  # type: ignore[arg-type]


def drop(*files: DroppedFile, **changes: object) -> Drop:
    return Drop("d1", "l1", MessageRef("C1", "1.1"), "U1", NOW, files or (NEW,)).evolve(**changes)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("train.py", "train.py"),
        ("数据 集.csv", "数据 集.csv"),
        (".env", ".env"),
        ("..", "file-F1"),
        (".", "file-F1"),
        ("", "file-F1"),
        ("\n\t", "file-F1"),
        ("../../etc/passwd", ".._.._etc_passwd"),
        ("C:\\data\\x.csv", "C:_data_x.csv"),
        ("-rf", "_-rf"),
        ("a\nb\x00c\x1b[31m\u202ed", "a_b_c_[31m_d"),
        ("e\u0301.py", "\u00e9.py"),
        ("a\u00a0b \ud800", "a b"),
        (".gpubot-volume", "_.gpubot-volume"),
        ("x" * 300 + ".tar.gz", "x" * 248 + ".tar.gz"),
        ("字" * 100 + ".py", "字" * 84 + ".py"),
    ],
)
def test_names(name: str, expected: str) -> None:
    assert name_on_machine(name, "F1") == expected


@given(st.text(max_size=400))
def test_any_name_is_one_component(name: str) -> None:
    found = name_on_machine(name, "F1")
    for made in (found, name_aside(found, NOW), next(other_names(found)), part_name("d" * 16, 19, 10**9)):
        assert 0 < len(made.encode()) <= LONGEST_BYTES
        assert "/" not in made
        assert made not in (".", "..")
        assert made.isprintable()
    assert not found.startswith("-")
    assert name_on_machine(found, "F1") == found


def test_names_beside_and_aside_keep_their_ending() -> None:
    assert [name for name, _ in zip(other_names("data.tar.gz"), range(2), strict=False)] == [
        "data-2.tar.gz",
        "data-3.tar.gz",
    ]
    assert next(other_names(".env")) == ".env-2"
    assert name_aside("train.py", NOW) == "train.before-20261130-201500.py"


def test_nothing_is_overwritten_unasked() -> None:
    assert next_move(NEW, None) == Put()
    assert next_move(NEW, OLD) == AskFirst(OLD)
    assert next_move(NEW.evolve(choice=Choice.REPLACE), OLD) == Put(aside=True)
    assert next_move(NEW.evolve(choice=Choice.BOTH), OLD) == PutBeside()
    ours = NEW.evolve(stamp=1_800_000_000)
    assert next_move(ours, Entry(EntryKind.FILE, 3, 1_800_000_000)) == IsThere()
    for other in (OLD, Entry(EntryKind.FILE, 3, 1_800_000_001), Entry(EntryKind.LINK, 3, 1_800_000_000)):
        assert next_move(ours, other) == AskFirst(other)


def test_which_machines_take_files() -> None:
    assert held_up_by(ready()) is None
    assert held_up_by(lease()) is WhyNot.BOOTING
    assert held_up_by(ready(want=Want.STOPPED)) is WhyNot.STOPPED
    assert held_up_by(ready(want=Want.RELEASED)) is WhyNot.LEAVING
    assert held_up_by(ready(keys_applied="fenced")) is WhyNot.LEAVING
    assert held_up_by(replace(ready(), state=LeaseState.UNFIT)) is WhyNot.UNFIT
    assert held_up_by(replace(ready(), state=LeaseState.RELEASED)) is WhyNot.OVER


def test_it_is_tried_so_often_and_then_no_more() -> None:
    tried = drop().evolve(told_as="x")
    for _ in range(7):
        tried = tried.held_up(WhyNot.UNREACHABLE, counts=True)
        assert tried.files[0].state is FileState.WAITING
    waits = tried.evolve(told_as=tried.shown).planned(NOW).next_try_at
    assert waits == NOW + timedelta(seconds=640)
    given_up = tried.held_up(WhyNot.UNREACHABLE, counts=True)
    assert (given_up.files[0].state, given_up.files[0].why) == (FileState.FAILED, WhyNot.UNREACHABLE)
    assert given_up.planned(NOW).ended_at is None, "it has to be told first"
    assert given_up.evolve(told_as=given_up.shown).planned(NOW).ended_at == NOW


def test_booting_is_waited_for_as_long_as_it_takes() -> None:
    waiting = drop()
    for _ in range(100):
        waiting = waiting.held_up(WhyNot.BOOTING, counts=False)
    assert waiting.files[0].state is FileState.WAITING


def test_what_nobody_answers_stays_as_it_is() -> None:
    asked = drop(NEW.evolve(state=FileState.ASKED, there=OLD))
    day = timedelta(days=1)
    assert asked.evolve(told_as=asked.shown).planned(NOW).next_try_at == NOW + day
    assert asked.unanswered(NOW + day - timedelta(seconds=1)) == asked
    assert asked.unanswered(NOW + day).files[0].state is FileState.LEFT
