"""One picture in a process of its own: ``ours`` or ``plain``, the folder with the arrays, and where the PNG goes.

Prints how many seconds the drawing took, without imports and loading.
"""

import io
import sys
import time
from pathlib import Path

import numpy as np


def main() -> None:
    """Draw it."""
    name, folder, png = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    draw = {"ours": ours, "plain": plain}[name]
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


def plain(x: np.ndarray, y: np.ndarray, png: Path) -> float:
    """All points as one line, in the same size."""
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
