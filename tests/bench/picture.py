"""The picture of 10⁷ points: from two arrays to a PNG of the product's size, by the product and by plain matplotlib.

Both are processes of their own, in turn, that load the same two files. Drawing counts from the arrays to the PNG's
bytes; the whole process counts interpreter, imports and loading too. The product draws more (title, legend, smoothed
line, marks) of fewer points; plain matplotlib draws one line of all points.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import numpy as np

from tests.bench.rows import Row, Say, faster
from tests.bench.workspace import HOME

POINTS, SPIKE_AT, SPIKE = 10_000_000, 6_543_210, 9.0
REPEATS = 7
LEAST = 10.0


def measure(folder: Path, say: Say) -> list[Row]:
    """Medians. The pictures stay in ``folder``: the one spike has to be seen in both."""
    x, y = _curve()
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", y)
    drawing: dict[str, list[float]] = {}
    whole: dict[str, list[float]] = {}
    for number in range(REPEATS):
        for name in ("ours", "plain"):
            png = folder / f"picture-{name}.png"
            command = [sys.executable, "-m", "tests.bench.picture_draw", name, str(folder), str(png)]
            began = time.perf_counter()
            done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False, timeout=120)
            whole.setdefault(name, []).append(time.perf_counter() - began)
            assert done.returncode == 0, done.stderr[-3000:]
            drawing.setdefault(name, []).append(float(json.loads(done.stdout)))
            say(f"  {number + 1} of {REPEATS}, {name}: {drawing[name][-1]:.2f} s of {whole[name][-1]:.2f} s")
    for file in ("x.npy", "y.npy"):
        (folder / file).unlink()
    say(f"  to look at: {folder}/picture-ours.png and picture-plain.png")
    return [
        faster("picture of 10⁷ points, drawing", median(drawing["ours"]), median(drawing["plain"]), LEAST),
        faster("picture of 10⁷ points, whole process", median(whole["ours"]), median(whole["plain"])),
    ]


def _curve() -> tuple[np.ndarray, np.ndarray]:
    """A noisy loss that falls, with one point far out."""
    x = np.arange(POINTS, dtype=float)
    y = 2 * np.exp(-x / (POINTS * 0.3)) + 0.3 + 0.05 * np.random.default_rng(1).standard_normal(POINTS)
    y[SPIKE_AT] = SPIKE
    return x, y
