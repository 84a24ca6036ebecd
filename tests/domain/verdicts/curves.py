"""Curves as real runs draw them, with noise of a given seed."""

import math
import random
from collections.abc import Callable

from bot.domain.curve import Mark, Series
from bot.domain.metrics import XKind


def series(values: list[float], metric: str = "loss", stride: float = 10.0, x_kind: XKind = XKind.STEP) -> Series:
    return Series(metric, x_kind, tuple(Mark(index * stride, value) for index, value in enumerate(values)))


def _run(count: int, level: Callable[[float], float], noise: float, seed: int) -> list[float]:
    """``level`` of the share done, with relative noise."""
    rng = random.Random(seed)
    return [level(i / count) * max(0.05, 1 + noise * rng.gauss(0, 1)) for i in range(count)]


def pretraining(seed: int) -> list[float]:
    """A language model: a power law, little noise."""
    return _run(800, lambda t: 1.8 + 9.0 / (1 + 300 * t) ** 0.5, 0.012, seed)


def fine_tuning(seed: int) -> list[float]:
    """A short fall, then a slow one in much noise."""
    return _run(400, lambda t: 1.0 - 0.25 * t + 0.6 * math.exp(-30 * t), 0.12, seed)


def per_batch(seed: int) -> list[float]:
    """Small batches of a classifier: the loss of a batch scatters as widely as its level, near 0 in the end."""
    rng = random.Random(seed)
    return [(0.02 + 2.2 * math.exp(-i / 60)) * rng.lognormvariate(0, 0.7) for i in range(600)]


def restarts(seed: int) -> list[float]:
    """Warm restarts: the rate jumps up and the loss with it, by a third."""
    return _run(500, lambda t: (0.4 + 1.6 * math.exp(-5 * t)) * (1 + 0.35 * (1 - (t * 4) % 1)), 0.05, seed)


def warm_up(seed: int) -> list[float]:
    """The loss rises a little before it falls."""
    return _run(
        200, lambda t: 2.3 + 0.4 * math.sin(10 * t) if t < 0.15 else 2.4 * math.exp(-1.5 * (t - 0.15)), 0.03, seed
    )


def epochs(seed: int) -> list[float]:
    """Few points, one an epoch."""
    return _run(12, lambda t: 0.3 * math.exp(-3 * t) + 0.02, 0.08, seed)


def likelihood(seed: int) -> list[float]:
    """A negative log-likelihood of densities: it falls through 0."""
    rng = random.Random(seed)
    return [3.0 - 9.0 * (1 - math.exp(-i / 80)) + rng.gauss(0, 0.15) for i in range(300)]


HEALTHY = (pretraining, fine_tuning, per_batch, restarts, warm_up, epochs, likelihood)
