"""The verdicts as values. Their ``occasion`` is the same as long as it is the same trouble: it is said once."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from bot.domain.curve import Mark
from bot.domain.metrics.point import XKind


class VerdictKind(StrEnum):
    """What can be said of a run."""

    NONFINITE = "nonfinite"
    DIVERGING = "diverging"
    SPIKE = "spike"
    FLAT = "flat"
    OVERFITTING = "overfitting"
    ZERO_LOSS = "zero-loss"
    STALLED = "stalled"


@dataclass(frozen=True, slots=True)
class Nonfinite:
    """A loss became NaN or infinite. ``recovered``: the first number after the last of them; None while it lasts."""

    kind: ClassVar[VerdictKind] = VerdictKind.NONFINITE
    metric: str
    x_kind: XKind
    since_x: float
    """Where the last run of such values began."""
    count: int
    """How many points are no number, all in all."""
    last_finite: Mark | None
    """The last number before ``since_x``."""
    recovered: Mark | None

    @property
    def occasion(self) -> str:
        """Recovering is news, and so is the next time."""
        return f"{self.kind}:{self.metric}:{self.since_x:.10g}:{'recovered' if self.recovered else ''}"


@dataclass(frozen=True, slots=True)
class Diverging:
    """A training loss has gone up and stays up. ``low`` is the level that it had reached, where it left it."""

    kind: ClassVar[VerdictKind] = VerdictKind.DIVERGING
    metric: str
    x_kind: XKind
    low: Mark
    last: Mark

    @property
    def occasion(self) -> str:
        """Once a curve."""
        return f"{self.kind}:{self.metric}"


@dataclass(frozen=True, slots=True)
class Spike:
    """A training loss jumped and came back. The highest one; ``count`` of them in all."""

    kind: ClassVar[VerdictKind] = VerdictKind.SPIKE
    metric: str
    x_kind: XKind
    peak: Mark
    level: float
    """Around it."""
    back_at: Mark
    count: int

    @property
    def occasion(self) -> str:
        """Once a spike."""
        return f"{self.kind}:{self.metric}:{self.peak.x:.10g}"


@dataclass(frozen=True, slots=True)
class Flat:
    """A training loss has not moved since ``since``."""

    kind: ClassVar[VerdictKind] = VerdictKind.FLAT
    metric: str
    x_kind: XKind
    since: Mark
    last: Mark
    level: float
    moved_percent: float
    """Over all of it; negative where it fell."""

    @property
    def occasion(self) -> str:
        """Once a curve."""
        return f"{self.kind}:{self.metric}"


@dataclass(frozen=True, slots=True)
class Overfitting:
    """The validation loss climbs from its best while the training loss goes on falling."""

    kind: ClassVar[VerdictKind] = VerdictKind.OVERFITTING
    metric: str
    """The validation loss."""
    x_kind: XKind
    best: Mark
    last: Mark
    train_metric: str
    train_then: float
    """About where the validation loss was best."""
    train_now: float

    @property
    def occasion(self) -> str:
        """Once a best point."""
        return f"{self.kind}:{self.metric}:{self.best.x:.10g}"


@dataclass(frozen=True, slots=True)
class ZeroLoss:
    """The loss is exactly 0 and the gradients are no numbers: a run that only looks perfect."""

    kind: ClassVar[VerdictKind] = VerdictKind.ZERO_LOSS
    metric: str
    x_kind: XKind
    since_x: float
    count: int
    gradient_metric: str

    @property
    def occasion(self) -> str:
        """Once a curve."""
        return f"{self.kind}:{self.metric}"


@dataclass(frozen=True, slots=True)
class Stalled:
    """No new point for far longer than is usual."""

    kind: ClassVar[VerdictKind] = VerdictKind.STALLED
    last_at: datetime
    silent_s: float
    usual_s: float
    """The usual time between two points."""

    @property
    def occasion(self) -> str:
        """Once a silence."""
        return f"{self.kind}:{self.last_at.timestamp():.0f}"


Verdict = Nonfinite | Diverging | Spike | Flat | Overfitting | ZeroLoss | Stalled
