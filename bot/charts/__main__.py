"""Draws one picture: a packed `CurvePicture` on stdin, a PNG on stdout. `bot.charts.child` is its other half."""

import sys

from bot.charts.columns import unpacked
from bot.charts.drawing import draw

sys.stdout.buffer.write(draw(unpacked(sys.stdin.buffer.read())))
