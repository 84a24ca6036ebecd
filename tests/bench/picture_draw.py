"""One picture in a process of its own: ``ours``, ``same`` or ``bare``; the folder with the arrays; where the PNG goes.

Prints how many seconds the drawing took, without imports and loading. ``many`` draws pictures in a row instead, all
different ones of ours, and prints its memory in MiB before and after the last 300 of them, and their seconds.
"""

import gc
import io
import json
import sys
import time
from pathlib import Path

import numpy as np
import psutil

MANY, MANY_FIRST = 300, 70


def main() -> None:
    """Draw it."""
    name, folder, png = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    if name == "many":
        print(json.dumps(many(png)))
        return
    draw = {"ours": ours, "same": same, "bare": bare}[name]
    print(draw(np.load(folder / "x.npy"), np.load(folder / "y.npy"), png))


def ours(x: np.ndarray, y: np.ndarray, png: Path) -> float:
    """As the process that the bot starts for each picture."""
    from bot.charts.columns import Columns
    from bot.charts.drawing import draw
    from bot.domain.curve import Series
    from bot.domain.metrics import XKind
    from bot.ports.plotter import CurvePicture

    began = time.perf_counter()
    drawn = draw(CurvePicture("amber-fox/1", Series("loss", XKind.STEP, Columns(x, y))))
    took_s = time.perf_counter() - began
    png.write_bytes(drawn)
    return took_s


def many(png: Path) -> tuple[float, float, float]:
    """Three curves of as many points as the bot keeps; the first pictures read fonts and glyphs, and do not count."""
    from bot.charts.columns import Columns
    from bot.charts.drawing import draw
    from bot.domain.curve import Series
    from bot.domain.metrics import XKind
    from bot.domain.metrics.thinning import MOST_POINTS
    from bot.ports.plotter import CurvePicture

    process, before, began = psutil.Process(), 0.0, 0.0
    x, noise = np.arange(MOST_POINTS, dtype=float), np.random.default_rng(1).standard_normal(2 * MOST_POINTS)
    for number in range(-MANY_FIRST, MANY):
        if number == 0:
            gc.collect()
            before, began = process.memory_info().rss / 2**20, time.perf_counter()
        here = noise[number + MANY_FIRST :][:MOST_POINTS]
        main, val, score = (2 * np.exp(-x / 900) + at + 0.05 * here for at in (0.3, 0.4, 0.1))
        png.write_bytes(
            draw(
                CurvePicture(
                    f"amber-fox/{number}",
                    Series("loss", XKind.STEP, Columns(x, main)),
                    Series("val_loss", XKind.STEP, Columns(x, val)),
                    Series("accuracy", XKind.STEP, Columns(x, score)),
                )
            )
        )
    took_s = time.perf_counter() - began
    gc.collect()
    return before, process.memory_info().rss / 2**20, took_s


def same(x: np.ndarray, y: np.ndarray, png: Path) -> float:
    """The picture that ours is, by matplotlib alone: both lines of all points, marks, grid, axes, words."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.ticker import EngFormatter, MaxNLocator

    from bot.charts.arrays import smoothed

    began = time.perf_counter()
    figure = Figure(figsize=(12, 6.75), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot(position=(0.07, 0.105, 0.905, 0.68))
    axes.grid(visible=True, color="#e4e8ec")
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=14, length=0, pad=6)
    axes.plot(x, y, color="#1f5fd0", linewidth=1.0, alpha=0.38)
    axes.plot(x, smoothed(y), color="#1f5fd0", linewidth=2.8)
    best = int(y.argmin())
    axes.plot(x[-1:], y[-1:], marker="o", markersize=10, color="#1f5fd0")
    axes.plot(x[best], y[best], marker="*", markersize=17, color="#1f5fd0")
    axes.set_ylim(0.0, 2.7)  # told, where ours finds limits and the spike beyond them by itself
    axes.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=True))
    axes.xaxis.set_major_formatter(EngFormatter())
    axes.set_xlabel("step", fontsize=14)
    axes.set_title("loss", loc="left", fontsize=13)
    axes.annotate(f"{y.max():.3g}", (x[int(y.argmax())], 1.0), xycoords=axes.get_xaxis_transform(), va="top")
    figure.text(0.024, 0.925, "amber-fox/1", fontsize=19, fontweight="bold")
    label = f"loss  last {y[-1]:.4g}, best {y[best]:.4g} at {x[best]:,.0f}"
    handle = Line2D([], [], color="#1f5fd0", linewidth=4)
    figure.legend([handle], [label], loc="upper left", bbox_to_anchor=(0.015, 0.893), frameon=False, fontsize=15)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=100)
    took_s = time.perf_counter() - began
    png.write_bytes(drawn.getvalue())
    return took_s


def bare(x: np.ndarray, y: np.ndarray, png: Path) -> float:
    """All points as one line on matplotlib's own axes, in the same size."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    began = time.perf_counter()
    figure = Figure(figsize=(12, 6.75), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.plot(x, y)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=100)
    took_s = time.perf_counter() - began
    png.write_bytes(drawn.getvalue())
    return took_s


if __name__ == "__main__":
    main()
