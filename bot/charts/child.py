"""The plotter port by a process of its own for each picture: what drawing takes is gone with it."""

import json
import subprocess
import sys
from array import array
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

import bot
from bot.errors import PlotterError
from bot.ports.plotter import CurvePicture

LIMIT_S: Final = 60.0
PICTURE: Final[TypeAdapter[CurvePicture]] = TypeAdapter(CurvePicture)
SERIES: Final = ("main", "validation", "score")
"""The fields of a picture that hold curves, in the order in which their numbers travel."""
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_MOST_DETAIL: Final = 300


@dataclass(frozen=True, slots=True)
class ChildPlotter:
    """The plotter port. A picture takes a second or two, and 100 MiB that the bot never has."""

    limit_s: float = LIMIT_S

    def draw(self, picture: CurvePicture) -> bytes:
        """See `bot.ports.plotter.Plotter.draw`.

        Raises:
            PlotterError: it did not come about within ``limit_s``, or at all.
        """
        try:
            done = subprocess.run(
                [sys.executable, "-m", "bot.charts"],
                input=packed(picture),
                capture_output=True,
                timeout=self.limit_s,
                cwd=Path(bot.__file__).parents[1],
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise PlotterError(type(error).__name__) from error
        if done.returncode != 0 or not done.stdout.startswith(_PNG):
            raise PlotterError(done.stderr.decode("utf-8", "replace").strip()[-_MOST_DETAIL:])
        return done.stdout


def packed(picture: CurvePicture) -> bytes:
    """As it travels to the child: a line of JSON, then the bare numbers, of each curve all x and all values."""
    curves = {name: series for name in SERIES if (series := getattr(picture, name)) is not None}
    bare = replace(picture, **{name: replace(series, points=()) for name, series in curves.items()})
    counts = {name: len(series.points) for name, series in curves.items()}
    parts = [json.dumps({"picture": PICTURE.dump_python(bare), "counts": counts}).encode("ascii"), b"\n"]
    for series in curves.values():
        parts.append(array("d", [mark.x for mark in series.points]).tobytes())
        parts.append(array("d", [mark.value for mark in series.points]).tobytes())
    return b"".join(parts)
