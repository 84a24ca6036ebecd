"""Where the values of lines go: the curves of one reading, its place on the x axis, and the way for usual lines."""

import re
from dataclasses import replace
from typing import Final

from bot.domain.metrics.lines import MOST_LINE_BYTES
from bot.domain.metrics.point import XKind
from bot.domain.metrics.position import MOST_NAMES, Counters, advance, place, place_at_bar, sees_bar
from bot.domain.metrics.shape import MOST_COUNTED, Quick, count
from bot.domain.metrics.state import ReaderState

_MOST_BAR_BYTES: Final = 1000
_BAR: Final = re.compile(rb"%\|[^|\n]*\| *([0-9]+)/([0-9]+) \[")


class Taking:
    """What one reading has taken so far."""

    def __init__(self, state: ReaderState, text: bytes | None) -> None:
        """``text``: whole lines, the last one without its end; None: no line at all."""
        self._text = text or b""
        self._lines = [] if text is None else text.split(b"\n")
        if max(map(len, self._lines), default=0) > MOST_LINE_BYTES:  # as of a line that came in pieces
            self._lines = [line[:MOST_LINE_BYTES] for line in self._lines]
            self._text = b"\n".join(self._lines)
        self._position = replace(state.position)
        self._names = dict.fromkeys(state.names)
        self._rank = state.rank
        self._points: dict[tuple[str, XKind], dict[float, float]] = {}
        self._bars_seen, self._bars_seen_bytes = 0, 0
        self._ready: dict[int, list[tuple[dict[float, float], int]]] = {}
        self._at_bar: dict[int, list[tuple[dict[float, float], int]]] = {}
        self._quicks: list[Quick] = []  # while they are kept, an id is one quick's alone

    def _reads_quickly(self, quick: Quick, line: bytes, index: int) -> bool:
        """Take a line whose counter simply goes on: what `_apply` would do, without detours. False: not this one."""
        unpack, step_at, epoch_at, steps_at, epochs_at, _, rank, follows_bar = quick
        position = self._position
        try:
            numbers = list(map(float, unpack(line)))
        except ValueError:
            return False  # thousands separators and their like
        if rank is not None and rank != self._rank:
            return self._rank is not None and rank > self._rank  # others repeat the lowest
        epoch, is_step = position.epoch, step_at >= 0
        if epoch_at >= 0:
            epoch = numbers[epoch_at]
            if not 0.0 <= epoch <= MOST_COUNTED:
                return False
        if is_step:
            x, last = numbers[step_at], position.step
            if last is None or not last <= x <= MOST_COUNTED:
                return False
            if (x == last or position.steps_per_epoch is not None) and not _is_same_epoch(epoch, position.step_epoch):
                return False
        elif epoch is None:
            return False
        elif follows_bar and self._is_at_bar(index):
            return self._reads_at_bar(quick, numbers)
        elif position.x_kind is not XKind.EPOCH:
            return False
        elif position.epoch is not None and epoch < position.epoch:
            return False  # the run went back
        else:
            x, last = epoch, epoch
        columns = self._ready.get(id(quick))
        if columns is None:
            columns = self._columns(quick, XKind.STEP if is_step else XKind.EPOCH)
            if not columns:
                return False
            self._ready[id(quick)] = columns
        if steps_at >= 0 and 0.0 < numbers[steps_at] <= MOST_COUNTED:
            self._counts_to(numbers[steps_at], index)
            position.steps = numbers[steps_at]
        if epochs_at >= 0 and 0.0 < numbers[epochs_at] <= MOST_COUNTED:
            position.epochs = numbers[epochs_at]
        position.epoch = position.x_epoch = epoch
        if is_step:
            if x > last:
                position.stride = x - last
            position.step, position.step_epoch, position.x_kind = x, epoch, XKind.STEP
            x += position.offset
        position.x, position.unnumbered = x, ()
        for column, at in columns:
            column[x] = numbers[at]
        return True

    def _is_at_bar(self, index: int) -> bool:
        """Whether the run's bar has been seen above line ``index``."""
        self._find_bar(index)
        return self._position.bar is not None

    def _reads_at_bar(self, quick: Quick, numbers: list[float]) -> bool:
        position = self._position
        columns = self._at_bar.get(id(quick))
        if columns is None:
            columns = self._at_bar[id(quick)] = self._columns(quick, XKind.STEP)
        if not columns or position.bar is None or max(quick.steps, quick.epochs) >= 0:
            self._at_bar.pop(id(quick))
            return False
        position.epoch = position.x_epoch = numbers[quick.epoch]
        position.x, position.x_kind = place_at_bar(position, position.bar), XKind.STEP
        for column, at in columns:
            column[position.bar] = numbers[at]
        return True

    def _columns(self, quick: Quick, kind: XKind) -> list[tuple[dict[float, float], int]]:
        """Where the values of such lines go; empty while one of the metrics is new."""
        if not all(name in self._names for name, _ in quick.values):
            return []
        columns = [(self._points.setdefault((name, kind), {}), at) for name, at in quick.values]
        self._quicks.append(quick)
        return columns

    def _emit(self, counters: Counters, metrics: list[tuple[str, float]], index: int) -> None:
        position, names, points = self._position, self._names, self._points
        self._counts_to(counters.steps, index)
        advance(position, counters)
        if not metrics and not (counters.is_head and counters.step is not None):
            return
        x, x_kind = place(position, counters, metrics)
        for name, value in metrics:
            if name not in names:
                if len(names) >= MOST_NAMES:
                    continue
                names[name] = None
            points.setdefault((name, x_kind), {})[x] = value

    def _counts_to(self, steps: float | None, index: int) -> None:
        """Before line ``index`` says how long the run is: the bars above it are judged by what was known above it."""
        if steps is not None and steps != self._position.steps:
            self._find_bar(index)

    def _find_bar(self, until: int) -> None:
        """Note the last bar of the run above line ``until``; each line is looked at once."""
        if until <= self._bars_seen:
            return
        text, start, end = self._text, self._bars_seen_bytes, len(self._text)
        if until < len(self._lines):
            lines = self._lines[self._bars_seen : until]
            end = start + sum(map(len, lines)) + len(lines)
        self._bars_seen, self._bars_seen_bytes = until, end
        while (end := text.rfind(b"%|", start, end)) >= 0:
            found = _BAR.match(text, end, end + _MOST_BAR_BYTES)
            step, total = (count(found[1]), count(found[2])) if found else (None, None)
            if step is not None and total is not None and sees_bar(self._position, step, total):
                return


def _is_same_epoch(epoch: float | None, last: float | None) -> bool:
    """Whether a counter of steps cannot have started again between them."""
    return epoch == last or (epoch is not None and last is not None and int(epoch) == int(last))
