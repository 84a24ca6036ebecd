"""Curves to draw, and pictures as pixels."""

import io
from collections.abc import Iterable

import numpy as np
from matplotlib.image import imread
from numpy.typing import NDArray

from bot.charts import Charts
from bot.domain.curve import Mark, Series
from bot.domain.metrics import XKind
from bot.ports.plotter import CurvePicture

TRAIN, VALIDATION, SCORE, ALARM, BADGE = "1f5fd0", "d9650a", "1a7f37", "cf222e", "fff8c5"


def curve(values: Iterable[float], metric: str = "loss", x_kind: XKind = XKind.STEP) -> Series:
    """The values at 0, 1, 2 …"""
    return Series(metric, x_kind, tuple(Mark(float(x), value) for x, value in enumerate(values)))


def pixels(picture: CurvePicture) -> NDArray[np.uint8]:
    """The picture, (675, 1200, 3)."""
    image = imread(io.BytesIO(Charts().draw(picture)), format="png")
    return np.asarray(np.round(image[:, :, :3] * 255), dtype=np.uint8)


def columns_of(image: NDArray[np.uint8], colour: str) -> NDArray[np.int64]:
    """The pixel columns in which a colour is seen."""
    return np.flatnonzero((image == np.frombuffer(bytes.fromhex(colour), dtype=np.uint8)).all(axis=2).any(axis=0))


def has(image: NDArray[np.uint8], colour: str) -> bool:
    """Whether a colour is seen at all."""
    return len(columns_of(image, colour)) > 0
