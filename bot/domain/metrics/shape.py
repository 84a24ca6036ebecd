"""The shape of a line: its text with every number taken out. Lines of one print statement share it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct
from typing import Final, NamedTuple

from bot.domain.metrics.counters import NUMBER_MARK
from bot.domain.metrics.state import BlockKind

# A digit inside a word or a version is no number: rank0, mAP50, acc@1, float32.
_DIGITS: Final = r"[0-9](?<![A-Za-z0-9_.@].)[0-9]*(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]+)?"
_NAN: Final = r"(?<![A-Za-z0-9_.])(?:[nN]a[nN]|NAN|[iI]nf(?:inity)?|INF)(?![A-Za-z0-9_])"
_NUMBER: Final = re.compile(f"({_DIGITS})")
_NUMBER_OR_NAN: Final = re.compile(f"({_DIGITS}|{_NAN})")
_NUMBER_IN_BYTES: Final = re.compile(f"({_DIGITS}|{_NAN})|([0-9]+)".encode())
_COLOUR_IN_BYTES: Final = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]")
_NAN_WORDS: Final = ("nan", "inf", "NaN", "Inf", "NAN", "INF")
MOST_COUNTED: Final = 1e15
_THOUSANDS: Final = re.compile(rb"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")


def split_numbers(line: str) -> tuple[str, list[bytes]]:
    """The shape of ``line``, each number replaced by one NUL, and the numbers as printed (ASCII).

    ``line`` itself holds no NUL. Linear in its length.
    """
    has_words = any(word in line for word in _NAN_WORDS)
    pieces = (_NUMBER_OR_NAN if has_words else _NUMBER).split(line)
    return NUMBER_MARK.join(pieces[::2]), [piece.encode() for piece in pieces[1::2]]


def number(text: bytes) -> float | None:
    """The value of a printed number; thousands separators and decimal commas are understood. None: it is none."""
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        pass
    if _THOUSANDS.fullmatch(text):
        text = text.replace(b",", b"")
    try:
        return float(text.replace(b",", b".", 1))
    except ValueError:
        return None


def count(text: bytes) -> float | None:
    """The value of a printed counter; None where it can be none: NaN, or beyond what is ever counted to."""
    value = number(text)
    return value if value is not None and 0.0 <= value <= MOST_COUNTED else None


class MetricAt(NamedTuple):
    """A metric, and which number of the line is its value."""

    name: str
    at: int
    whole_at: int = -1
    """The number that it is a part of: the value is their ratio, in per cent. -1: none."""
    is_negative: bool = False
    needs_fraction: bool = False
    """Believed only with a decimal point: the words around it may be prose."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which numbers of a line mean what, by index; -1: not on this line."""

    metrics: tuple[MetricAt, ...] = ()
    epoch: int = -1
    epochs: int = -1
    step: int = -1
    steps: int = -1
    rank: int = -1
    """Index of the printed rank."""
    named_rank: int | None = None
    """The rank itself, where it is part of a word: ``[rank1]``."""
    is_evaluation: bool = False
    """A loop over other data: its counter is not the run's."""
    is_inner: bool = False
    """The step counts within its epoch, and its values replace each other."""
    needs_position: bool = False
    """Before anything was counted, it is a setting rather than a metric."""
    is_dict: bool = False
    is_head: bool = False
    """It says where the run is, and the lines below what was measured there."""
    is_row: bool = False
    """Of a table or record: also without a single value it says where the run is."""

    @property
    def is_empty(self) -> bool:
        """Lines of this shape say nothing."""
        return not self.metrics and max(self.epoch, self.epochs, self.step, self.steps) < 0


NOTHING: Final = Plan()


def values_of(plan: Plan, numbers: list[bytes]) -> list[tuple[str, float]]:
    """The metrics of a line that have a value. Empty and null cells are absent, never 0."""
    metrics = []
    for name, value_at, whole_at, is_negative, needs_fraction in plan.metrics:
        text = numbers[value_at]
        value = number(text) if text else None
        if value is None or (needs_fraction and b"." not in text):
            continue
        if whole_at >= 0:
            whole = number(numbers[whole_at])
            if not whole:
                continue
            value = 100.0 * value / whole
        metrics.append((name, -value if is_negative else value))
    return metrics


Span = tuple[int, int]


class Quick(NamedTuple):
    """How lines are read that are nothing but counters and values: most lines of most logs.

    ``unpack`` cuts their numbers out, signs included; the rest says which of them mean what, -1: none does.
    """

    unpack: Callable[[bytes], tuple[bytes, ...]]
    step: int
    epoch: int
    steps: int
    epochs: int
    values: tuple[tuple[str, int], ...]
    rank: int | None
    follows_bar: bool
    """Of a dict with an epoch's fraction: it lies where the bar around it stands, if there is one."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the numbers of a line stand, by byte; holds for every line with the same text and equally wide numbers.

    ``words`` are the digits that are part of a word, as in ``rank0``: they have to be the same. ``opens``: what begins
    with such a line, which is read with the lines that follow.
    """

    plan: Plan
    spans: tuple[Span, ...]
    words: tuple[tuple[int, int, bytes], ...]
    quick: Quick | None
    opens: BlockKind | None

    def holds(self, line: bytes) -> bool:
        """Whether it is this line's; its letters and the widths of its numbers are known to be the same."""
        return not self.words or all(line[start:end] == word for start, end, word in self.words)

    def words_of(self, line: bytes) -> tuple[bytes, ...]:
        """The digits within the words of ``line``, for another layout of the same letters."""
        return tuple(line[start:end] for start, end, _ in self.words)


def layout_of(plan: Plan, line: bytes, numbers: list[bytes], opens: BlockKind | None) -> Layout | None:
    """Where the ``numbers`` that `split_numbers` found stand in the line as printed; None where that is not plain."""
    if b"\x1b" in line:  # the letters and digits of colours are none
        line = _COLOUR_IN_BYTES.sub(lambda colour: b"\1" * len(colour[0]), line)
    found = list(_NUMBER_IN_BYTES.finditer(line))
    spans = tuple(match.span(1) for match in found if match[1] is not None)
    words = tuple((*match.span(2), match[2]) for match in found if match[2] is not None)
    if [line[start:end] for start, end in spans] != numbers:
        return None
    return Layout(plan, spans, words, _quick(plan, line, spans), opens)


def _quick(plan: Plan, line: bytes, spans: tuple[Span, ...]) -> Quick | None:
    is_plain = not (plan.is_inner or plan.is_evaluation or plan.is_row) and plan.rank < 0
    if not is_plain or not plan.metrics or any(m.whole_at >= 0 or m.needs_fraction for m in plan.metrics):
        return None
    counters = (plan.step, plan.epoch, plan.steps, plan.epochs)
    negative = {metric.at for metric in plan.metrics if metric.is_negative}
    wanted = sorted({index for index in counters if index >= 0} | {metric.at for metric in plan.metrics})
    layout, end = "", 0
    for index in wanted:
        start = spans[index][0] - (1 if index in negative else 0)
        if index in negative and line[start : start + 1] != b"-":
            return None
        layout += f"{start - end}x{spans[index][1] - start}s"
        end = spans[index][1]
    step, epoch, steps, epochs = (wanted.index(index) if index >= 0 else -1 for index in counters)
    follows_bar = plan.is_dict and step < 0 <= epoch and b"." in line[slice(*spans[plan.epoch])]
    values = tuple((metric.name, wanted.index(metric.at)) for metric in plan.metrics)
    return Quick(Struct(layout).unpack_from, step, epoch, steps, epochs, values, plan.named_rank, follows_bar)
