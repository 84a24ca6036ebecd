"""Marks on the x axis of a picture: epochs, resumes, the lease's end; and the time under the steps."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes

from bot.charts.fonts import font, shown
from bot.domain.run_marks import RunMarks
from bot.ports.plotter import PictureWords

_EPOCH, _RESUME, _END, _FAINT = "#b6bec7", "#8250df", "#9a6700", "#59636e"
_MOST_EPOCH_LINES: Final = 24
_REACH: Final = 0.5
"""A lease's end is shown up to so much of the curve's length beyond it."""
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def reach_of(marks: RunMarks, low: float, high: float) -> float:
    """The highest x that is to be seen: the lease's end, where it is not far beyond the curve."""
    if marks.ends_x is None or not high < marks.ends_x <= high + _REACH * (high - low):
        return high
    return marks.ends_x


def draw_marks(panels: Sequence[Axes], marks: RunMarks, words: PictureWords, low: float, last: float) -> None:
    """All of them on curves from ``low`` to ``last``, and the lease's end if it is within reach; named in the first
    panel."""
    upper, high = panels[0], reach_of(marks, low, last)
    if marks.epoch_x:
        _draw_epochs(panels, marks.epoch_x, words, low, last)
    labels: list[tuple[float, str, str, Any]] = [
        (x, _RESUME, words.resumed, (0, (4, 2, 1, 2))) for x in marks.resumes if low <= x <= high
    ]
    if marks.ends_x is not None and low <= marks.ends_x <= high:
        labels.append((marks.ends_x, _END, words.lease_ends, (0, (6, 3))))
    for number, (x, colour, word, dashes) in enumerate(labels):
        for axes in panels:
            axes.axvline(x, color=colour, linewidth=1.8, linestyle=dashes, zorder=1.5)
        is_right = x > low + 0.85 * (high - low)
        if number < 4 or word == words.lease_ends:
            upper.annotate(
                shown(word, 20), (x, 1.0), (-6 if is_right else 6, -4), xycoords=upper.get_xaxis_transform(),
                textcoords="offset points", va="top", ha="right" if is_right else "left", color=colour, font=font(13),
            )  # fmt: skip


def _draw_epochs(panels: Sequence[Axes], length: float, words: PictureWords, low: float, high: float) -> None:
    count = int(high / length)
    every = max(1, -(-count // _MOST_EPOCH_LINES))
    for epoch in range(every, count + 1, every):
        for axes in panels:
            axes.axvline(epoch * length, color=_EPOCH, linewidth=1.1, linestyle=(0, (1, 2.2)), zorder=0.9)
    labelled = max(1, -(-count // every // 8)) * every
    for epoch in range(labelled, count + 1, labelled):
        if low <= epoch * length <= high - 0.02 * (high - low):
            text = f"{words.epoch} {epoch}" if epoch == labelled else f"{epoch}"
            panels[0].annotate(
                text, (epoch * length, 0.0), (4, 4), xycoords=panels[0].get_xaxis_transform(),
                textcoords="offset points", va="bottom", ha="left", color=_FAINT, font=font(12), parse_math=False,
            )  # fmt: skip


def time_at(marks: RunMarks, x: float) -> str:
    """How long after its start the run was there; empty where nobody knows."""
    if not marks.times or not marks.times[0][0] <= x <= marks.times[-1][0]:
        return ""
    places, seconds = zip(*marks.times, strict=True)
    return span(float(np.interp(x, places, seconds)), seconds[-1])


def span(seconds: float, whole_s: float) -> str:
    """``40 s``, ``12 min``, ``3:20 h``, ``2.5 d``: of one axis all in the same unit."""
    if whole_s < 2 * _MINUTE:
        return f"{seconds:.0f} s"
    if whole_s < 2 * _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    if whole_s < 2 * _DAY:
        minutes = round(seconds / _MINUTE)
        return f"{minutes // 60}:{minutes % 60:02d} h"
    return f"{seconds / _DAY:.1f} d"
