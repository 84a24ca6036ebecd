"""What is known about people's data comes back as it was stored."""

import json
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.inventory.files import FileState, KnownFiles
from bot.domain.inventory.hashes import HashKind
from bot.domain.inventory.inventory import WhyUnknown, unknown
from bot.domain.inventory.parse import parse
from bot.domain.inventory.verification import ManifestEntry
from bot.domain.living import Subject
from bot.domain.looks import NO_LOOKS, LastLook
from bot.domain.notice import Priority
from bot.domain.question import QuestionState
from bot.domain.sync import NotSafe, SyncRun
from storage import tables
from storage.store import SqlStore
from tests.storage.samples import NOON, at, lease, question, show_card, unfilled

ODD = b"~/odd/\xff\n" + b"x" * 3000
STATE = FileState(ODD, 5, -1, 2**62, 2**64 - 1)
ENTRY = ManifestEntry(STATE, HashKind.MD5, "ab" * 16, at(1))
FULL = SyncRun(
    "s1", "l1", "U1", NOON, ("~/out", "/data"), "q1", at(1), at(2), "archive/U1/fox", 1, 2**40, 3, 2**41, 5, 1.5,
    "destination-full", "no space", (NotSafe.of(ODD, "changing"),), 6, 7, 2**42, "timed-out",
)  # fmt: skip


def told(size_bytes: int) -> str:
    some: dict[str, Any] = {"count": 0, "first": []}
    end = {
        "version": 1, "lines": 0, "was_cut": False, "home": "/home/dev", "files": 1, "bytes": size_bytes, "young": 0,
        "rest": "1" * 32, "apart": [["~/a\udcff", 1, 2, 3, 4]], "open": some, "unseen_processes": 0,
        "newest": [["~/a\udcff", size_bytes, 9]], "biggest": [], "left_out": {"cache": [1, 2]}, "links": some,
        "special": some, "blind": some, "by_root": some, "trees": some,
    }  # fmt: skip
    return json.dumps({"end": end}) + "\n"


@pytest.fixture
def ready(store: SqlStore) -> SqlStore:
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.leases.add(lease("l2", "blue-owl"))
    return store


def test_a_table_has_a_column_for_every_field_of_a_sync() -> None:
    assert {field.name for field in fields(SyncRun)} <= set(tables.SyncRow.__table__.columns.keys())


def test_known_is_the_baseline_and_what_was_verified(ready: SqlStore) -> None:
    with ready.transaction() as tx:
        assert tx.safe.known("l1") == KnownFiles()
        tx.safe.keep_baseline("l1", KnownFiles(b"\0" * 8), at(0))
        tx.safe.keep_baseline("l1", KnownFiles(b"\1" * 8), at(1))
        tx.safe.verified("l1", [ENTRY])
    with ready.read() as tx:
        assert tx.safe.manifest("l1") == (ENTRY,)
        assert tx.safe.known("l1") == KnownFiles(b"\0" * 8).with_states([STATE])
        assert tx.safe.archived("l1") == (1, 5)
        assert tx.safe.known("l2") == KnownFiles()
        assert tx.safe.archived("l2") == (0, 0)


def test_a_newer_copy_replaces_the_older_one(ready: SqlStore) -> None:
    newer = replace(ENTRY, state=replace(STATE, size_bytes=6), hash="cd" * 16, verified_at=at(2))
    with ready.transaction() as tx:
        tx.safe.verified("l1", [ENTRY, newer])
        tx.safe.verified("l2", [ENTRY])
    with ready.read() as tx:
        assert tx.safe.manifest("l1") == (newer,)
        assert tx.safe.manifest("l2") == (ENTRY,)


def test_looks(ready: SqlStore) -> None:
    shown, last = parse(told(8), at=at(1), jobs=("fox/1",)), parse(told(9), at=at(2))
    assert shown.newest[0].path == b"~/a\xff"
    blank = unknown(WhyUnknown.UNREACHABLE, at(3))
    with ready.transaction() as tx:
        tx.questions.add(question(state=QuestionState.LOOKING))
        assert tx.looks.of("q1") == NO_LOOKS
        tx.looks.show("q1", shown)
        tx.looks.last("q1", LastLook(blank, is_fenced=False))
        assert tx.looks.of("q1").last == LastLook(blank, is_fenced=False)
        tx.looks.last("q1", LastLook(last, is_fenced=True))
    with ready.read() as tx:
        found = tx.looks.of("q1")
    assert (found.shown, found.last) == (shown, LastLook(last, is_fenced=True))
    assert found.shown is not None
    assert found.shown.fingerprint == shown.fingerprint


def test_syncs(ready: SqlStore) -> None:
    assert unfilled(FULL) == []
    waiting = SyncRun("s2", "l1", "U2", NOON + timedelta(hours=1))
    with ready.transaction() as tx:
        tx.syncs.add(SyncRun("s1", "l1", "U1", NOON))
        tx.syncs.add(waiting)
        assert tx.syncs.due(10) == ("l1",)
        assert [run.id for run in tx.syncs.open_of("l1")] == ["s1", "s2"]
        tx.syncs.save(FULL, Priority.STATE)
    with ready.read() as tx:
        assert tx.syncs.get("s1") == FULL
        assert tx.syncs.open_of("l1") == (waiting,)
        assert tx.syncs.latest("l1") == waiting
        assert tx.syncs.latest("l2") is None
        message = tx.living.get(Subject.SYNC, "s1")
    assert message is not None
    assert (message.thread_of, message.wanted) == ("l1", 2)


def test_a_question_is_put_to_people_once_it_is_open(ready: SqlStore) -> None:
    asked = question(state=QuestionState.LOOKING)
    with ready.transaction() as tx:
        tx.questions.add(asked)
        assert tx.questions.looking(10) == ("l1",)
        assert tx.living.get(Subject.QUESTION, "q1") is None
        tx.questions.save(replace(asked, state=QuestionState.OPEN))
        living = tx.living.get(Subject.QUESTION, "q1")
        assert living is not None
        message = replace(show_card(tx), ts="17.5")
        tx.living.shown(living, message, NOON)
    with ready.read() as tx:
        assert tx.questions.looking(10) == ()
        assert tx.questions.at(message) == "q1"
        assert tx.questions.at(replace(message, ts="17.6")) is None
