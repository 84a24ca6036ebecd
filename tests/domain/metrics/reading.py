"""Whole outputs through the reader, in pieces of any size."""

from datetime import UTC, datetime
from pathlib import Path

from bot.domain.metrics import Point, Progress, ReaderState, XKind, finish, read

AT = datetime(2025, 3, 1, 12, tzinfo=UTC)
SAMPLES = Path(__file__).parents[2] / "samples" / "logs"

Points = dict[tuple[str, XKind, float], Point]


def read_all(output: bytes, piece_bytes: int = 1 << 20) -> tuple[Points, Progress, ReaderState]:
    """The points that hold in the end, by metric, kind and x."""
    state, points = ReaderState(), {}
    for start in range(0, len(output), piece_bytes):
        state, new, _ = read(state, output[start : start + piece_bytes], AT)
        points.update({(point.metric, point.x_kind, point.x): point for point in new})
    state, new, progress = finish(state, AT)
    points.update({(point.metric, point.x_kind, point.x): point for point in new})
    return points, progress, state


def said(text: str | bytes) -> list[tuple[str, float, float]]:
    """The (metric, x, value) that an output holds."""
    output = text if isinstance(text, bytes) else text.encode()
    return [(point.metric, point.x, point.value) for point in read_all(output + b"\n")[0].values()]
