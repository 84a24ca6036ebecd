"""What a picture shows beside its curves: times, epochs, resumes, the lease's end."""

from datetime import timedelta

import pytest

from bot.domain.metrics import Point, Progress, ReaderState, XKind, read
from bot.domain.metrics.state import Position
from bot.domain.run_marks import NO_MARKS, marks_of
from tests.domain.metrics.reading import AT


def points(*places: tuple[float, float]) -> list[Point]:
    """(x, seconds after the start) each."""
    return [Point("loss", x, XKind.STEP, 1.0, AT + timedelta(seconds=at_s)) for x, at_s in places]


def resumes(output: str) -> tuple[float, ...]:
    return read(ReaderState(), output.encode(), AT)[0].position.resumes


def test_times_are_of_the_last_point_of_each_moment() -> None:
    marks = marks_of(points((10, 30), (20, 30), (30, 60), (40, 90)), ReaderState(), Progress(), AT, None)
    assert marks.times == ((0.0, 0.0), (20, 30.0), (30, 60.0), (40, 90.0))
    assert marks_of(points((1, 5), (2, 6)), ReaderState(), Progress(), AT, None).times == ()
    assert marks_of((), ReaderState(), Progress(), AT, None) == NO_MARKS


def test_the_leases_end_lies_where_the_pace_leads() -> None:
    ends_at = AT + timedelta(seconds=190)
    marks = marks_of(points((10, 30), (20, 30), (30, 60), (40, 90)), ReaderState(), Progress(), AT, ends_at)
    assert marks.ends_x == pytest.approx(40 + 20 / 60 * 100)
    assert marks_of(points((10, 30), (20, 30)), ReaderState(), Progress(), AT, ends_at).ends_x is None


def test_epochs_where_their_length_is_known() -> None:
    some = points((10, 1), (40, 50))
    assert marks_of(some, ReaderState(), Progress(epoch=2.5), AT, None).epoch_x == 16
    assert marks_of(some, ReaderState(), Progress(epoch=2.0), AT, None).epoch_x is None
    known = ReaderState(position=Position(steps_per_epoch=8.0))
    assert marks_of(some, known, Progress(), AT, None).epoch_x == 8


@pytest.mark.parametrize(
    ("output", "at"),
    [
        ("".join(f"step {step} loss 1.0\n" for step in (10, 20, 30, 40, 50, 30, 40, 50, 60)), (30.0,)),
        ("".join(f"epoch {epoch} loss 1.0\n" for epoch in (1, 2, 3, 4, 5, 3, 4)), (3.0,)),
        ("".join(f"epoch {e} step {s} loss 1\n" for e in (1, 2, 3) for s in (10, 20, 30)), ()),
        ("step 990 loss 1\nstep 1000 loss 1\nstep 1000: val_loss 1\nstep 1010 loss 1\n", ()),
        ("".join(f"step {step} loss 1.0\n" for step in range(0, 100, 10)), ()),
        ("".join(f"50%|##| {s}/90 [1s]\n{{'loss': 1.5, 'epoch': {s / 10}}}\n" for s in (20, 40, 60, 40, 60)), (40.0,)),
    ],
)
def test_where_a_run_went_back(output: str, at: tuple[float, ...]) -> None:
    assert resumes(output) == at
    halves = output.splitlines(keepends=True)
    state = ReaderState()
    for line in halves:
        state = read(state, line.encode(), AT)[0]
    assert state.position.resumes == at
