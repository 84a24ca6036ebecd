"""One picture of curves: axes, lines, marks and words on a matplotlib figure. Never pyplot: it keeps what it drew."""

import io
from typing import Any, Final, NamedTuple

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from bot.charts.arrays import Curve, broken_at, curve_of
from bot.charts.fonts import font, shown
from bot.charts.marks import draw_marks, reach_of, time_at
from bot.domain.curve import Series
from bot.domain.metrics import Role, XKind
from bot.ports.plotter import HEIGHT_PX, WIDTH_PX, CurvePicture

_DPI: Final = 100
_COMPRESS_LEVEL: Final = 3  # a third less time than the default for a sixth more bytes
_INK, _FAINT, _GRID, _GROUND, _EDGE = "#1f2328", "#59636e", "#e4e8ec", "#ffffff", "#c4ccd4"
_TRAIN, _VALIDATION, _SCORE, _ALARM, _BADGE = "#1f5fd0", "#d9650a", "#1a7f37", "#cf222e", "#9a6700"
_OTHERS: Final = (_VALIDATION, "#8250df", "#0b7a75", "#bf3989", "#7d4e00")
_TIME_ROW: Final = 0.032
_LOWER, _GAP = 0.165, 0.085
_SMOOTH_FROM: Final = 100
_MARKERS_UP_TO: Final = 40
_LOG_FROM_RATIO: Final = 30.0
_MOST_TITLE_CHARS, _MOST_NAME_CHARS, _MOST_ROW_CHARS = 78, 34, 118
_LEFT, _FOOT, _WIDE = 0.07, 0.105, 0.905  # of the picture


def draw(picture: CurvePicture) -> bytes:
    """The picture as PNG bytes. Not for several threads at once: matplotlib's font caches are shared."""
    figure = Figure(
        figsize=(WIDTH_PX / _DPI, HEIGHT_PX / _DPI), dpi=_DPI, facecolor=_GROUND, edgecolor=_EDGE, linewidth=3
    )
    FigureCanvasAgg(figure)
    _Drawing(picture, figure).draw()
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=_DPI, pil_kwargs={"compress_level": _COMPRESS_LEVEL})
    return png.getvalue()


class _Line(NamedTuple):
    """One curve with its colour and, if not its metric, its name."""

    curve: Curve
    colour: str
    label: str = ""


class _Drawing:
    """One picture on its figure."""

    def __init__(self, picture: CurvePicture, figure: Figure) -> None:
        self._picture, self._figure, self._words = picture, figure, picture.words
        self._notes: list[tuple[str, str]] = []

    def draw(self) -> None:
        """Everything."""
        above, below = self._lines()
        main = above[0].curve if above else None
        upper = self._figure.add_subplot()
        lower = self._figure.add_subplot() if below else upper
        panels = [upper, lower] if below else [upper]
        for axes, lines in zip(panels, (above, below), strict=False):
            self._style(axes)
            self._draw_panel(axes, lines, is_small=axes is not upper)
        if main is None or not any(len(line.curve.x) for line in above):
            self._say_empty(upper, main)
        if main is not None:
            self._scale_x(panels, [line.curve for line in (*above, *below)])
        top = self._draw_head()
        foot = _FOOT + (_TIME_ROW if self._picture.marks.times and main is not None else 0.0)
        height = top - foot - (_LOWER + _GAP if below else 0.0)
        upper.set_position((_LEFT, top - height, _WIDE, height))
        if below:
            lower.set_position((_LEFT, foot, _WIDE, _LOWER))

    def _lines(self) -> tuple[list[_Line], list[_Line]]:
        """Those of the upper and the lower panel. What is counted otherwise than the main curve is noted, not drawn."""
        picture, main = self._picture, curve_of(self._picture.main)
        above = [] if main is None else [_Line(main, _TRAIN, picture.main_label)]
        below: list[_Line] = []
        beside: list[tuple[Series | None, str, str, bool]] = [
            (picture.validation, _VALIDATION, "", False),
            (picture.score, _SCORE, "", True),
        ]
        used = 1 + (picture.validation is not None)
        for number, line in enumerate(picture.more):
            colour = _OTHERS[(number + used - 1) % len(_OTHERS)]
            beside.append((line.series, colour, line.label, line.is_below))
        for series, colour, label, is_below in beside:
            curve = curve_of(series)
            if curve is None:
                continue
            is_alike = main is None or curve.series.x_kind is main.series.x_kind
            if is_alike and not (is_below and len(curve.x) < 2):
                (below if is_below else above).append(_Line(curve, colour, label))
            elif len(curve.x):
                self._notes.append((self._label(_Line(curve, colour, label)), colour if is_alike else _FAINT))
        return above, below

    def _draw_panel(self, axes: Axes, lines: list[_Line], *, is_small: bool) -> None:
        drawn = [line for line in lines if len(line.curve.x)]
        for line in reversed(drawn):  # the main one over the others
            self._draw_line(axes, line.curve, line.colour)
        notes = [(self._label(line), line.colour) for line in drawn]
        if lines and len(lines[0].curve.broken_x):
            curve = lines[0].curve
            self._mark_broken(axes, curve)
            if lines[0].colour == _TRAIN:
                notes.append((f"{self._words.not_finite}: {len(curve.broken_x):,}", _ALARM))
        self._notes += notes
        names = dict.fromkeys(shown(line.curve.series.metric, _MOST_NAME_CHARS) for line in lines[:3])
        name = ", ".join(names)
        is_log = self._scale_y(axes, [one.curve for one in drawn], is_small=is_small)
        title = f"{name} ({self._words.log_scale})" if is_log else name
        axes.set_title(title, loc="left", pad=7, color=_FAINT, parse_math=False, font=font(13))

    def _draw_line(self, axes: Axes, curve: Curve, colour: str) -> None:
        """Raw thin and smoothed strong where there are many points; else one line, with markers where there are few."""
        count = len(curve.x)
        dot: dict[str, Any] = {"color": colour, "markeredgecolor": _GROUND, "markeredgewidth": 1.4}
        if count >= _SMOOTH_FROM:
            axes.plot(*broken_at(*curve.thinned, curve.broken_x), color=colour, linewidth=1.0, alpha=0.38)
            axes.plot(*broken_at(*curve.smoothed, curve.broken_x), color=colour, linewidth=2.8)
        else:
            size = 0 if count > _MARKERS_UP_TO else 6
            axes.plot(
                *broken_at(curve.x, curve.y, curve.broken_x), color=colour, linewidth=2.6, marker="o", markersize=size
            )
        axes.plot(curve.x[-1:], curve.y[-1:], marker="o", markersize=10, **dot)
        if self._has_other_best(curve):
            axes.plot(curve.x[curve.best], curve.y[curve.best], marker="*", markersize=17, **dot)

    def _mark_broken(self, axes: Axes, curve: Curve) -> None:
        """A red cross at the foot for every value that cannot be drawn; red ground where the curve ends in them."""
        broken = curve.broken_x
        some = broken[:: max(1, len(broken) // 200)]
        axes.plot(some, [0.035] * len(some), transform=axes.get_xaxis_transform(), color=_ALARM, linestyle="none",
                  marker="x", markersize=9, markeredgewidth=2.4, clip_on=False)  # fmt: skip
        after = broken[broken > curve.x[-1]] if len(curve.x) else broken
        if len(after):
            start = (curve.x[-1] + after[0]) / 2 if len(curve.x) else after[0]
            axes.axvspan(start, after[-1] + max(after[-1] - start, 0.0) * 0.02, color=_ALARM, alpha=0.09, linewidth=0)

    def _scale_y(self, axes: Axes, curves: list[Curve], *, is_small: bool) -> bool:
        """Limits that keep the curve readable beside a spike, or a log scale; True for a log scale."""
        if not curves:
            return False
        plain, spikes = zip(*(curve.parted for curve in curves), strict=True)
        low, high = min(float(y.min()) for y in plain), max(float(y.max()) for y in plain)
        is_loss = all(curve.series.meaning.role in (Role.LOSS, Role.ERROR) for curve in curves)
        helps = is_loss and low > 0 and high / low >= _LOG_FROM_RATIO
        if helps or (self._picture.is_log and low > 0):
            axes.set_yscale("log")
            subs = _subs(high / low)
            axes.yaxis.set_major_locator(LogLocator(subs=subs, numticks=4 if is_small else 8))
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axes.yaxis.set_minor_formatter(NullFormatter())
            axes.margins(y=0.06)
            return True
        room = (high - low) * 0.07 or abs(high) * 0.1 or 0.5
        axes.set_ylim(low - room, high + room * 1.4)
        for xs, ys in spikes:
            for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
                self._mark_spike(axes, x, y, is_above=y > high)
        return False

    def _mark_spike(self, axes: Axes, x: float, y: float, *, is_above: bool) -> None:
        """An arrow to what lies beyond the axis, with its value."""
        axes.annotate(
            f"{y:.3g}",
            (x, 1.0 if is_above else 0.0),
            (14, -6 if is_above else 6),
            xycoords=axes.get_xaxis_transform(),
            textcoords="offset points",
            va="top" if is_above else "bottom",
            color=_FAINT,
            font=font(12),
        )
        axes.plot([x], [0.985 if is_above else 0.015], transform=axes.get_xaxis_transform(), color=_FAINT, markersize=9,
                  marker="^" if is_above else "v", clip_on=False)  # fmt: skip

    def _scale_x(self, panels: list[Axes], curves: list[Curve]) -> None:
        """The same limits and marks for all panels, whole numbers with the time under them, named once."""
        marks = self._picture.marks
        low, high = min(curve.span[0] for curve in curves), max(curve.span[1] for curve in curves)
        farthest = reach_of(marks, low, high)
        room = (farthest - low) * 0.015 or 1.0
        for axes in panels:
            axes.set_xlim(low - room, farthest + room)
            axes.xaxis.set_major_locator(MaxNLocator(nbins=10, steps=[1, 2, 2.5, 5, 10], integer=True, min_n_ticks=1))
            axes.xaxis.set_major_formatter(FuncFormatter(self._tick))
        draw_marks(panels, marks, self._words, low, high)
        for axes in panels[:-1]:
            axes.tick_params(labelbottom=False)
        word = self._words.epoch if curves[0].series.x_kind is XKind.EPOCH else self._words.step
        text = f"{word} · {self._words.since_start}" if marks.times else word
        panels[-1].set_xlabel(text, color=_INK, labelpad=4, parse_math=False, font=font(14))

    def _tick(self, value: float, _: int | None) -> str:
        since = time_at(self._picture.marks, value) if self._picture.marks.times else None
        return _short(value) if since is None else f"{_short(value)}\n{since}"

    def _say_empty(self, axes: Axes, main: Curve | None) -> None:
        text = self._words.nothing_yet if main is None else self._words.nothing_finite
        axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color=_FAINT, font=font(24))
        axes.set_yticks([])
        if main is None:
            axes.set_xticks([])

    def _draw_head(self) -> float:
        """Title, badge, and a legend that lies above the curves and never over them; how high the panels may reach."""
        most = _MOST_TITLE_CHARS - (20 if self._picture.is_simulated else 0)
        self._figure.text(0.024, 0.925, shown(self._picture.title, most), color=_INK, va="center",
                          parse_math=False, font=font(19, is_bold=True))  # fmt: skip
        if self._picture.is_simulated:
            badge = {"boxstyle": "round,pad=0.35", "facecolor": "#fff8c5", "edgecolor": "#d4a72c"}
            self._figure.text(0.975, 0.927, shown(self._words.simulated, 30), color=_BADGE, ha="right", va="center",
                              parse_math=False, font=font(14), bbox=badge)  # fmt: skip
        if not self._notes:
            return 0.84
        columns = _columns_of([len(note) + 8 for note, _ in self._notes])
        handles = [Line2D([], [], color=colour, linewidth=4) for _, colour in self._notes]
        legend = self._figure.legend(
            handles,
            [""] * len(handles),
            loc="upper left",
            bbox_to_anchor=(0.015, 0.893),
            ncols=columns,
            frameon=False,
            handlelength=1.1,
            columnspacing=2.2,
            labelspacing=0.3,
            prop=font(15),
        )
        for text, (note, _) in zip(legend.get_texts(), self._notes, strict=True):
            text.set_parse_math(False)
            text.set_text(note)
            text.set_color(_INK)
        return 0.835 - 0.05 * -(-len(handles) // columns)

    def _label(self, line: _Line) -> str:
        """The metric with its last and best value."""
        words, curve = self._words, line.curve
        name = shown(line.label or curve.series.metric, _MOST_NAME_CHARS)
        text = f"{name}  {words.last} {curve.y[-1]:.4g}"
        if self._has_other_best(curve):
            text += f", {words.best} {curve.y[curve.best]:.4g} {words.at} {_short(float(curve.x[curve.best]))}"
        return text

    @staticmethod
    def _has_other_best(curve: Curve) -> bool:
        """The best point is another one than the last, and better."""
        return bool(curve.y[curve.best] != curve.y[-1])

    def _style(self, axes: Axes) -> None:
        axes.set_facecolor(_GROUND)
        axes.grid(visible=True, color=_GRID, linewidth=1.0)
        axes.set_axisbelow(True)
        for side, spine in axes.spines.items():
            spine.set_visible(side in ("left", "bottom"))
            spine.set_color(_EDGE)
        axes.tick_params(which="both", colors=_FAINT, labelsize=14, length=0, pad=6)


def _columns_of(lengths: list[int]) -> int:
    """In how many columns texts of these lengths fit: all, two or one. A legend is filled column by column."""
    half = -(-len(lengths) // 2)
    if sum(lengths) <= _MOST_ROW_CHARS:
        return len(lengths)
    return 2 if max(lengths[:half]) + max(lengths[half:], default=0) <= _MOST_ROW_CHARS else 1


def _subs(ratio: float) -> tuple[float, ...]:
    """Which multiples of powers of ten are named on a log axis that reaches over ``ratio``."""
    if ratio >= 1e4:
        return (1.0,)
    return (1.0, 2.0, 5.0) if ratio >= 8 else (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)


def _short(value: float) -> str:
    """117,600 as 117.6k; small numbers as they are."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if letter == 'k' else size):.4g}{letter}"
    return f"{value:.4g}"
