"""What a curve says, in words: they stand beside every picture."""

from math import isfinite, isnan

from bot.domain.curve import CurveFacts, Direction, Mark, Trend
from bot.domain.jobs.view import RECENT_POINTS
from bot.domain.metrics import Role, Split, XKind, meaning
from handlers.words.text import plain

_GOING = {
    Direction.FALLING: "still falling",
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
    """``loss 2.31 → 0.042 over 12 epochs, still falling (−3 % an epoch), val 0.051, best at 9``.

    Always with the numbers.
    """
    name = plain(curve.metric, 40)
    if curve.ends_nonfinite:
        last = f", last number {number(curve.last.value)}" if curve.last else ""
        words = f"{name} *is no number any more* (NaN or infinite){last}"
    elif curve.last is None:
        words = f"{name}: no numbers yet"
    else:
        words = f"{name} {_way(curve, curve.last)}, {_going(curve.trend, curve.x_kind)}"
    return ", ".join([words, *_beside(curve)])


def _beside(curve: CurveFacts) -> list[str]:
    """Validation with its best place where the last is not the best, then the score."""
    words = []
    if curve.validation_ends_nonfinite:
        words.append(f"{_split_name(curve.validation_metric)} NaN or infinite")
    elif curve.validation is not None:
        words.append(f"{_split_name(curve.validation_metric)} {number(curve.validation.value)}")
        best = curve.validation_best
        # Of a longer curve not all points are at hand: its best place may not be among them.
        if best is not None and best.value != curve.validation.value and curve.points <= RECENT_POINTS:
            words.append(f"best at {best.x:,.10g}")
    if curve.score is not None:
        words.append(f"{plain(curve.score_metric, 40)} {number(curve.score.value)}")
    return words


def _split_name(metric: str) -> str:
    """``val`` for a plain validation loss; any other by its own name."""
    meant = meaning(metric)
    is_plain = meant is not None and meant.role is Role.LOSS and meant.split is Split.VALIDATION
    plain_names = ("val_loss", "val loss", "val/loss", "valid_loss", "eval_loss", "eval/loss", "validation_loss")
    return "val" if is_plain and metric.lower() in plain_names else plain(metric, 40)


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
    return f"{number(curve.first.value)} → {number(last.value)} over {last.x:,.10g} {kind}"


def _going(trend: Trend, kind: XKind) -> str:
    words = _GOING[trend.direction]
    if trend.percent_per_unit is None or trend.direction not in (Direction.FALLING, Direction.RISING):
        return words
    unit = (
        "an epoch" if kind is XKind.EPOCH else ("a step" if trend.unit_x == 1 else f"every {trend.unit_x:,.0f} steps")
    )
    return f"{words} ({trend.percent_per_unit:+.2g} % {unit})".replace("-", "−")
