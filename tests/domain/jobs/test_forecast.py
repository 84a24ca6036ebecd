"""Whether a run fits the time of its machine."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.jobs.forecast import forecast
from bot.domain.metrics import Point, Progress, XKind

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def points(count: int, every_s: float, x_each: float = 10.0, kind: XKind = XKind.STEP) -> list[Point]:
    """The last one is of noon."""
    return [
        Point("loss", (i + 1) * x_each, kind, 1.0, NOON - timedelta(seconds=every_s * (count - 1 - i)))
        for i in range(count)
    ]


def hours(count: float) -> datetime:
    return NOON + timedelta(hours=count)


def test_fits_with_the_reserve_or_does_not() -> None:
    run = points(100, every_s=36)  # 1,000 of 10,000 steps in an hour: nine hours left, 10.8 with the reserve
    found = forecast(Progress(step=1000, steps=10_000), run, hours(11), NOON)
    assert found is not None
    assert found.fits
    assert found.missing_s == 0
    assert found.remaining_s == pytest.approx(10.8 * 3600)
    short = forecast(Progress(step=1000, steps=10_000), run, hours(10), NOON)
    assert short is not None
    assert not short.fits
    assert short.missing_s == 50 * 60  # 48 min, in whole five minutes
    exact = forecast(Progress(step=1000, steps=10_000), run, hours(10), NOON, reserve=1.0)
    assert exact is not None
    assert exact.fits


def test_by_epochs() -> None:
    found = forecast(Progress(epoch=5, epochs=20), points(5, 600, 1.0, XKind.EPOCH), hours(3), NOON)
    assert found is not None
    assert found.remaining_s == pytest.approx(15 * 600 * 1.2)


def test_steps_within_epochs() -> None:
    found = forecast(Progress(epoch=2, epochs=4, step=50, steps=100), points(15, 60), hours(3), NOON)
    assert found is not None
    assert found.remaining_s == pytest.approx(250 / 10 * 60 * 1.2)


def test_a_pause_between_two_looks_does_not_count() -> None:
    later = NOON + timedelta(minutes=20)
    run = points(100, every_s=36)
    found, looked = (forecast(Progress(step=1000, steps=10_000), run, hours(11), now) for now in (NOON, later))
    assert found is not None
    assert looked is not None
    assert found.done_at == looked.done_at
    over = forecast(Progress(step=1000, steps=1001), run, hours(11), hours(5))
    assert over is not None
    assert over.remaining_s == 0


@pytest.mark.parametrize(
    ("progress", "run"),
    [
        (Progress(step=1000), points(100, 36)),
        (Progress(step=1000, steps=1000), points(100, 36)),
        (Progress(step=40, steps=10_000), points(4, 36)),
        (Progress(step=1000, steps=10_000), points(100, 0.1)),
        (Progress(step=1000, steps=10_000), []),
        (Progress(step=1, steps=1e15), points(10, 36)),
    ],
)
def test_nobody_can_tell(progress: Progress, run: list[Point]) -> None:
    assert forecast(progress, run, hours(1), NOON) is None


def test_points_that_came_together_count_from_the_last_of_them() -> None:
    at = NOON - timedelta(seconds=120)
    together = [Point("loss", float(x), XKind.STEP, 1.0, at) for x in range(1, 101)]
    later = [Point("loss", 100.0 + 50 * i, XKind.STEP, 1.0, at + timedelta(seconds=60 * i)) for i in (1, 2)]
    found = forecast(Progress(step=200, steps=400), [*together, *later], hours(1), NOON, reserve=1.0)
    assert found is not None
    assert found.remaining_s == pytest.approx(240)
