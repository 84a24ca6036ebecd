"""A gallery of pictures, to be looked at after a change of the drawing: ``python -m tests.charts.gallery OUT``."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import inf, nan
from pathlib import Path

import numpy as np

from bot.charts import Charts
from bot.domain.curve import Mark, Series
from bot.domain.metrics import Point, Progress, ReaderState, XKind
from bot.domain.metrics.state import Position
from bot.domain.run_marks import RunMarks, marks_of
from bot.ports.plotter import CurvePicture, Line

CHANCE = np.random.default_rng(5)
BEGAN = datetime(2026, 1, 2, tzinfo=UTC)


def series(metric: str, x: np.ndarray, y: np.ndarray, kind: XKind = XKind.STEP) -> Series:
    """A curve of two arrays."""
    return Series(metric, kind, tuple(Mark(float(a), float(b)) for a, b in zip(x, y, strict=True)))


def falling(count: int, first: float, last: float, noise: float, every: float = 10.0) -> tuple[np.ndarray, np.ndarray]:
    """Steps, and a noisy loss."""
    x = np.arange(1, count + 1) * every
    y = last + (first - last) * np.exp(-4.0 * x / x[-1])
    return x, y * np.exp(noise * CHANCE.standard_normal(count))


def marks(
    curve: Series, whole_s: float, ends_s: float | None = None, epochs: float = 0.0, resumes: tuple[float, ...] = ()
) -> RunMarks:
    """As of a run that took ``whole_s`` so far."""
    last = curve.points[-1].x
    points = [
        Point(curve.metric, m.x, curve.x_kind, m.value, BEGAN + timedelta(seconds=whole_s * m.x / last))
        for m in curve.points
    ]
    state = ReaderState(position=Position(resumes=resumes, steps_per_epoch=last / epochs if epochs else None))
    ends_at = BEGAN + timedelta(seconds=ends_s) if ends_s is not None else None
    return marks_of(points, state, Progress(), BEGAN, ends_at)


def pictures() -> Iterator[tuple[str, CurvePicture]]:
    """Each with its name."""
    x, y = falling(1200, 2.4, 0.9, 0.08)
    loss, val = series("loss", x, y), series("eval_loss", x[99::100], y[99::100] * 1.06)
    acc = series("eval_accuracy", x[99::100], 1 - 0.4 * np.exp(-x[99::100] / 4000))
    full = CurvePicture("amber-fox/3", loss, val, acc, marks=marks(loss, 9000, 11_500, 4.6))
    yield "01-everything", full
    yield "02-simulated", replace(full, is_simulated=True, score=None, marks=marks(loss, 95, None, 0))
    few = series("Loss", np.arange(1, 4), np.array([0.81, 0.71, 0.61]), XKind.EPOCH)
    yield "03-three-epochs", CurvePicture("mill/1", few, marks=marks(few, 300, 330))
    wide = series("train/loss", *falling(4000, 900.0, 0.004, 0.3))
    yield "04-log-scale", CurvePicture("owl/12", wide, marks=marks(wide, 200_000))
    broken = np.where(np.arange(600) > 430, nan, falling(600, 3.0, 1.0, 0.05)[1])
    broken[200] = inf
    yield (
        "05-ends-in-nan",
        CurvePicture("owl/13", lost := series("loss", np.arange(600.0), broken), marks=marks(lost, 3600)),
    )
    spiky = falling(800, 2.2, 1.1, 0.04)[1]
    spiky[[300, 301, 560]] = 40.0, 31.0, 90.0
    yield "06-spikes", CurvePicture("owl/14", series("loss", np.arange(800.0), spiky))
    yield (
        "07-resumed-and-its-end",
        CurvePicture("heron/2", loss, val, marks=marks(loss, 40_000, 46_000, 9, (4200, 8000))),
    )
    yield (
        "08-chinese-names",
        CurvePicture(
            "水/训练 1",
            replace(loss, metric="训练损失"),
            replace(val, metric="验证损失"),
            replace(acc, metric="验证准确率"),
        ),
    )
    yield "09-nothing-yet", CurvePicture("amber-fox/4")
    yield "10-nothing-finite", CurvePicture("amber-fox/5", series("loss", np.arange(4.0), np.full(4, nan)))
    reward = series("rollout/ep_rew_mean", x, -200 + 400 * (1 - np.exp(-x / 5000)) + 12 * CHANCE.standard_normal(1200))
    yield "11-reward", CurvePicture("kite/1", reward, marks=marks(reward, 5000, 40_000))
    other = series("loss", *falling(900, 2.4, 1.2, 0.06))
    yield (
        "12-two-jobs",
        CurvePicture(
            "amber-fox/3 and owl/9",
            loss,
            main_label="amber-fox/3 loss",
            more=(Line("owl/9 loss", other), Line("kite/2 loss", series("loss", x, y + 0.3))),
        ),
    )
    rate = series("learning_rate", x, 1e-4 * (1 - x / 13_000))
    yield (
        "13-chosen-metrics-log",
        CurvePicture(
            "amber-fox/3",
            loss,
            marks=marks(loss, 9000),
            is_log=True,
            more=(Line("", rate, True), Line("", series("grad_norm", x, y * 3), True)),
        ),
    )
    long = series("model/decoder/head/cross_entropy_loss_with_a_very_long_name", x, y)
    yield (
        "14-long-names",
        CurvePicture("a-very-long-lease-name-of-thirty/123456", long, replace(val, metric=long.metric)),
    )
    big = series("loss", *falling(200_000, 8.0, 2.1, 0.05, 1.0))
    yield "15-many-points", CurvePicture("amber-fox/7", big, marks=marks(big, 400_000, 500_000, 120))


def main() -> None:
    """Draw all of them into the folder."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    charts = Charts()
    for name, picture in pictures():
        (folder / f"{name}.png").write_bytes(charts.draw(picture))


if __name__ == "__main__":
    main()
