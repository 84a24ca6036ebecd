"""What a curve says."""

import math
import random
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.curve import Direction, Mark, Series, companion, describe, primary, series_of, trend
from bot.domain.metrics import Point, Role, Split, XKind, meaning
from tests.domain.metrics.reading import AT, SAMPLES, read_all

INDEX = {entry["file"]: entry for entry in tomllib.loads((SAMPLES / "index.toml").read_text())["log"]}


def curve(values: list[float], metric: str = "loss", x_kind: XKind = XKind.EPOCH) -> Series:
    return Series(metric, x_kind, tuple(Mark(float(x), value) for x, value in enumerate(values, 1)))


def points(values: list[float], metric: str = "loss") -> list[Point]:
    return [Point(metric, float(x), XKind.STEP, value, AT) for x, value in enumerate(values)]


@pytest.mark.parametrize("file", sorted(INDEX))
def test_the_primary_curve_of_every_sample(file: str) -> None:
    entry = INDEX[file]
    facts = describe(series_of(read_all((SAMPLES / file).read_bytes())[0].values()))
    assert facts
    assert (facts.metric, facts.points, facts.nonfinite) == (entry["primary"], entry["points"], entry["nonfinite"])
    assert facts.first
    assert facts.first.value == pytest.approx(entry["first"])
    assert facts.ends_nonfinite is not math.isfinite(entry["last"])
    last = entry.get("last_finite", entry["last"])
    assert facts.last
    assert facts.last.value == pytest.approx(last)
    # None of these runs got worse: saying so would be a false alarm.
    rising = {"sb3_ppo_table.log"}
    assert facts.trend.direction in {Direction.FALLING, Direction.UNKNOWN} or file in rising


def test_validation_and_score_stand_beside_the_loss() -> None:
    text = "epoch 1 train_loss: 2.0 val_loss: 2.5 val_acc: 0.4\nepoch 2 train_loss: 1.0 val_loss: 1.5 val_acc: 0.6\n"
    facts = describe(series_of(read_all(text.encode())[0].values()))
    assert facts
    assert (facts.metric, facts.first, facts.last, facts.best) == ("train_loss", Mark(1, 2), Mark(2, 1), Mark(2, 1))
    assert (facts.validation_metric, facts.validation) == ("val_loss", Mark(2, 1.5))
    assert (facts.score_metric, facts.score) == ("val_acc", Mark(2, 0.6))
    assert facts.other_metrics == ()


def test_validation_of_the_same_name_is_preferred() -> None:
    series = (curve([1, 2], "train/box_loss"), curve([1, 2, 3], "val/cls_loss"), curve([1, 2], "val/box_loss"))
    main = primary(series)
    assert main
    assert main.metric == "train/box_loss"
    beside = companion(series, main)
    assert beside
    assert beside.metric == "val/box_loss"


def test_a_reward_is_best_where_it_is_highest() -> None:
    facts = describe((curve([5.0, 9.0, 7.0], "ep_rew_mean"), curve([1.0, 2.0, 3.0], "value_loss")))
    assert facts
    assert (facts.metric, facts.best) == ("ep_rew_mean", Mark(2, 9))


def test_later_points_hold_and_x_grows() -> None:
    given_points = [*points([3.0, 2.0, 1.0]), Point("loss", 1.0, XKind.STEP, 2.5, AT)]
    assert series_of(given_points)[0].points == (Mark(0, 3), Mark(1, 2.5), Mark(2, 1))


def test_nothing_to_tell() -> None:
    assert describe(()) is None
    assert describe((curve([1.0], "lr"),)) is None
    facts = describe((curve([math.nan, math.inf]),))
    assert facts
    assert (facts.first, facts.last, facts.best, facts.nonfinite, facts.ends_nonfinite) == (None, None, None, 2, True)
    assert facts.trend.direction is Direction.UNKNOWN


def test_trend_in_per_cent_an_epoch() -> None:
    found = trend(curve([1.0 * 0.9**epoch for epoch in range(40)]))
    assert found.direction is Direction.FALLING
    assert found.percent_per_unit == pytest.approx(-10.5, abs=0.5)
    assert found.unit_x == 1


def test_trend_of_steps_is_per_power_of_ten() -> None:
    marks = tuple(Mark(step * 50.0, 2.0 + step * 0.01) for step in range(100))
    found = trend(Series("loss", XKind.STEP, marks))
    assert (found.direction, found.unit_x) == (Direction.RISING, 1000)


@pytest.mark.parametrize("seed", range(20))
def test_noise_is_flat_and_no_alarm(seed: int) -> None:
    noise = random.Random(seed)
    assert trend(curve([1.0 + noise.gauss(0, 0.05) for _ in range(200)])).direction is Direction.FLAT


def test_a_plateau_after_a_fall_is_flat() -> None:
    noise = random.Random(3)
    values = [max(0.5, 3.0 - 0.1 * step) + noise.gauss(0, 0.02) for step in range(300)]
    assert trend(curve(values)).direction is Direction.FLAT


def test_three_unsteady_points_are_no_plateau() -> None:
    assert trend(curve([1.0, 0.5, 0.9])).direction is Direction.UNKNOWN


@settings(deadline=None)
@given(st.lists(st.floats(), max_size=60))
def test_any_values_are_described(values: list[float]) -> None:
    describe((curve(values),))


@pytest.mark.parametrize(
    ("name", "role", "split"),
    [
        ("loss", Role.LOSS, Split.TRAIN),
        ("eval_loss", Role.LOSS, Split.VALIDATION),
        ("Test Accuracy", Role.SCORE, Split.TEST),
        ("metrics/mAP50(B)", Role.SCORE, Split.TRAIN),
        ("lm loss PPL", Role.ERROR, Split.VALIDATION),
        ("lr-AdamW", Role.LEARNING_RATE, Split.TRAIN),
        ("grad norm", Role.GRADIENT_NORM, Split.TRAIN),
        ("ep_rew_mean", Role.REWARD, Split.TRAIN),
        ("ent_coef_loss", Role.LOSS, Split.TRAIN),
        ("valid_1's auc", Role.SCORE, Split.VALIDATION),
        ("验证损失", Role.LOSS, Split.VALIDATION),
    ],
)
def test_names_that_mean_something(name: str, role: Role, split: Split) -> None:
    found = meaning(name)
    assert found
    assert (found.role, found.split) == (role, split)


@pytest.mark.parametrize(
    "name",
    [
        "loss_scale",
        "loss_weight",
        "packet loss",
        "best_loss",
        "max_lr",
        "lr_decay",
        "accuracy_threshold",
        "step",
        "lossless",
    ],
)
def test_names_that_are_no_metrics(name: str) -> None:
    assert meaning(name) is None
