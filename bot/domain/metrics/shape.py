"""The shape of a line: its text with every number taken out. Lines of one print statement share it."""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.domain.metrics.trainers import NUMBER_MARK

# A digit inside a word or a version is no number: rank0, mAP50, acc@1, float32.
_DIGITS: Final = r"[0-9](?<![A-Za-z0-9_.@].)[0-9]*(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]+)?"
_NAN: Final = r"(?<![A-Za-z0-9_.])(?:[nN]a[nN]|NAN|[iI]nf(?:inity)?|INF)(?![A-Za-z0-9_])"
_NUMBER: Final = re.compile(f"({_DIGITS})")
_NUMBER_OR_NAN: Final = re.compile(f"({_DIGITS}|{_NAN})")
_NUMBER_IN_BYTES: Final = re.compile(rf"\x1b\[[0-?]*[ -/]*[@-~]|({_DIGITS}|{_NAN})|([0-9]+)".encode())
_NAN_WORDS: Final = ("nan", "inf", "NaN", "Inf", "NAN", "INF")
_MOST_COUNTED: Final = 1e15
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
    return value if value is not None and 0.0 <= value <= _MOST_COUNTED else None


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
    is_row: bool = False
    """Of a table or record: also without a single value it says where the run is."""

    @property
    def is_empty(self) -> bool:
        """Lines of this shape say nothing."""
        return not self.metrics and max(self.epoch, self.epochs, self.step, self.steps) < 0


NOTHING: Final = Plan()


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the numbers of a line stand, by byte; holds for every line with the same text and equally wide numbers.

    ``words`` are the digits that are part of a word, as in ``rank0``: they have to be the same.
    """

    plan: Plan
    spans: tuple[tuple[int, int], ...]
    words: tuple[tuple[int, int, bytes], ...]


def layout_of(plan: Plan, line: bytes, numbers: list[bytes]) -> Layout | None:
    """Where the ``numbers`` that `split_numbers` found stand in the line as printed; None where that is not plain."""
    found = [match for match in _NUMBER_IN_BYTES.finditer(line) if match.lastindex]
    spans = tuple(match.span(1) for match in found if match[1] is not None)
    words = tuple((*match.span(2), match[2]) for match in found if match[2] is not None)
    return Layout(plan, spans, words) if [line[start:end] for start, end in spans] == numbers else None
