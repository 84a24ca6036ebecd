"""The plotter port by a process of its own for each picture: what drawing takes is gone with it."""

import json
import subprocess
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

import bot
from bot.domain.curve import Series
from bot.errors import PlotterError
from bot.ports.plotter import CurvePicture

LIMIT_S: Final = 60.0
PICTURE: Final[TypeAdapter[CurvePicture]] = TypeAdapter(CurvePicture)
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
    curves = curves_of(picture)
    bare = with_curves(picture, [replace(series, points=()) for series in curves])
    counts = [len(series.points) for series in curves]
    parts = [json.dumps({"picture": PICTURE.dump_python(bare), "counts": counts}).encode("ascii"), b"\n"]
    for series in curves:
        parts.append(array("d", [mark.x for mark in series.points]).tobytes())
        parts.append(array("d", [mark.value for mark in series.points]).tobytes())
    return b"".join(parts)


def curves_of(picture: CurvePicture) -> list[Series]:
    """All curves of a picture, in the order in which their numbers travel."""
    named = (picture.main, picture.validation, picture.score)
    return [series for series in named if series is not None] + [line.series for line in picture.more]


def with_curves(picture: CurvePicture, curves: Sequence[Series]) -> CurvePicture:
    """The picture with others in place of its curves, in the same order."""
    left = iter(curves)
    named: dict[str, Any] = {
        name: next(left) for name in ("main", "validation", "score") if getattr(picture, name) is not None
    }
    return replace(picture, **named, more=tuple(replace(line, series=next(left)) for line in picture.more))
