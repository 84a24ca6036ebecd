"""What is kept of an output: its end, its last lines, its pace, and fewer points that look the same."""

from datetime import UTC, datetime, timedelta
from math import inf, isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.jobs.figures import pace_of, share_done
from bot.domain.jobs.job import Job, JobState
from bot.domain.jobs.lines import MOST_LINE_CHARS, last_lines
from bot.domain.jobs.reading import TAIL_BYTES, JobOutput
from bot.domain.metrics import Point, Progress, XKind
from bot.domain.metrics.thinning import thinned

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def point(x: float, value: float = 1.0, after_s: float = 0.0) -> Point:
    return Point("loss", x, XKind.STEP, value, NOW + timedelta(seconds=after_s))


@given(st.lists(st.binary(max_size=200), max_size=8))
def test_however_an_output_is_cut_its_end_and_its_points_are_the_same(pieces: list[bytes]) -> None:
    told = b"step=1 loss=0.5\n" + b"".join(pieces) + b"\nstep=2 loss=0.25\n"
    whole, points = JobOutput("j").taken(told, NOW)
    parts, found = JobOutput("j"), []
    for start in range(0, len(told), 7):
        parts, some = parts.taken(told[start : start + 7], NOW)
        found += some
    assert parts.tail == whole.tail
    assert {one.x: one.value for one in found if one.metric == "loss"} == {
        one.x: one.value for one in points if one.metric == "loss"
    }


def test_the_tail_is_bounded_and_enormous_lines_do_not_push_out_the_others() -> None:
    output, _ = JobOutput("j").taken(b"before\n" + b"x" * 1_000_000, NOW)
    output, _ = output.taken(b"x" * 1_000_000 + b"\nafter\n", NOW)
    assert len(output.tail) < 3000
    assert last_lines(output.tail, 5, is_whole=True) == ("before", "x" * MOST_LINE_CHARS + "…", "after")
    output, _ = output.taken(b"line\n" * 100_000, NOW)
    assert len(output.tail) == TAIL_BYTES


def test_what_ends_without_a_line_end_is_read_once() -> None:
    output, points = JobOutput("j").taken(b"step=1 loss=0.5", NOW)
    assert points == ()
    output, points = output.finished(NOW)
    assert [one.value for one in points] == [0.5]
    assert output.finished(NOW) == (output, ())


def test_an_emptied_log_does_not_go_on_with_half_a_line() -> None:
    output, _ = JobOutput("j").taken(b"step=1 lo", NOW)
    _, points = output.emptied().taken(b"step=7 loss=0.5\n", NOW)
    assert [one.x for one in points] == [7]


@pytest.mark.parametrize(
    ("tail", "shown"),
    [
        (b"a\nb\nc\n", ("b", "c")),
        (b"\x1b[31mred\x1b[0m\n\n   \n", ("red",)),
        (b"10%\r50%\r100%\n", ("100%",)),
        (b"10%\r50%\r", ("50%",)),
        (b"\xff\xfe\n", ("\ufffd\ufffd",)),
        (b"", ()),
    ],
)
def test_last_lines(tail: bytes, shown: tuple[str, ...]) -> None:
    assert last_lines(tail, 2, is_whole=True) == shown


def test_half_a_first_line_is_left_out() -> None:
    assert last_lines(b"alf a line\nwhole\n", 9) == ("whole",)
    assert last_lines(b"only half\n", 9) == ("only half",)


def test_lines_that_hold_a_word() -> None:
    assert last_lines(b"loss NaN\nfine\nnan again\n", 9, "nan", is_whole=True) == ("loss NaN", "nan again")


@pytest.mark.parametrize(
    ("progress", "share"),
    [
        (Progress(), None),
        (Progress(epoch=1, epochs=4), 0.25),
        (Progress(epoch=2, epochs=4, step=50, steps=100), 0.375),
        (Progress(step=50, steps=100), 0.5),
        (Progress(step=500, steps=100), 1.0),
        (Progress(epoch=9, epochs=4), 1.0),
        (Progress(step=1, steps=0), None),
    ],
)
def test_share_done(progress: Progress, share: float | None) -> None:
    assert share_done(progress) == share


def test_pace() -> None:
    job = Job("j", "l", 1, "U1", "x", NOW, JobState.RUNNING, NOW, started_at=NOW)
    pace = pace_of(job, Progress(step=25, steps=100), (point(5, after_s=10), point(25, after_s=30)))
    assert (pace.per_s, pace.kind) == (1.0, XKind.STEP)
    assert pace.done_at == NOW + timedelta(seconds=120)
    assert pace_of(job, Progress(), (point(1), point(2))).per_s is None


def test_few_points_stay_as_they_are() -> None:
    points = [point(3), point(1), point(2)]
    assert thinned(points, 3) == [point(1), point(2), point(3)]


def test_spikes_and_the_first_nan_stay() -> None:
    points = [point(x, {50: 99.0, 51: -99.0, 70: nan, 71: nan}.get(x, 1.0)) for x in range(1000)]
    kept = thinned(points, 100)
    assert len(kept) <= 100
    assert {50, 51, 70, 0, 999} <= {one.x for one in kept}


def test_one_far_off_x_does_not_put_all_others_into_one_stretch() -> None:
    points = [point(x, float(x % 7)) for x in range(1000)] + [point(1e12)]
    assert len(thinned(points, 100)) > 30


@given(
    st.lists(st.tuples(st.integers(-50, 10**9), st.floats() | st.just(inf)), max_size=300, unique_by=lambda p: p[0]),
    st.integers(10, 50),
)
def test_any_points_are_thinned_to_what_is_asked(pairs: list[tuple[int, float]], most: int) -> None:
    points = [point(x, value) for x, value in pairs]
    kept = thinned(points, most)
    assert len(kept) <= most
    assert [one.x for one in kept] == sorted({one.x for one in kept})
    if points:
        first, last = min(points, key=lambda p: p.x), max(points, key=lambda p: p.x)
        assert (kept[0].x, kept[-1].x) == (first.x, last.x)
        values = [one.value for one in points if not isnan(one.value)]
        if values and len(points) <= most:
            assert min(values) in [one.value for one in kept]
