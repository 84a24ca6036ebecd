"""How a run ended, told by its output alone: for files from anywhere, where nobody has an exit code."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import pairwise
from typing import Final

from bot.domain.curve import Series, primary
from bot.domain.jobs.causes import Cause, CauseKind, cause_in, error_lines, has_traceback
from bot.domain.metrics import Progress, ReaderState, Role, Split, XKind, meaning, read

_ANY_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MOST_LINES: Final = 2000
_KILLED: Final = re.compile(
    r"^(?:.{0,80}: line [0-9]+: +[0-9]+ )?(?:Killed|Terminated|已杀死|Getötet)\b|^KeyboardInterrupt"
    r"|CANCELLED AT|DUE TO (?:TIME LIMIT|PREEMPTION)|[Rr]eceived (?:signal|SIGTERM|SIGINT)|SignalException|code 137\b"
)
_FAILED: Final = re.compile(r"exitcode\s*:\s*[1-9-]|ChildFailedError|returned non-zero exit status|Aborting training")
_FINISHED: Final = re.compile(
    r"train_runtime|(?:train(?:ing)?|fit|run|job|fine-?tuning)\b[^.]{0,30}\b(?:completed?|finished|done|ended)\b"
    r"|`Trainer\.fit` stopped: `max_\w+=.{1,20}` reached|\b(?:finished|completed|done with) (?:the )?(?:train|run|fine)"
    r"|\b(?:epochs|iterations|steps) completed in\b|\bmodel (?:was )?saved\b|^\W*(?:all )?done\W*$"
    r"|训练(?:已)?(?:完成|结束)|学習(?:が)?(?:完了|終了)",
    re.IGNORECASE,
)
_WHOLE_STRIDES: Final = 5
_NEARLY: Final = 0.95


class Ended(StrEnum):
    """How it ended, as far as its output tells."""

    FINISHED = "finished"
    RUNNING = "running"
    """The output just stops: it may go on elsewhere, or have been cut off without a word."""
    CRASH = "crash"
    OOM = "oom"
    KILLED = "killed"
    NCCL_TIMEOUT = "nccl_timeout"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an output ends. ``oom``: which memory ran out, ``cuda`` or ``host``; empty for none."""

    ended: Ended
    oom: str = ""
    has_traceback: bool = False
    cause: Cause | None = None
    error_lines: tuple[str, ...] = ()


def outcome_of(lines: Sequence[str], progress: Progress, series: Sequence[Series]) -> Outcome:
    """What the last ``lines`` (as `last_lines` gives them) and the counters say.

    What stands before the last training point does not count: the run went on after it.
    """
    after = _after_the_last_point(lines[-_MOST_LINES:])
    cause = cause_in(after)
    broke = has_traceback(after)
    errors = error_lines(after)
    oom = {CauseKind.GPU_MEMORY: "cuda", CauseKind.HOST_MEMORY: "host"}.get(cause.kind, "") if cause else ""
    is_over = any(_FINISHED.search(line) for line in after[-40:])
    if oom and not (is_over and not broke):
        return Outcome(Ended.OOM, oom, broke, cause, errors)
    if cause is not None and cause.kind is CauseKind.NCCL_TIMEOUT:
        return Outcome(Ended.NCCL_TIMEOUT, "", broke, cause, errors)
    if any(_KILLED.search(line.strip()) for line in after[-5:]):
        return Outcome(Ended.KILLED, "", broke, cause, errors)
    if broke or any(_FAILED.search(line) for line in after[-40:]):
        return Outcome(Ended.CRASH, "", broke, cause, errors)
    if is_over or _is_complete(progress, series) or _stops_where_runs_end(series, after):
        return Outcome(Ended.FINISHED)
    if cause is not None and (errors or cause_in(after[-1:])):
        return Outcome(Ended.CRASH, "", broke, cause, errors)
    return Outcome(Ended.RUNNING)


def _after_the_last_point(lines: Sequence[str]) -> list[str]:
    """The lines from the last one that bore a training point."""
    state, last = ReaderState(), 0
    for index, line in enumerate(lines):
        state, points, _ = read(state, line.encode("utf-8", "replace") + b"\n", _ANY_TIME)
        if any(_is_of_training(point.metric) for point in points):
            last = index
    return list(lines[last:])


def _is_of_training(metric: str) -> bool:
    meant = meaning(metric)
    # A run's average is printed when it is over.
    return meant is not None and meant.split is Split.TRAIN and metric.lower() != "train_loss"


def _is_complete(progress: Progress, series: Sequence[Series]) -> bool:
    """The counters have reached their totals, and the last point lies there too."""
    epoch, epochs, step, steps = progress.epoch, progress.epochs, progress.step, progress.steps
    is_step_done = step is not None and bool(steps) and step >= _NEARLY * (steps or 0)
    if not epochs or epoch is None:
        return step is not None and steps is not None and 0 < steps <= step
    main = primary(series)
    by_epoch = main.points if main and main.x_kind is XKind.EPOCH else ()
    counted_from = 0 if by_epoch and by_epoch[0].x == 0 else 1
    if epoch < epochs - 1 + counted_from:
        return False
    if steps:
        return is_step_done
    return not by_epoch or by_epoch[-1].x >= epoch


def _stops_where_runs_end(series: Sequence[Series], after: Sequence[str]) -> bool:
    """Nothing says that it is over, but it stops where runs do.

    Three such places: after a look at the *test* set; at an evaluation at a round count (1000, 20000); and, for what
    prints every few rounds, off its stride: the last round is printed whichever it is.
    """
    main = primary(series)
    if main is None or len(main.points) < _WHOLE_STRIDES:
        return False
    last_x = main.points[-1].x
    for one in series:
        if one is main or not one.points or one.x_kind is not main.x_kind:
            continue
        if one.meaning.split is Split.TEST and one.meaning.role is Role.LOSS and one.points[-1].x >= last_x:
            return _has_evaluation(after, one.metric)
        if one.meaning.split is Split.VALIDATION and one.points[-1].x == last_x and len(one.points) > 1:
            digits = f"{last_x:.0f}"
            if len(digits) >= 4 and not digits[1:].strip("0"):
                return True
    strides = [b.x - a.x for a, b in pairwise(main.points)]
    usual = strides[0]
    return len(strides) > _WHOLE_STRIDES and set(strides[:-1]) == {usual} and 0 < strides[-1] < usual


def _has_evaluation(after: Sequence[str], metric: str) -> bool:
    return any(metric.lower() in line.lower() for line in after)
