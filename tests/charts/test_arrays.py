"""What is drawn of a curve, and what sets its scale."""

import math

import numpy as np
import pytest

from bot.charts.arrays import broken_at, curve_of, smoothed, thinned, without_spikes
from bot.charts.child import packed
from bot.charts.columns import Columns, unpacked
from bot.charts.fonts import shown
from bot.domain.curve import Series
from bot.domain.metrics import XKind
from bot.ports.plotter import CurvePicture
from tests.charts.curves import curve


def test_what_cannot_be_drawn_is_parted_from_what_can() -> None:
    found = curve_of(curve([1.0, math.nan, 3.0, -math.inf, 1e300]))
    assert found
    assert found.x.tolist() == [0, 2]
    assert found.y.tolist() == [1, 3]
    assert found.broken_x.tolist() == [1, 3, 4]
    assert curve_of(None) is None
    assert curve_of(curve([])) is None


def test_thinning_keeps_the_extremes() -> None:
    y = np.sin(np.arange(1_000_000) / 50_000.0)
    y[123_456], y[654_321] = 9.0, -9.0
    x, kept = thinned(np.arange(1_000_000.0), y)
    assert len(kept) <= 2400
    assert (kept.max(), kept.min()) == (9.0, -9.0)
    assert x[kept.argmax()] == 123_456
    assert (np.diff(x) > 0).all()


def test_the_line_breaks_at_gaps() -> None:
    x, y = broken_at(np.array([0.0, 2.0]), np.array([5.0, 6.0]), np.array([1.0]))
    assert x.tolist() == [0, 1, 2]
    assert math.isnan(y[1])


def test_smoothing_keeps_ends_and_level() -> None:
    noise = np.random.default_rng(1).normal(0, 1, 5000)
    line = np.arange(5000.0)
    smooth = smoothed(line + noise)
    assert smooth[0] == pytest.approx((line + noise)[0])
    assert smooth[-1] == pytest.approx((line + noise)[-1])
    assert np.abs(smooth[200:-200] - line[200:-200]).max() < 1.0


def test_of_very_many_points_the_smoothed_line_is_the_same() -> None:
    x = np.arange(1_000_000.0)
    y = 2.0 * np.exp(-x / 300_000) + np.random.default_rng(1).normal(0, 0.2, len(x))
    found = curve_of(Series("loss", XKind.STEP, Columns(x, y)))
    assert found
    line_x, line = found.smoothed
    assert len(line) <= 2400
    assert (line_x[0], line[0]) == (0.0, y[0])
    assert line_x[-1] > 0.999 * x[-1]
    exact = smoothed(y)[line_x.astype(int)]
    assert np.abs(line - exact)[50:-50].max() < 0.01


def test_a_picture_arrives_in_the_child_as_it_was() -> None:
    sent = CurvePicture(
        "π/3", curve([0.5, math.nan, -math.inf]), score=curve([0.1, 0.9], "acc", XKind.EPOCH), is_simulated=True
    )
    came = unpacked(packed(sent))
    assert (came.title, came.is_simulated, came.validation, came.words) == ("π/3", True, None, sent.words)
    assert came.main is not None
    assert came.score is not None
    assert (came.main.metric, came.main.x_kind, len(came.main.points)) == ("loss", XKind.STEP, 3)
    assert repr(tuple(came.main.points)) == repr(curve([0.5, math.nan, -math.inf]).points)
    assert tuple(came.score.points) == ((0.0, 0.1), (1.0, 0.9))
    assert tuple(came.score.points[1:]) == ((1.0, 0.9),)


def values_of(values: list[float]) -> tuple[list[float], list[float]]:
    found = curve_of(curve(values))
    assert found
    scale, (_, spikes) = without_spikes(found)
    return scale.tolist(), spikes.tolist()


def test_a_spike_does_not_set_the_scale_but_is_named() -> None:
    values = [1.0 + 0.01 * (step % 3) for step in range(60)]
    values[30:33] = [9.0, 12.0, 8.0]
    scale, spikes = values_of(values)
    assert max(scale) < 1.1
    assert spikes == [12.0]


@pytest.mark.parametrize(
    "values",
    [
        [10.0 * 0.8**step + 0.1 for step in range(60)],    # falls at the beginning
        [0.1 * 1.2**step for step in range(40)],    # explodes: that has to be seen
        [float(step % 2) * 5 + 1 for step in range(60)],    # swings all the time
        [1.0] * 60,
        [5.0, 1.0, 9.0],
    ],
)  # fmt: skip
def test_what_is_no_spike_sets_the_scale(values: list[float]) -> None:
    assert values_of(values) == (values, [])


def test_texts_fit_and_have_glyphs() -> None:
    assert shown("a\n\tb  c\x00\u202e", 20) == "a b c"
    assert shown("x" * 50, 10) == "x" * 9 + "…"
    assert "�" not in shown("训练损失 第", 30)
    assert shown("loss", 10) == "loss"


def test_names_without_glyphs_are_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.charts.fonts._has_glyph", lambda char: char.isascii())
    assert shown("训练损失", 30) == "train loss"
    assert shown("验证准确率 雨", 30) == "val accuracy ?"


def test_series_are_of_any_size() -> None:
    assert isinstance(curve_of(curve([1.0])), object)
    assert curve_of(Series("loss", curve([]).x_kind, ())) is None


def test_no_spike_pulls_the_smoothed_line_away() -> None:
    values = [1.0 + 0.01 * (step % 3) for step in range(400)]
    values[200:202] = [90.0, 80.0]
    found = curve_of(curve(values))
    assert found
    assert found.smoothed[1].max() < 1.1
    assert found.thinned[1].max() == 90
