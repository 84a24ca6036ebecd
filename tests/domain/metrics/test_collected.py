"""Points of a run kept in bounded memory, and the end of its output."""

import math

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.jobs.reading import _LONG_LINE, TAIL_BYTES, _tail_of
from bot.domain.metrics import Point, XKind
from bot.domain.metrics.collected import Collected
from tests.domain.metrics.reading import AT


def test_many_points_are_thinned_and_still_counted() -> None:
    collected = Collected(most_kept=1000)
    for start in range(0, 20_000, 500):
        collected.add(
            Point("loss", float(x), XKind.STEP, {777: 99.0, 778: math.nan}.get(x, 1.0), AT)
            for x in range(start, start + 500)
        )
    (loss,) = collected.series()
    assert len(loss.points) <= 1000
    assert collected.count(loss) == 20_000
    assert (loss.points[0].x, loss.points[-1].x) == (0, 19_999)
    assert max(mark.value for mark in loss.finite) == 99.0
    assert len(loss.finite) < len(loss.points)


def test_later_points_hold_and_the_more_frequent_counter() -> None:
    collected = Collected()
    collected.add([Point("loss", 1.0, XKind.EPOCH, 9.0, AT), Point("loss", 1.0, XKind.STEP, 3.0, AT)])
    collected.add([Point("loss", 2.0, XKind.STEP, 2.0, AT), Point("loss", 1.0, XKind.STEP, 2.5, AT)])
    (loss,) = collected.series()
    assert (loss.x_kind, [tuple(mark) for mark in loss.points]) == (XKind.STEP, [(1.0, 2.5), (2.0, 2.0)])


@given(st.lists(st.tuples(st.sampled_from([b"a", b"b\r", b"\n", b"\r\n", b""]), st.integers(0, 90_000)), max_size=8))
def test_the_tail_is_that_of_the_whole_output(pieces: list[tuple[bytes, int]]) -> None:
    output = b"\n".join(piece * (count // max(1, len(piece))) for piece, count in pieces)
    assert _tail_of(output) == _LONG_LINE.sub(rb"\1", output)[-TAIL_BYTES:]
