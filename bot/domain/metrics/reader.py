"""The reader: the next bytes of an output, read as points, with what has to be remembered for the bytes after."""

import re
from datetime import datetime
from itertools import compress, repeat
from typing import Final

from bot.domain.metrics import memo
from bot.domain.metrics.lines import text_of, whole_lines, without_fill
from bot.domain.metrics.plan import plan_of
from bot.domain.metrics.point import Point, Progress
from bot.domain.metrics.position import Counters
from bot.domain.metrics.records import (
    MOST_HEADER_MISSES,
    SPACED,
    columns_of,
    header_of,
    opens,
    row_of,
    spaced_header_of,
    spaced_row_of,
    take,
)
from bot.domain.metrics.shape import (
    NOTHING,
    Layout,
    Plan,
    count,
    layout_of,
    number,
    split_numbers,
    values_of,
)
from bot.domain.metrics.state import Block, ReaderState
from bot.domain.metrics.taking import Taking

_MOST_RANKS: Final = 1_000_000
_FRAME: Final = re.compile(rb'\s*(?:\[?[a-z]*[0-9]*\]?:?\s*)File "[^"]*", line [0-9]+')


def read(state: ReaderState, chunk: bytes, at: datetime) -> tuple[ReaderState, tuple[Point, ...], Progress]:
    """Read the next ``chunk`` of an output (stdout, or a log, JSON-lines or CSV file).

    Args:
        state: what the read before returned; ``ReaderState()`` at the beginning of the output.
        chunk: the bytes that follow; any bytes at all, cut anywhere.
        at: when they were read (UTC); every point gets it.

    Returns: the state for the next read, the new points (one metric's after another's), and how far the run has come.
    A point replaces an earlier one of the same metric, kind and x, of this read or of those before. Never raises on
    any bytes; linear in ``chunk``.
    """
    lines, half, is_cut = whole_lines(state.half_line, state.half_line_cut, chunk)
    reading = _Reading(state, lines, at)
    reading.run()
    return reading.result(half, is_cut)


def finish(state: ReaderState, at: datetime) -> tuple[ReaderState, tuple[Point, ...], Progress]:
    """Read what is left when the output has ended: the last line may lack its end, a table its rule."""
    return read(state, b"\n.\n", at)


class _Reading(Taking):
    """One call of `read`: its lines, and the state as it moves."""

    def __init__(self, state: ReaderState, text: bytes | None, at: datetime) -> None:
        super().__init__(state, text)
        self._state = state
        self._at = at
        self._block: Block | None = state.block
        self._header = state.header
        self._last_row = -1 - state.header_misses

    def run(self) -> None:
        """Go through the lines once.

        Most lines of a log say nothing, and are known by their letters: these are made for all lines at once, and what
        says nothing is sifted out before Python sees it. Below a header rows are let through as well; only in a record
        of several lines each line counts.
        """
        if not self._lines:
            return
        indices, letters = iter(range(len(self._lines))), iter(memo.letters_of(self._text))
        telling = compress(indices, map(memo.TELLING.get, letters, repeat(True)))
        telling_in_table = compress(indices, map(memo.TELLING_IN_TABLES.get, letters, repeat(True)))
        lines, quicks, layouts = self._lines, memo.QUICKS.get, memo.LAYOUTS.get
        while True:
            if self._block is not None:
                index, _ = next(indices, None), next(letters, None)
            else:
                index = next(telling_in_table if self._header else telling, None)
            if index is None:
                return
            line = lines[index]
            if self._block is not None and self._in_block(index, line):
                self._last_row += 1
                continue
            if self._header and self._takes_row(index, line):
                continue
            key = line.translate(memo.ALL_ZEROS)
            quick = quicks(key)
            if quick is not None and not self._is_code(index) and self._reads_quickly(quick, line, index):
                continue
            layout = layouts(key)
            if layout is not None or memo.is_telling(line):
                self._tell(index, line, key, layout)

    def result(self, half: str, is_cut: bool) -> tuple[ReaderState, tuple[Point, ...], Progress]:
        """What `read` returns."""
        self._find_bar(len(self._lines))
        position = self._position
        misses = len(self._lines) - 1 - self._last_row if self._header else 0
        has_header = misses <= MOST_HEADER_MISSES
        state = ReaderState(
            half_line=half,
            half_line_cut=is_cut,
            after_frame=_FRAME.match(self._lines[-1]) is not None if self._lines else self._state.after_frame,
            block=self._block,
            header=self._header if has_header else (),
            header_misses=misses if has_header else 0,
            rank=self._rank,
            names=tuple(self._names),
            position=position,
        )
        step, steps = position.step, position.steps
        if step is None:
            step, steps = position.bar, position.bar_total if steps is None else steps
        points: list[Point] = []
        for (name, kind), values in self._points.items():
            columns = zip(repeat(name), values, repeat(kind), values.values(), repeat(self._at), strict=False)
            # As `Point._make` does it, without a call of Python's for each.
            points += map(tuple.__new__, repeat(Point), columns)
        return state, tuple(points), Progress(position.epoch, position.epochs, step, steps)

    def _tell(self, index: int, line: bytes, key: bytes, layout: Layout | None) -> None:
        """Read a line that has a telling word."""
        if layout is not None and not layout.holds(line):
            layout = memo.VARIANTS.get((key, layout.words_of(line)))
        if layout is None:
            self._meet(index, line, key)
        elif layout.opens is not None:
            self._block = Block(layout.opens)
            self._in_block(index, line)
        elif not (layout.plan.is_empty or self._is_code(index)) and not (
            layout.quick is not None and layout.words and self._reads_quickly(layout.quick, line, index)
        ):
            self._apply(layout.plan, [line[start:end] for start, end in layout.spans], index)

    def _meet(self, index: int, line: bytes, key: bytes) -> None:
        """Read a line of a layout that is new, and remember the layout."""
        has_fill = b"%|" in line or b"\xe2" in line or b"===" in line or b"..." in line
        text = text_of(without_fill(line) if has_fill else line)
        shape, numbers = split_numbers(text)
        plan = plan_of(shape)
        opened = opens(text) if plan.is_empty else None
        if opened is None and plan.is_empty and self._opens_table(index, text):
            return
        if len(key) < memo.MOST_KEY_BYTES:
            layout = layout_of(plan, line, numbers, opened.kind if opened else None)
            if layout is not None:
                memo.remember(key, line, layout)
        if opened is not None:
            self._block = opened
            self._in_block(index, line)
        elif not plan.is_empty and not self._is_code(index):
            self._apply(plan, numbers, index)

    def _apply(self, plan: Plan, numbers: list[bytes], index: int) -> None:
        """Take what ``plan`` says of the ``numbers`` of line ``index``."""
        if plan.metrics and not self._is_our_rank(plan, numbers):
            return
        metrics = values_of(plan, numbers)
        if plan.metrics and not metrics and not plan.is_row:
            return
        if plan.needs_position and metrics and self._position.x is None and self._position.epoch is None:
            return
        follows_bar = plan.is_dict and plan.step < 0 <= plan.epoch and b"." in numbers[plan.epoch]
        if follows_bar:
            self._find_bar(index)
        counters = Counters(
            count(numbers[plan.epoch]) if plan.epoch >= 0 else None,
            count(numbers[plan.epochs]) if plan.epochs >= 0 else None,
            count(numbers[plan.step]) if plan.step >= 0 else None,
            count(numbers[plan.steps]) if plan.steps >= 0 else None,
            plan.is_inner,
            plan.is_evaluation,
            follows_bar,
            plan.is_head,
        )
        self._emit(counters, metrics, index)

    def _opens_table(self, index: int, text: str) -> bool:
        """Whether the line is the header of a table; then its rows are expected."""
        header = header_of(text) or spaced_header_of(text)
        if header:
            self._header, self._last_row = header, index
        return bool(header)

    def _takes_row(self, index: int, line: bytes) -> bool:
        """Whether ``line`` is a row under the open header; then it is taken."""
        if index - self._last_row - 1 > MOST_HEADER_MISSES:
            self._header = ()
            return False
        cells = (spaced_row_of if self._header[0] == SPACED else row_of)(self._header, line)
        if cells is None:
            return False
        self._last_row = index
        self._apply(columns_of(self._header), cells, index)
        return True

    def _in_block(self, index: int, line: bytes) -> bool:
        """Whether the line belongs to the open block; then it is taken."""
        if self._block is None:
            return False
        block = self._block
        # Most lines that do not belong to it are known by their first letter.
        self._block, items = (None, block.items) if line[:1].isalnum() else take(block, text_of(line))
        plan = columns_of(tuple([key for key, _ in items])) if items else NOTHING
        if items and not plan.is_empty:
            if not plan.metrics:  # a head of settings: its totals are of use, its counters are not where the run is
                plan = Plan(epochs=plan.epochs, steps=plan.steps)
            self._apply(plan, [value.strip(" '\"").encode() for _, value in items], index)
        return self._block is not None

    def _is_our_rank(self, plan: Plan, numbers: list[bytes]) -> bool:
        """Ranks repeat each other: the lowest one that prints metrics is read."""
        rank = plan.named_rank
        if rank is None:
            printed = number(numbers[plan.rank]) if plan.rank >= 0 else None
            if printed is None or not 0 <= printed < _MOST_RANKS:
                return True
            rank = int(printed)
        if self._rank is None or rank < self._rank:
            self._rank = rank
        return rank == self._rank

    def _is_code(self, index: int) -> bool:
        """Whether the line is the source that a traceback shows under its ``File`` line."""
        if index == 0:
            return self._state.after_frame
        return b'File "' in self._lines[index - 1] and _FRAME.match(self._lines[index - 1]) is not None
