"""Metrics: what a trainer printed, read as points of curves, piece by piece and without a clock."""

from bot.domain.metrics.names import Meaning, Role, Split, meaning
from bot.domain.metrics.point import Point, Progress, XKind
from bot.domain.metrics.reader import finish, read
from bot.domain.metrics.state import ReaderState

__all__ = [
    "Meaning",
    "Point",
    "Progress",
    "ReaderState",
    "Role",
    "Split",
    "XKind",
    "finish",
    "meaning",
    "read",
]
