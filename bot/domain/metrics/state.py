"""What the reader remembers between two pieces of an output."""

from dataclasses import dataclass, field
from enum import StrEnum

from bot.domain.metrics.point import XKind


class BlockKind(StrEnum):
    """A record that is printed over several lines."""

    TABLE = "table"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Block:
    """The rows so far of a record whose end has not been read: keys with their values as printed."""

    kind: BlockKind
    items: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Position:
    """Where on the x axis the run is. All counters are as printed, but ``offset`` and ``x``.

    Not frozen: the reader moves a copy of its own, line by line.
    """

    x: float | None = None
    """Of the last point."""
    x_kind: XKind | None = None
    """Of the last point; once steps were seen it stays so."""
    x_epoch: float | None = None
    """The epoch that held when the last point was made."""
    epoch: float | None = None
    epochs: float | None = None
    step: float | None = None
    step_epoch: float | None = None
    """The epoch that ``step`` was printed in."""
    step_first: float | None = None
    steps: float | None = None
    stride: float = 1.0
    """The last distance between two printed steps."""
    offset: float = 0.0
    """What is added to a step to carry on counters that start again."""
    steps_per_epoch: float | None = None
    """Known once a counter started again with a new epoch."""
    bar: float | None = None
    """Where the bar of the whole run stood last."""
    bar_total: float | None = None
    bar_used: bool = False
    """A point took its x from that bar: bars of another length are others."""
    unnumbered: tuple[str, ...] = ()
    """Metrics seen at the present x of an output that counts nothing."""
    resumes: tuple[float, ...] = ()
    """Where the run went back to and on from there, the latest ones."""


@dataclass(frozen=True, slots=True)
class ReaderState:
    """Everything kept between reads; plain values only, so that it can be stored as JSON.

    ``half_line`` is the unfinished last line, one character a byte (Latin-1), without NULs, at most
    ``MOST_LINE_BYTES``; ``half_line_cut`` says that the line is longer and its rest is not read. ``names`` are the
    metrics seen so far.
    """

    half_line: str = ""
    half_line_cut: bool = False
    after_frame: bool = False
    """The last whole line named a file in a traceback: the next one is code."""
    block: Block | None = None
    header: tuple[str, ...] = ()
    """Column names, while rows of numbers are expected."""
    header_misses: int = 0
    rank: int | None = None
    """The lowest rank that printed metrics; others repeat it."""
    names: tuple[str, ...] = ()
    position: Position = field(default_factory=Position)
