"""The fate of each file, from what both sides say of it."""

from datetime import UTC, datetime

import pytest

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
