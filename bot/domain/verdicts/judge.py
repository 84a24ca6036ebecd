"""Which verdicts a run's curves bear. A false alarm is worse than silence: each rule says what it asks for, and why."""

import re
from collections.abc import Sequence
from math import isfinite, isnan
from statistics import median
from typing import Final

from bot.domain.curve import Series, companion, primary
from bot.domain.metrics.names import Role, Split
from bot.domain.verdicts.kinds import Diverging, Flat, Nonfinite, Overfitting, Verdict, ZeroLoss
from bot.domain.verdicts.levels import line_moves
from bot.domain.verdicts.rising import diverging, spike

# Losses that rise, jump or stand still while all is well: opponents in a game, the parts of a policy's update, and
# diffusion, whose loss hardly tells of quality.
_SAYS_LITTLE: Final = re.compile(
    r"(?:^|[^a-z])(?:g|d|gen|generator|disc|discriminator|adv|adversarial|critic|actor|policy|value|entropy|kl|avr)(?=[^a-z])",
    re.IGNORECASE,
)
_FEWEST_ZEROS: Final = 3
_FLAT_POINTS: Final = 40
_FLAT_SHARES: Final = (0.9, 0.8, 0.7, 0.6, 0.5)
_FLAT_PERCENT: Final = 1.0
_PATIENCE: Final = 3
_WORSE: Final = 1.05
_TRAIN_FELL: Final = 0.98


def verdicts(series: Sequence[Series], *, is_over: bool = False) -> tuple[Verdict, ...]:
    """What the curves of one run show. ``is_over``: it has ended well, so that standing still is no news.

    Only losses are judged: a reward goes where it likes. How a loss moves is judged of the curve that tells how the run
    goes, and not at all where a reward does: losses of reinforcement learning rise as the policy gets better.
    """
    found: list[Verdict] = []
    for one in series:
        if one.meaning.role is Role.LOSS:
            found += [verdict for verdict in (zero_loss(one, series), nonfinite(one)) if verdict]
    main = primary(series)
    if main is None or main.meaning.role is not Role.LOSS or _SAYS_LITTLE.search(main.metric):
        return tuple(found)
    rising = diverging(main)
    found += [verdict for verdict in (rising, None if rising else spike(main)) if verdict]
    worse = None if rising else overfitting(main, companion(series, main))
    still = None if is_over or rising or not isfinite(main.points[-1].value) else flat(main)
    return (*found, *(verdict for verdict in (worse, still) if verdict))


def has_diverged(series: Sequence[Series], found: Sequence[Verdict]) -> bool:
    """Whether the run is lost as it stands: its training loss is no number, climbs, or is 0 by broken gradients."""
    main = primary(series)
    lost = {one.metric for one in series if one.meaning.role is Role.LOSS and one.meaning.split is Split.TRAIN}
    lost |= {main.metric} if main else set()
    return any(
        isinstance(verdict, Nonfinite | Diverging | ZeroLoss)
        and verdict.metric in lost
        and not (isinstance(verdict, Nonfinite) and verdict.recovered)
        for verdict in found
    )


def nonfinite(series: Series) -> Nonfinite | None:
    """A loss that is, or was, NaN or infinite. Asks for one such value: no healthy loss has any.

    At the beginning it is different: a metric of an empty mean is NaN until there is something to average, so values
    before the first number count only while there is no number.
    """
    marks = series.points
    broken = [index for index, mark in enumerate(marks) if not isfinite(mark.value)]
    if not broken:
        return None
    start = broken[-1]
    while start > 0 and not isfinite(marks[start - 1].value):
        start -= 1
    after = marks[broken[-1] + 1 :]
    if start == 0 and after and all(isnan(mark.value) for mark in marks[: len(broken)]):
        return None
    before = marks[start - 1] if start else None
    return Nonfinite(series.metric, series.x_kind, marks[start].x, len(broken), before, after[0] if after else None)


def zero_loss(series: Series, others: Sequence[Series]) -> ZeroLoss | None:
    """A loss of exactly 0 over the last 3 points or more, with a gradient norm that is NaN at the last of them.

    Both are asked for: a loss of 0 alone is ordinary where it is an advantage or a hinge, and a NaN norm alone is a
    skipped step of mixed precision.
    """
    marks = series.points
    count = 0
    while count < len(marks) and marks[-1 - count].value == 0.0:
        count += 1
    if count < _FEWEST_ZEROS:
        return None
    since = marks[-count].x
    for other in others:
        if other.meaning.role is Role.GRADIENT_NORM and other.points and other.x_kind is series.x_kind:
            last = other.points[-1]
            if isnan(last.value) and last.x >= since:
                return ZeroLoss(series.metric, series.x_kind, since, count, other.metric)
    return None


def flat(series: Series) -> Flat | None:
    """A training loss that stands still, since the earliest point from which it does.

    Asks for 40 points, and that over at least the last half of them a straight line, its doubled error included, moves
    by less than 1 % of the level. Language models still lose some 3 to 5 % over the last half of a long run, and noise
    widens the error: both stay unsaid. Only curves above 0, where per cent mean something.
    """
    finite = series.finite
    if len(finite) < _FLAT_POINTS or min(mark.value for mark in finite) <= 0:
        return None
    for share in _FLAT_SHARES:
        part = finite[-int(len(finite) * share) :]
        moves = line_moves(part)
        if moves is not None and abs(moves.percent) + 2 * moves.error_percent < _FLAT_PERCENT:
            level = median(mark.value for mark in part)
            return Flat(series.metric, series.x_kind, part[0], finite[-1], level, moves.percent)
    return None


def overfitting(train: Series, validation: Series | None) -> Overfitting | None:
    """A validation loss whose last 3 points or more all lie at least 5 % above its best, while training fell on.

    Three points, since one or two bad evaluations happen to any run; 5 %, since evaluations of few examples wander by
    less; and training has to have lost 2 % since then, or it is something else than overfitting.
    """
    if validation is None or validation.meaning.role is not Role.LOSS or validation.x_kind is not train.x_kind:
        return None
    marks = validation.finite
    if len(marks) < _PATIENCE + 1 or min(mark.value for mark in marks) <= 0:
        return None
    best = min(range(len(marks)), key=lambda index: marks[index].value)
    after = marks[best + 1 :]
    if len(after) < _PATIENCE or min(m.value for m in after[-_PATIENCE:]) < _WORSE * marks[best].value:
        return None
    then, now = _level_at(train, marks[best].x), _level_at(train, marks[-1].x)
    if then is None or now is None or not 0 < now < _TRAIN_FELL * then:
        return None
    return Overfitting(validation.metric, validation.x_kind, marks[best], marks[-1], train.metric, then, now)


def _level_at(series: Series, x: float) -> float | None:
    """The training loss about ``x``: the median of the stretch that ends there."""
    until = [mark for mark in series.finite if mark.x <= x]
    if not until:
        return None
    width = max(1, len(series.finite) // 40)
    return median(mark.value for mark in until[-width:])
