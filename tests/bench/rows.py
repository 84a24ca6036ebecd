"""What a measurement says: a line each, ours beside its peer's, and the table of all lines."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One line. ``ratio`` is how many times the peer's number ours is; ``holds`` None: nothing is promised."""

    what: str
    ours: str
    peer: str
    ratio: float | None = None
    target: str = ""
    holds: bool | None = None


def at_most(what: str, ours: float, peer: float, unit: str, most: float | None = None) -> Row:
    """Less is better: ours takes at most ``most`` times the peer's."""
    ratio = ours / peer
    holds = None if most is None else ratio <= most
    return Row(what, _number(ours, unit), _number(peer, unit), ratio, "" if most is None else f"≤ {most:g}×", holds)


def at_least(what: str, ours: float, peer: float, unit: str, least: float | None = None) -> Row:
    """More is better: ours is at least ``least`` times the peer's."""
    ratio = ours / peer
    holds = None if least is None else ratio >= least
    return Row(what, _number(ours, unit), _number(peer, unit), ratio, "" if least is None else f"≥ {least:g}×", holds)


def faster(what: str, ours_s: float, peer_s: float, least: float | None = None) -> Row:
    """How many times faster than the peer: the ratio is the peer's time over ours."""
    ratio = peer_s / ours_s
    holds = None if least is None else ratio >= least
    target = "" if least is None else f"≥ {least:g}× faster"
    return Row(what, _number(ours_s, "s"), _number(peer_s, "s"), ratio, target, holds)


def within(row: Row, ours: float, limit: float, unit: str) -> Row:
    """The same line, promised by its own number instead of by the ratio."""
    return Row(row.what, row.ours, row.peer, row.ratio, f"≤ {limit:g} {unit}", ours <= limit)


def percentile(values: Sequence[float], percent: float) -> float:
    """By the nearest rank: one of the values."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def table(rows: Sequence[Row]) -> str:
    """All lines below each other."""
    head = ("what", "ours", "peer", "ratio", "target", "")
    cells = [head, *(_cells(row) for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) if at in (0, 4, 5) else cell.rjust(width)
                  for at, (cell, width) in enumerate(zip(line, widths, strict=True))).rstrip()
        for line in cells
    ]  # fmt: skip
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    verdict = "" if row.holds is None else "ok" if row.holds else "not"
    return (row.what, row.ours, row.peer, ratio, row.target, verdict)


def _number(value: float, unit: str) -> str:
    if value == math.inf:
        return "no answer"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:.{digits}f} {unit}"
