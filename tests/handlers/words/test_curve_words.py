"""One line of words for a curve."""

import math
import re

from bot.domain.curve import Mark, Series, describe
from bot.domain.metrics import XKind
from handlers.words.curve import alt_text, curve_words, short_curve_words


def series(metric: str, values: list[float], kind: XKind = XKind.EPOCH, stride: float = 1.0) -> Series:
    return Series(metric, kind, tuple(Mark((i + 1) * stride, value) for i, value in enumerate(values)))


def words(*curves: Series) -> str:
    facts = describe(curves)
    assert facts is not None
    return curve_words(facts)


def test_a_training_with_validation() -> None:
    train = series("loss", [2.31 * 0.7**epoch for epoch in range(12)])
    validation = series("val_loss", [0.9, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.06, 0.049, 0.05, 0.0505, 0.051])
    assert words(train, validation) == (
        "loss 2.31 → 0.04568 over 12 epochs, still falling (−35 % an epoch), val 0.051, best at 9"
    )


def test_the_last_is_the_best() -> None:
    train, validation = series("loss", [3.0, 2.0, 1.5]), series("eval_loss", [3.0, 2.5, 2.0])
    assert words(train, validation).endswith(", val 2")
    assert "best" not in words(train, validation)


def test_by_steps_with_a_score() -> None:
    run = (series("loss", [3.0 - i * 0.01 for i in range(100)], XKind.STEP, 50.0), series("val_acc", [0.7, 0.9]))
    assert re.fullmatch(
        r"loss 3 → 2.01 over 5,000 steps, still falling \(−[0-9.]+ % every 1,000 steps\), val_?\u2060?acc 0.9",
        words(*run),
    )


def test_no_numbers_any_more() -> None:
    lost = (series("loss", [1.0, 0.5, math.nan]), series("val_loss", [1.0, math.inf]))
    assert words(*lost) == "loss *is no number any more* (NaN or infinite), last number 0.5, val NaN or infinite"
    facts = describe(lost)
    assert facts is not None
    assert short_curve_words(facts) == "loss is no number"
    assert "*" not in alt_text("amber-fox/1", facts)
