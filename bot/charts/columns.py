"""A curve's points as two arrays, and a picture of such curves as it arrives from another process."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

from bot.charts.child import PICTURE, curves_of, with_curves
from bot.domain.curve import Mark
from bot.ports.plotter import CurvePicture

Numbers = NDArray[np.float64]
_NUMBER: Final = np.dtype(np.float64)


class Columns(Sequence[Mark]):
    """Marks by growing x, as arrays of equal length: a tuple a mark would take longer than the drawing."""

    def __init__(self, x: Numbers, y: Numbers) -> None:
        self.x, self.y = x, y

    def __len__(self) -> int:
        return len(self.x)

    @overload
    def __getitem__(self, index: int) -> Mark: ...
    @overload
    def __getitem__(self, index: slice) -> "Columns": ...
    def __getitem__(self, index: int | slice) -> "Mark | Columns":
        if isinstance(index, slice):
            return Columns(self.x[index], self.y[index])
        return Mark(float(self.x[index]), float(self.y[index]))


def unpacked(data: bytes) -> CurvePicture:
    """The picture that `bot.charts.child.packed` packed; its numbers are not copied."""
    header, _, numbers = data.partition(b"\n")
    told = json.loads(header)
    picture, at = PICTURE.validate_python(told["picture"]), 0
    filled = []
    for series, count in zip(curves_of(picture), told["counts"], strict=True):
        x, y = np.frombuffer(numbers, _NUMBER, 2 * count, at).reshape(2, count)
        filled.append(replace(series, points=Columns(x, y)))
        at += 2 * count * _NUMBER.itemsize
    return with_curves(picture, filled)
