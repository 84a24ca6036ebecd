"""What is said of sick runs, with its numbers, and that nothing is said of healthy ones."""

import math
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.curve import Mark, Series
from bot.domain.metrics import XKind
from bot.domain.verdicts import (
    Diverging,
    Flat,
    Nonfinite,
    Overfitting,
    Spike,
    Verdict,
    VerdictKind,
    ZeroLoss,
    has_diverged,
    stalled,
    verdicts,
)
from handlers.words.verdicts import verdict_words
from tests.domain.verdicts.curves import HEALTHY, epochs, fine_tuning, per_batch, pretraining, series

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def only(*curves: Series) -> Verdict:
    (found,) = verdicts(curves)
    return found


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("healthy", HEALTHY, ids=lambda one: one.__name__)
def test_no_word_about_a_healthy_run(healthy: Callable[[int], list[float]], seed: int) -> None:
    values = healthy(seed)
    assert verdicts((series(values),)) == ()
    for share in (0.2, 0.4, 0.6, 0.8):  # nor at any time on its way
        assert verdicts((series(values[: int(len(values) * share)]),)) == (), share


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("run", [pretraining, fine_tuning, per_batch])
def test_a_loss_that_climbs_and_stays_up(run: Callable[[int], list[float]], seed: int) -> None:
    values = run(seed)
    low = sorted(values)[len(values) // 10]
    for extra in range(len(values) // 8):
        values.append((low + values[0] * 0.8 * min(1.0, extra / 20)) * random.Random(extra).uniform(0.9, 1.1))
    found = only(series(values))
    assert isinstance(found, Diverging)
    assert found.low.value < found.last.value / 2
    assert has_diverged((series(values),), (found,))
    assert "diverging" in verdict_words(found)


def test_few_epochs_that_explode() -> None:
    curve = series([0.9, 0.7, 0.6, 0.58, 4.0, 90.0], x_kind=XKind.EPOCH, stride=1)
    assert only(curve) == Diverging("loss", XKind.EPOCH, Mark(3, 0.58), Mark(5, 90.0))
    assert verdicts((series([0.9, 0.7, 0.6, 0.58, 0.5, 90.0]),)) == ()  # one bad point


@pytest.mark.parametrize("metric", ["reward", "ep_rew_mean", "accuracy"])
@pytest.mark.parametrize("factor", [1.0, -1.0])
def test_a_reward_goes_where_it_likes(metric: str, factor: float) -> None:
    values = [factor * math.exp(step / 30) for step in range(200)]
    losses = [0.1 * math.exp(step / 60) for step in range(200)]
    assert verdicts((series(values, metric),)) == ()
    if metric != "accuracy":
        assert verdicts((series(values, metric), series(losses, "value_loss"), series(losses, "loss"))) == ()


def test_opponents_do_not_diverge() -> None:
    assert verdicts((series([0.5 * math.exp(step / 40) for step in range(300)], "g_loss"),)) == ()


def test_a_likelihood_diverges_where_it_gives_back_everything() -> None:
    down = [3.0 - step * 0.05 for step in range(120)]
    assert verdicts((series([*down, *(-2.9 + step * 0.01 for step in range(40))]),)) == ()
    assert isinstance(only(series([*down, *(4.0 + step * 0.2 for step in range(40))])), Diverging)


@pytest.mark.parametrize("seed", range(8))
def test_a_spike_that_comes_back(seed: int) -> None:
    values = pretraining(seed)
    values[500:502] = [values[500] * 8, values[500] * 4]
    found = only(series(values))
    assert isinstance(found, Spike)
    assert (found.peak, found.count) == (Mark(5000, values[500]), 1)
    assert found.back_at.x == 5020
    assert not has_diverged((series(values),), (found,))
    assert verdicts((series(values[:502]),)) == ()  # it has not come back yet: wait


def test_a_curve_of_spikes_is_its_way() -> None:
    values = [9.0 if step % 25 == 24 else 1.0 - step / 1000 for step in range(500)]
    assert [one for one in verdicts((series(values),)) if one.kind is VerdictKind.SPIKE] == []


def test_nan_and_whether_it_recovered() -> None:
    lost = series([1.0, 0.5, math.nan, math.nan])
    assert only(lost) == Nonfinite("loss", XKind.STEP, 20, 2, Mark(10, 0.5), None)
    assert has_diverged((lost,), verdicts((lost,)))
    back = series([1.0, math.inf, 0.5, 0.4])
    assert only(back) == Nonfinite("loss", XKind.STEP, 10, 1, Mark(0, 1.0), Mark(20, 0.5))
    assert not has_diverged((back,), verdicts((back,)))
    assert only(lost).occasion != only(back).occasion
    assert verdicts((series([math.nan, math.nan, 0.5, 0.4]),)) == ()  # nothing to average yet
    assert not has_diverged((series([1.0, 0.5]), series([math.nan], "val_loss")), verdicts((series([1.0, 0.5]),)))


def test_a_gradient_norm_that_overflows_is_mixed_precision_at_work() -> None:
    assert verdicts((series(pretraining(1)), series([math.inf, 1.0, math.nan, 1.0], "grad_norm"))) == ()


def test_a_loss_of_exactly_0_with_broken_gradients() -> None:
    loss, norm = series([2.0, 1.9, 0.0, 0.0, 0.0]), series([1.0, 1.0, math.nan, math.nan, math.nan], "grad_norm")
    assert only(loss, norm) == ZeroLoss("loss", XKind.STEP, 20, 3, "grad_norm")
    assert has_diverged((loss, norm), verdicts((loss, norm)))
    assert verdicts((loss, series([1.0] * 5, "grad_norm"))) == ()
    assert verdicts((loss,)) == ()


@pytest.mark.parametrize("seed", range(8))
def test_a_plateau_since_when(seed: int) -> None:
    rng = random.Random(seed)
    values = [max(0.7, 2.0 - 0.02 * step) * (1 + 0.01 * rng.gauss(0, 1)) for step in range(300)]
    found = only(series(values))
    assert isinstance(found, Flat)
    assert 650 <= found.since.x <= 1600
    assert found.level == pytest.approx(0.7, rel=0.01)
    assert verdicts((series(values),), is_over=True) == ()


def test_overfitting_with_its_numbers() -> None:
    train = series([1.0 * 0.8**epoch for epoch in range(10)], "train_loss", 1, XKind.EPOCH)
    worse = series([1.1, 0.9, 0.8, 0.75, 0.8, 0.85, 0.9, 0.95], "val_loss", 1, XKind.EPOCH)
    found = only(train, worse)
    assert isinstance(found, Overfitting)
    assert (found.best, found.last) == (Mark(3, 0.75), Mark(7, 0.95))
    assert found.train_now < found.train_then
    wandering = series([1.1, 0.9, 0.8, 0.75, 0.77, 0.76, 0.78, 0.76], "val_loss", 1, XKind.EPOCH)
    assert verdicts((train, wandering)) == ()
    still = series([0.5] * 10, "train_loss", 1, XKind.EPOCH)
    assert verdicts((still, worse)) == ()


def test_silence() -> None:
    every_minute = [NOON + timedelta(minutes=minute) for minute in range(30)]
    last = every_minute[-1]
    assert stalled(every_minute, last + timedelta(minutes=9)) is None
    found = stalled(every_minute, last + timedelta(minutes=11))
    assert found is not None
    assert (found.silent_s, found.usual_s, found.last_at) == (660, 60, last)
    assert verdict_words(found) == "no new value for 11 min; one every 1 min is usual"
    evaluated = [*every_minute, last + timedelta(minutes=20)]  # an evaluation took so long before
    assert stalled(evaluated, evaluated[-1] + timedelta(minutes=35)) is None
    assert stalled(every_minute[:5], last + timedelta(days=1)) is None
    quick = [NOON + timedelta(seconds=second) for second in range(30)]
    assert stalled(quick, quick[-1] + timedelta(minutes=4)) is None


@settings(deadline=None, max_examples=150)
@given(st.lists(st.floats(), max_size=80), st.lists(st.floats(), max_size=30))
def test_any_values_are_judged(values: list[float], others: list[float]) -> None:
    curves = tuple(
        one for one in (series(values), series(others, "val_loss"), series(others, "grad_norm")) if one.points
    )
    for verdict in verdicts(curves):
        assert verdict_words(verdict)
    assert verdicts(curves) == verdicts(curves) or any(math.isnan(value) for value in values + others)


def test_epochs_are_named() -> None:
    values = [*epochs(1), math.nan]
    assert "since epoch 12" in verdict_words(only(series(values, stride=1, x_kind=XKind.EPOCH)))
