"""The picture of 10⁷ points: from two arrays to a PNG of the product's size, by the product and by plain matplotlib.

Both are processes of their own, in turn, that load the same two files. Drawing counts from the arrays to the PNG's
bytes; the whole process counts interpreter, imports and loading too. Plain matplotlib draws all points: the same
picture (raw and smoothed line, marks, words), and beside it, with no promise, one bare line, which is less work.

Then 300 pictures in a row in one process: its memory before and after. The bot goes further and gives each a process.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import numpy as np

from tests.bench.picture_draw import MANY
from tests.bench.rows import Row, Say, at_most, faster, within
from tests.bench.workspace import HOME

POINTS, SPIKE_AT, SPIKE = 10_000_000, 6_543_210, 9.0
REPEATS = 7
LEAST = 10.0
MOST_GROWN_MIB = 5.0


def measure(folder: Path, say: Say) -> list[Row]:
    """Medians. The pictures stay in ``folder``: the one spike has to be told in each."""
    x, y = _curve()
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", y)
    drawing: dict[str, list[float]] = {}
    whole: dict[str, list[float]] = {}
    for number in range(REPEATS):
        for name in ("ours", "same", "bare"):
            png = folder / f"picture-{name}.png"
            command = [sys.executable, "-m", "tests.bench.picture_draw", name, str(folder), str(png)]
            began = time.perf_counter()
            done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False, timeout=120)
            whole.setdefault(name, []).append(time.perf_counter() - began)
            assert done.returncode == 0, done.stderr[-3000:]
            drawing.setdefault(name, []).append(float(json.loads(done.stdout)))
            say(f"  {number + 1} of {REPEATS}, {name}: {drawing[name][-1]:.2f} s of {whole[name][-1]:.2f} s")
    before_mib, after_mib, many_s = _many(folder)
    say(f"  {MANY} in a row: {before_mib:.1f} MiB before, {after_mib:.1f} MiB after, {many_s:.0f} s")
    for file in ("x.npy", "y.npy"):
        (folder / file).unlink()
    say(f"  to look at: {folder}/picture-ours.png, picture-same.png and picture-bare.png")
    drawn, took = ({name: median(times) for name, times in told.items()} for told in (drawing, whole))
    grown = at_most(f"{MANY} pictures in a row, memory; before them", after_mib, before_mib, "MiB")
    grown = within(grown, after_mib - before_mib, MOST_GROWN_MIB, "MiB more")
    return [
        faster("picture of 10⁷ points, drawing; the same by matplotlib", drawn["ours"], drawn["same"], LEAST),
        faster("picture of 10⁷ points, drawing; one bare line by matplotlib", drawn["ours"], drawn["bare"]),
        faster("picture of 10⁷ points, whole process; the same by matplotlib", took["ours"], took["same"]),
        grown,
    ]


def _many(folder: Path) -> list[float]:
    """MiB before, MiB after, and seconds."""
    command = [sys.executable, "-m", "tests.bench.picture_draw", "many", str(folder), str(folder / "picture-many.png")]
    done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    found: list[float] = json.loads(done.stdout)
    return found


def _curve() -> tuple[np.ndarray, np.ndarray]:
    """A noisy loss that falls, with one point far out."""
    x = np.arange(POINTS, dtype=float)
    y = 2 * np.exp(-x / (POINTS * 0.3)) + 0.3 + 0.05 * np.random.default_rng(1).standard_normal(POINTS)
    y[SPIKE_AT] = SPIKE
    return x, y
