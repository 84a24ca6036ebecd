"""Verdicts: what is wrong with a run, or deserves a word, as its curves show it; each with its numbers."""

from bot.domain.verdicts.judge import has_diverged, verdicts
from bot.domain.verdicts.kinds import (
    Diverging,
    Flat,
    Nonfinite,
    Overfitting,
    Spike,
    Stalled,
    Verdict,
    VerdictKind,
    ZeroLoss,
)
from bot.domain.verdicts.stalling import stalled

__all__ = [
    "Diverging",
    "Flat",
    "Nonfinite",
    "Overfitting",
    "Spike",
    "Stalled",
    "Verdict",
    "VerdictKind",
    "ZeroLoss",
    "has_diverged",
    "stalled",
    "verdicts",
]
