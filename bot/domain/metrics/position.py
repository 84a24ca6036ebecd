"""The x axis: printed counters, carried on where they start again, gone back where a run resumed."""

from typing import Final, NamedTuple

from bot.domain.metrics.point import XKind
from bot.domain.metrics.state import Position


class Counters(NamedTuple):
    """What one line says about where the run is; None: nothing."""

    epoch: float | None = None
    epochs: float | None = None
    step: float | None = None
    steps: float | None = None
    is_inner: bool = False
    """The step counts within its epoch, and its values replace each other."""
    is_evaluation: bool = False
    """The step belongs to a loop over other data."""
    follows_bar: bool = False
    """The line has an epoch's fraction only, and a bar of steps is drawn around it."""
    is_head: bool = False
    """What follows without a counter lies here."""


_NO_COUNTERS: Final = Counters()
MOST_RESUMES: Final = 12
MOST_NAMES: Final = 64
"""Metrics of one output; others are not read."""


def advance(position: Position, counters: Counters) -> None:
    """Move ``position`` to what the line says, before its points are placed."""
    epoch, epochs, step, steps, is_inner, is_evaluation = counters[:6]
    if epochs is not None and epochs > 0:
        position.epochs = epochs
    if epoch is not None:
        is_at_bar = counters.follows_bar and position.bar is not None
        is_counted = step is None is position.step and not is_at_bar
        if is_counted and position.epoch is not None and epoch < position.epoch - 1.0:
            _note_resume(position, epoch)
        position.epoch = epoch
    if is_evaluation:
        return
    if steps is not None and steps > 0:
        position.steps = steps
    if step is None:
        return
    if not is_inner:
        before = None if position.step is None else position.offset + position.step
        _carry_on(position, step)
        if before is not None and position.offset + step < before - position.stride:
            _note_resume(position, position.offset + step)
    position.step, position.step_epoch = step, position.epoch


def place(position: Position, counters: Counters, metrics: list[tuple[str, float]]) -> tuple[float, XKind]:
    """The x of a line's points, after `advance`; remembered in ``position`` as the last one."""
    x, x_kind = _x(position, counters, metrics)
    position.x, position.x_kind, position.x_epoch = x, x_kind, position.epoch
    return x, x_kind


def sees_bar(position: Position, step: float, total: float) -> bool:
    """Note where a bar without metrics stands, if it may be the run's own; False if it is another's."""
    own_total = position.bar_total if position.bar_used else position.steps
    if own_total is not None and total != own_total:
        return False
    position.bar, position.bar_total = step, total
    return True


def place_at_bar(position: Position, bar: float) -> float:
    """The x of a line around which the run's bar stands; where that went back, the run resumed there."""
    if position.bar_used and position.x is not None and bar < position.x:
        _note_resume(position, bar)
    position.bar_used = True
    return bar


def _note_resume(position: Position, x: float) -> None:
    position.resumes = (*position.resumes, x)[-MOST_RESUMES:]


def _carry_on(position: Position, step: float) -> None:
    """Set ``offset`` and what it is made from, for a newly printed ``step``."""
    last, epoch, last_epoch = position.step, position.epoch, position.step_epoch
    if last is None:
        position.step_first = step
        return
    if epoch is not None and last_epoch is not None:
        epochs_on = int(epoch) - int(last_epoch)
        same_again = step == last and position.steps is not None  # printed once an epoch
        if epochs_on > 0 and (step < last or same_again or position.steps_per_epoch):
            position.steps_per_epoch = position.steps_per_epoch or _length(position, last)
            position.offset += position.steps_per_epoch * epochs_on
        elif epochs_on < 0 and position.steps_per_epoch:
            position.offset = max(0.0, position.offset + position.steps_per_epoch * epochs_on)
    elif step < last and position.step_first is not None and step <= position.step_first:
        position.offset += _length(position, last)
    if step > last:
        position.stride = step - last


def _length(position: Position, last: float) -> float:
    """How many steps the counter ran before it started again, seen from its last value."""
    if position.steps is not None and position.steps >= last:
        return position.steps
    return max(last - (position.step_first or 0.0) + position.stride, 1.0)


def _x(position: Position, counters: Counters, metrics: list[tuple[str, float]]) -> tuple[float, XKind]:
    has_step = counters.step is not None and not counters.is_evaluation
    if has_step and not (counters.is_inner and position.epoch is not None):
        position.unnumbered = ()
        return position.offset + (counters.step or 0.0), XKind.STEP
    if counters.follows_bar and position.bar is not None:
        return place_at_bar(position, position.bar), XKind.STEP
    is_by_step = position.x_kind is XKind.STEP and position.x is not None and not position.unnumbered
    if is_by_step and not counters.is_inner:
        return position.x or 0.0, XKind.STEP
    if position.epoch is not None:
        position.unnumbered = ()
        return position.epoch, XKind.EPOCH
    return _count(position, metrics), XKind.STEP


def _count(position: Position, metrics: list[tuple[str, float]]) -> float:
    """The next number for an output that counts nothing: a metric seen again opens the next one."""
    x = position.x or 1.0
    names = tuple(name for name, _ in metrics)
    if any(name in position.unnumbered for name in names):
        position.unnumbered = ()
        x += 1.0
    position.unnumbered = (*position.unnumbered, *names)[:MOST_NAMES]
    return x
