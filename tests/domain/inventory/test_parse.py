"""Any text gives an inventory; nothing but a whole, empty one is clean."""

import base64
import json
import zlib
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.inventory.files import FileState, KnownFiles
from bot.domain.inventory.hashes import Hashed, HashKind, WhyNot, hash_request, parse_hashes
from bot.domain.inventory.inventory import Verdict, WhyUnknown, unknown
from bot.domain.inventory.parse import parse, parse_baseline, parse_listing, parse_told
from bot.domain.inventory.request import Watch, shares

AT = datetime(2026, 1, 2, tzinfo=UTC)
NOTHING: dict[str, Any] = {"count": 0, "first": []}
CLEAN: dict[str, Any] = {
    "version": 1,
    "lines": 0,
    "unlisted": 0,
    "was_cut": False,
    "home": "/home/dev",
    "roots": ["~"],
    "now_ns": 1,
    "seen": 3,
    "files": 0,
    "bytes": 0,
    "young": 0,
    "rest": "0" * 32,
    "apart": [],
    "open": NOTHING,
    "unseen_processes": 4,
    "newest": [],
    "biggest": [],
    "left_out": {"cache": [1, 2]},
    "links": {"count": 1, "first": [["~/l", "/x"]]},
    "special": NOTHING,
    "blind": NOTHING,
    "by_root": NOTHING,
    "trees": NOTHING,
}
SEEN_TREE = {"uncommitted": 1, "unpushed": 0, "stashed": 0, "has_remote": True}


def text(**changes: Any) -> str:
    return json.dumps({"end": CLEAN | changes}) + "\n"


def packed(key: str, raw: bytes) -> str:
    return json.dumps({key: base64.b64encode(zlib.compress(raw)).decode()}) + "\n"


def test_nothing_that_could_be_lost_is_clean() -> None:
    assert parse(text(), at=AT).verdict is Verdict.CLEAN
    assert parse(text(young=3), at=AT).verdict is Verdict.CLEAN
    assert not parse(text(young=3), at=AT).is_settled


@pytest.mark.parametrize(
    "changes",
    [
        {"files": 1},
        {"open": {"count": 1, "first": [["~/log"]]}},
        {"blind": {"count": 1, "first": [["~/x", "unreadable"]]}},
        {"trees": {"count": 1, "first": [["~/.cache/t", "cache", False, SEEN_TREE]]}},
        {"trees": {"count": 1, "first": [["~/.cache/t", "cache", False, {}]]}},
        {"trees": {"count": 51, "first": []}},
    ],
)
def test_what_could_be_lost_is_dirty(changes: dict[str, Any]) -> None:
    assert parse(text(**changes), at=AT).verdict is Verdict.DIRTY


def test_a_running_job_is_dirty_and_a_git_tree_whose_files_are_safe_is_not() -> None:
    assert parse(text(), at=AT, jobs=("amber-fox/3",)).verdict is Verdict.DIRTY
    tree = {"count": 1, "first": [["~/t", "", True, SEEN_TREE]]}
    assert parse(text(trees=tree), at=AT).verdict is Verdict.CLEAN


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", WhyUnknown.GARBLED),
        ("This account is currently not available.\n", WhyUnknown.GARBLED),
        ('{"error": "no-python3"}\n', WhyUnknown.NO_PYTHON),
        ('{"error": "stdin-cut"}\n', WhyUnknown.CUT_SHORT),
        (packed("list", b"x"), WhyUnknown.CUT_SHORT),
        (text(was_cut=True), WhyUnknown.CUT_SHORT),
        (text(lines=1), WhyUnknown.CUT_SHORT),
        (text(version=2), WhyUnknown.GARBLED),
        (text(files=-1), WhyUnknown.GARBLED),
        (text(files=True), WhyUnknown.GARBLED),
        (text(files="0"), WhyUnknown.GARBLED),
        (text(rest="zz"), WhyUnknown.GARBLED),
        (text(blind={"count": 1, "first": [["~/x", "other"]]}), WhyUnknown.GARBLED),
        ('{"end": []}', WhyUnknown.GARBLED),
        ('{"end": null}', WhyUnknown.CUT_SHORT),
    ],
)
def test_what_is_not_whole_is_unknown(given: str, why: WhyUnknown) -> None:
    assert parse(given, at=AT).why_unknown is why


@given(st.text())
def test_any_text_is_read_and_never_clean(given: str) -> None:
    assert parse(given, at=AT).verdict is Verdict.UNKNOWN
    assert parse_listing(given) == ()
    assert len(parse_baseline(given)) == 0
    assert set(parse_hashes(given, [b"a"]).values()) == {WhyNot.NOT_REACHED}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@given(st.sampled_from(sorted(CLEAN)), _JSON)
def test_any_value_in_any_field_is_read(name: str, value: Any) -> None:
    found = parse(text(**{name: value}), at=AT)
    assert parse_told(found.told, at=AT, why_unknown=found.why_unknown, jobs=()) == found or not found.told


@given(st.integers(0, len(text()) - 2))
def test_no_beginning_of_a_clean_one_is_clean(length: int) -> None:
    assert parse(text()[:length], at=AT).verdict is Verdict.UNKNOWN


@given(st.binary(min_size=1).filter(lambda name: b"\0" not in name))
def test_any_name_survives(name: bytes) -> None:
    path = b"~/" + name
    said = path.decode("utf-8", "surrogateescape")
    found = parse(text(files=1, newest=[[said, 1, 2]], biggest=[[said, 1, 2]]), at=AT)
    assert found.newest[0].path == path
    listing = packed("list", b"1 2 3 4 " + path + b"\0" + b"5 6 7 8 " + path)
    assert parse_listing(listing) == (FileState(path, 1, 2, 3, 4), FileState(path, 5, 6, 7, 8))
    assert path in hash_request([path], HashKind.MD5, within_s=1)


def test_known_files_are_a_set() -> None:
    states = [FileState(b"~/%d" % number, 1, 2, 3, 4) for number in range(10)]
    known = KnownFiles().with_states(states[:6]).with_states(states[4:])
    assert len(known) == 10
    assert known == KnownFiles().with_states(reversed(states))
    assert parse_baseline(packed("known", known.keys) + packed("known", known.keys + b"odd")) == known


def test_an_unknown_one_is_kept_and_read_again() -> None:
    lost = unknown(WhyUnknown.UNREACHABLE, AT, ("amber-fox/1",))
    assert parse_told(lost.told, at=AT, why_unknown=lost.why_unknown, jobs=lost.jobs) == lost


def test_answers_to_hashing() -> None:
    said = '[0, 1, 2, 3, 4, "ab"]\n[1, "changing"]\n[2, "other"]\n[9, "gone"]\n[3, true, 2, 3, 4, "ab"]\n{"end": 4}\n'
    assert parse_hashes(said, [b"a", b"b", b"c", b"d"]) == {
        b"a": Hashed(FileState(b"a", 1, 2, 3, 4), "ab"),
        b"b": WhyNot.CHANGING,
        b"c": WhyNot.NOT_REACHED,
        b"d": WhyNot.NOT_REACHED,
    }


def test_what_is_watched() -> None:
    assert Watch.of("work", ("~/work/", "/scratch/"), ("x",)) == Watch(("~", "~/work", "/scratch"), ("~/x",))
    assert Watch.of("") == Watch(("~",))
    assert [shares(files) for files in (0, 1, 20_000, 20_001)] == [1, 1, 1, 2]
