"""The plotter port by a process of its own for each picture: what drawing takes is gone with it."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

import bot
from bot.errors import PlotterError
from bot.ports.plotter import CurvePicture

LIMIT_S: Final = 60.0
_PICTURE: Final[TypeAdapter[CurvePicture]] = TypeAdapter(CurvePicture)
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
    """As it travels to the child; NaN and infinity are kept."""
    return json.dumps(_PICTURE.dump_python(picture)).encode("ascii")


def unpacked(text: bytes) -> CurvePicture:
    """The picture again."""
    return _PICTURE.validate_python(json.loads(text))
