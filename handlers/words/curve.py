"""What a curve says, in words: they stand beside every picture."""

from math import isfinite, isnan

from bot.domain.curve import CurveFacts, Direction, Mark, Trend
from bot.domain.jobs.view import RECENT_POINTS
from bot.domain.metrics import XKind
from handlers.words.text import plain

_GOING = {
    Direction.FALLING: "falling",
    Direction.RISING: "rising",
    Direction.FLAT: "flat",
    Direction.UNKNOWN: "too few values to say where it goes",
}


def number(value: float) -> str:
    """Four digits that matter; ``NaN`` and ``infinite`` for what is no number."""
    if isnan(value):
        return "NaN"
    return f"{value:.4g}" if isfinite(value) else "infinite"


def curve_words(curve: CurveFacts) -> str:
    """``Loss 2.31 → 0.0385 over 8 epochs (8 values), falling (−30 % an epoch)``. Always with the numbers."""
    name = plain(curve.metric, 40)
    if curve.ends_nonfinite:
        last = f", last number {number(curve.last.value)}" if curve.last else ""
        words = f"{name} *is no number any more* (NaN or infinite){last}"
    elif curve.last is None:
        words = f"{name}: no numbers yet"
    else:
        words = f"{name} {_way(curve, curve.last)}, {_going(curve.trend, curve.x_kind)}"
    beside = [
        f"{plain(metric, 40)} {number(mark.value)}"
        for metric, mark in ((curve.validation_metric, curve.validation), (curve.score_metric, curve.score))
        if mark is not None
    ]
    return " · ".join([words, *beside])


def short_curve_words(curve: CurveFacts) -> str:
    """``loss 0.212`` for a card."""
    name = plain(curve.metric, 30)
    if curve.ends_nonfinite or curve.last is None:
        return f"{name} is no number"
    return f"{name} {number(curve.last.value)}"


def alt_text(job_name: str, curve: CurveFacts | None) -> str:
    """The picture for those who do not see it: the numbers in words, plain text."""
    if curve is None:
        return f"Curves of {job_name}"
    said = curve_words(curve).replace("*", "")
    return f"Curve of {job_name}: {said}"[:1900]


def _way(curve: CurveFacts, last: Mark) -> str:
    """From where to where, over how long."""
    if curve.first is None or curve.points < 2:
        return number(last.value)
    kind = "epochs" if curve.x_kind is XKind.EPOCH else "steps"
    values = (
        f" ({curve.points:,} values)" if curve.points <= RECENT_POINTS else ""
    )  # of longer ones not all are at hand
    return f"{number(curve.first.value)} → {number(last.value)} over {last.x:,.10g} {kind}{values}"


def _going(trend: Trend, kind: XKind) -> str:
    words = _GOING[trend.direction]
    if trend.percent_per_unit is None or trend.direction not in (Direction.FALLING, Direction.RISING):
        return words
    unit = "an epoch" if kind is XKind.EPOCH else f"every {trend.unit_x:,.0f} steps"
    return f"{words} ({trend.percent_per_unit:+.2g} % {unit})".replace("-", "−")
