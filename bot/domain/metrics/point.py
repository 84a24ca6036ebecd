"""Points of curves, and how far a run has come."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple


class XKind(StrEnum):
    """What the x of a point counts."""

    STEP = "step"
    EPOCH = "epoch"


class Point(NamedTuple):
    """One value of one metric. Of two points with the same metric, kind and x, the later one holds.

    ``metric`` is the source's own name (text from outside). ``x`` grows through the run: counters that start again with
    each epoch are carried on. ``value`` may be NaN or infinite, and is in the source's unit (98.4 for ``98.4%``).
    ``at`` (UTC) is when the line was read. A tuple, since a log makes hundreds of thousands a second.
    """

    metric: str
    x: float
    x_kind: XKind
    value: float
    at: datetime


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the run has come by its own counters; None where the output has not said.

    ``step`` of ``steps`` is as printed: of the whole run, or, where the counter starts again, of this epoch.
    """

    epoch: float | None = None
    epochs: float | None = None
    step: float | None = None
    steps: float | None = None
