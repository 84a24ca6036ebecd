"""What stays of a curve when it is thinned."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.metrics import Point, XKind
from bot.domain.metrics.thinning import thinned
from tests.domain.metrics.reading import AT


def points(values: list[float]) -> list[Point]:
    return [Point("loss", float(x), XKind.STEP, value, AT) for x, value in enumerate(values)]


@settings(deadline=None)
@given(st.lists(st.floats(), max_size=300), st.integers(6, 60))
def test_the_first_the_extremes_and_the_nan_stay(values: list[float], most: int) -> None:
    before = points(values)
    after = thinned(before, most)
    assert len(after) <= most
    assert [point.x for point in after] == sorted({point.x for point in after})
    finite = [point for point in before if math.isfinite(point.value)]
    if before:
        assert (after[0].x, after[-1].x) == (before[0].x, before[-1].x)
    if finite:
        kept = [point.value for point in after if math.isfinite(point.value)]
        assert (kept[-1], min(kept), max(kept)) == (
            finite[-1].value, min(p.value for p in finite), max(p.value for p in finite)
        )  # fmt: skip
    assert (len(finite) < len(before)) == any(not math.isfinite(point.value) for point in after)


def test_a_spike_survives_being_thinned_again_and_again() -> None:
    kept: list[Point] = []
    for step in range(20_000):
        kept.append(Point("loss", float(step), XKind.STEP, 99.0 if step == 777 else 1.0 / (step + 1), AT))
        if len(kept) >= 400:
            kept = thinned(kept, 200)
    assert max(point.value for point in kept) == 99.0
    assert kept[0].x == 0
