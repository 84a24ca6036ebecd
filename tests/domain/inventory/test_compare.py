"""What may differ between what a question showed and the last look, and what may not."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.inventory.compare import Change, Changed, Grown, Growth, Same, compare
from bot.domain.inventory.files import FileState
from bot.domain.inventory.inventory import BlindSpot, GitTree, Inventory, Some, WhyBlind, WhyUnknown, unknown

AT = datetime(2026, 1, 2, tzinfo=UTC)
LOG = FileState(b"~/train.log", 100, 1, 1, 7)
BLIND = BlindSpot(b"~/locked", WhyBlind.UNREADABLE)
WORK = GitTree(b"~/.cache/t", "cache", False, True, uncommitted=1)
SHOWN = Inventory(
    AT,
    files=2,
    size_bytes=101,
    open=Some(1, (LOG.path,)),
    git=Some(1, (WORK,)),
    blind=Some(1, (BLIND,)),
    jobs=("amber-fox/1",),
    rest="ab",
    apart=(LOG,),
    told="{}",
)
GROWN = replace(LOG, size_bytes=150, mtime_ns=2, ctime_ns=2)


def test_the_same() -> None:
    assert compare(SHOWN, SHOWN) == Same()


@pytest.mark.parametrize(
    "changes",
    [
        {"jobs": ()},
        {"open": Some()},
        {"apart": ()},
        {"blind": Some()},
        {"git": Some()},
        {"young": 5, "unseen_processes": 3, "size_bytes": 0, "files": 1},
    ],
)
def test_what_went_away_is_no_change(changes: dict[str, Any]) -> None:
    assert compare(SHOWN, replace(SHOWN, **changes)) == Same()


def test_growth_of_what_was_shown_as_open() -> None:
    assert compare(SHOWN, replace(SHOWN, apart=(GROWN,), open=Some(), jobs=())) == Grown((Growth(LOG.path, 50),))


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"rest": "cd"}, Change.FILES),
        ({"apart": (replace(GROWN, inode=8),)}, Change.WRITERS),
        ({"apart": (replace(GROWN, size_bytes=99),)}, Change.WRITERS),
        ({"apart": (replace(LOG, mtime_ns=2),)}, Change.WRITERS),
        ({"apart": (LOG, replace(LOG, path=b"~/other"))}, Change.WRITERS),
        ({"open": Some(2, (LOG.path, b"~/model.pt"))}, Change.WRITERS),
        ({"open": Some(300, (LOG.path,))}, Change.WRITERS),
        ({"blind": Some(2, (BLIND, BlindSpot(b"~/m", WhyBlind.MOUNT)))}, Change.BLIND_SPOTS),
        ({"blind": Some(1, (replace(BLIND, why=WhyBlind.MOUNT),))}, Change.BLIND_SPOTS),
        ({"jobs": ("amber-fox/1", "amber-fox/2")}, Change.JOBS),
        ({"git": Some(1, (replace(WORK, stashed=1),))}, Change.GIT),
        ({"git": Some(60, (WORK,))}, Change.GIT),
        ({"why_unknown": WhyUnknown.CUT_SHORT}, Change.SIGHT),
        ({"told": ""}, Change.SIGHT),
    ],
)
def test_what_was_not_shown_has_to_be_asked(changes: dict[str, Any], what: Change) -> None:
    found = compare(SHOWN, replace(SHOWN, **changes))
    assert isinstance(found, Changed)
    assert what in found.what


def test_many_blind_spots_that_stay_do_not_ask_for_ever() -> None:
    many = replace(SHOWN, blind=Some(80, (BLIND,)))
    assert compare(many, many) == Same()


@pytest.mark.parametrize("why", [WhyUnknown.UNREACHABLE, WhyUnknown.NOT_RUNNING, WhyUnknown.TIMED_OUT])
def test_sight(why: WhyUnknown) -> None:
    lost = unknown(why, AT)
    assert compare(lost, unknown(why, AT)) == Same()
    assert compare(lost, SHOWN) == Changed((Change.SIGHT,))
    assert compare(SHOWN, lost) == Changed((Change.SIGHT,))
    assert compare(lost, unknown(WhyUnknown.GARBLED, AT)) == Changed((Change.SIGHT,))
    assert compare(lost, unknown(why, AT, ("amber-fox/1",))) == Changed((Change.JOBS,))


def test_a_look_that_was_cut_is_held_to_what_it_told() -> None:
    cut = replace(SHOWN, why_unknown=WhyUnknown.CUT_SHORT)
    assert compare(cut, cut) == Same()
    assert compare(cut, replace(cut, rest="cd")) == Changed((Change.FILES,))


@given(st.permutations([LOG, replace(LOG, path=b"~/a"), replace(LOG, path=b"~/b")]))
def test_the_fingerprint_knows_no_order(apart: list[FileState]) -> None:
    opened = Some(3, tuple(state.path for state in apart))
    first = replace(SHOWN, apart=tuple(apart), open=opened)
    second = replace(SHOWN, apart=tuple(sorted(apart, key=lambda state: state.path)), open=opened)
    assert first.fingerprint == replace(second, taken_at=datetime(2027, 1, 1, tzinfo=UTC), young=9).fingerprint


@pytest.mark.parametrize(
    "changes",
    [
        {"rest": "cd"},
        {"files": 3},
        {"apart": (GROWN,)},
        {"blind": Some()},
        {"jobs": ()},
        {"open": Some()},
        {"git": Some()},
        {"why_unknown": WhyUnknown.CUT_SHORT},
    ],
)
def test_the_fingerprint_stands_for_all_that_would_be_lost(changes: dict[str, Any]) -> None:
    assert replace(SHOWN, **changes).fingerprint != SHOWN.fingerprint
