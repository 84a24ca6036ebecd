"""Draws one picture: a `CurvePicture` as JSON on stdin, a PNG on stdout. `bot.charts.child` is its other half."""

import sys

from bot.charts.child import unpacked
from bot.charts.drawing import draw

sys.stdout.buffer.write(draw(unpacked(sys.stdin.buffer.read())))
