"""The fate of each file, from what both sides say of it."""

from datetime import UTC, datetime

import pytest

from bot.archive.listing import listed, read_back
from bot.domain.inventory.files import FileState, archived_as
from bot.domain.inventory.hashes import Hashed, HashKind, WhyNot
from bot.domain.inventory.verification import Fate, FileResult, Reason, verify, worth_another_try

AT = datetime(2026, 1, 2, tzinfo=UTC)
STATE = FileState(b"~/x", 1, 2, 3, 4)


def fate(answer: Hashed | WhyNot | None, archived: str | None) -> FileResult:
    answers = {} if answer is None else {b"~/x": answer}
    (result,) = verify([b"~/x"], answers, {} if archived is None else {b"~/x": archived}, HashKind.MD5, AT)
    return result


@pytest.mark.parametrize(
    ("answer", "archived", "expected", "reason", "again"),
    [
        (Hashed(STATE, "ab"), "AB", Fate.VERIFIED, None, False),
        (Hashed(STATE, "ab"), "cd", Fate.NOT_VERIFIED, Reason.DIFFERS, True),
        (Hashed(STATE, "ab"), "", Fate.NOT_VERIFIED, Reason.NOT_READ_BACK, False),
        (Hashed(STATE, "ab"), None, Fate.FAILED, Reason.MISSING, True),
        (Hashed(STATE, ""), "", Fate.NOT_VERIFIED, Reason.NOT_READ_BACK, False),
        (WhyNot.CHANGING, "ab", Fate.NOT_VERIFIED, Reason.CHANGING, True),
        (WhyNot.UNREADABLE, None, Fate.FAILED, Reason.UNREADABLE, False),
        (WhyNot.GONE, None, Fate.FAILED, Reason.GONE, False),
        (WhyNot.NOT_REACHED, "ab", Fate.NOT_VERIFIED, Reason.NOT_REACHED, False),
        (None, "ab", Fate.NOT_VERIFIED, Reason.NOT_REACHED, False),
    ],
)
def test_fates(
    answer: Hashed | WhyNot | None, archived: str | None, expected: Fate, reason: Reason | None, again: bool
) -> None:
    result = fate(answer, archived)
    assert (result.fate, result.reason) == (expected, reason)
    assert (result.entry is not None) is (expected is Fate.VERIFIED)
    assert bool(worth_another_try([result])) is again


def test_where_files_lie_in_the_archive() -> None:
    assert archived_as(b"~/work/a\nb") == b"home/work/a\nb"
    assert archived_as(b"/workspace/x") == b"root/workspace/x"


A, B = b"a" * 32, b"b" * 32


def test_listed_hashes_of_names_that_hold_anything() -> None:
    output = A + b"//home/x\n" + b"//home/no hash\n" + b"UNSUPPORTED//home/y\n" + B + b"//home/new\n" + A + b"  line\n"
    assert listed(output) == {
        b"home/x": "a" * 32,
        b"home/no hash": "",
        b"home/y": "",
        b"home/new\n" + A + b"  line": "b" * 32,
    }
    assert listed(b"") == {}


def test_a_name_that_plays_a_line_of_hashes_verifies_nothing() -> None:
    output = A + b"  home/x\n" + B + b"  home/evil\n" + B + b"  home/x\n"
    assert read_back(output) == {b"home/x": "", b"home/evil": "b" * 32}
    assert read_back(A + b"  two\nlines\n") == {b"two\nlines": "a" * 32}
