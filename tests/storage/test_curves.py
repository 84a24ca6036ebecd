"""Points stay bounded and pictures are due: what is drawn of a job comes back as it was stored."""

from collections.abc import Sequence
from dataclasses import fields, replace
from math import inf, isnan, nan

from bot.domain.jobs.job import JobState
from bot.domain.metrics import Point, XKind
from bot.domain.metrics.thinning import MOST_POINTS
from bot.domain.picture import Picture, Shown
from storage.store import SqlStore
from tests.storage.samples import MINUTE, NOON, at, job, unfilled


def point(x: float, value: float = 1.0, metric: str = "loss", kind: XKind = XKind.STEP) -> Point:
    return Point(metric, x, kind, value, NOON)


def test_points(started: SqlStore) -> None:
    with started.transaction() as tx:
        tx.points.add("j1", (point(1, 3.0), point(2, 2.0), point(2, 1.5), point(nan), point(inf)))
        tx.points.add("j1", (point(1, 2.5), point(3, nan), point(4, inf), point(1, 0.5, "a\0cc")))
        curves = tx.points.of("j1")
        assert set(curves) == {"loss", "a\ufffdcc"}
        loss = curves["loss"]
        assert [one.x for one in loss] == [1, 2, 3, 4]
        assert [one.value for one in loss[:2]] == [2.5, 1.5]
        assert isnan(loss[2].value)
        assert loss[3] == point(4, inf)
        assert tx.points.of("j2") == {}


def test_the_latest_points(started: SqlStore) -> None:
    with started.transaction() as tx:
        tx.points.add("j1", [point(x) for x in range(10)] + [point(3, metric="acc")])
        recent = tx.points.recent("j1", 3)
        assert [one.x for one in recent["loss"]] == [0, 7, 8, 9]
        assert [one.x for one in recent["acc"]] == [3]
        tx.points.add("j1", [point(1, kind=XKind.EPOCH), point(2, kind=XKind.EPOCH)])
        assert [one.x for one in tx.points.recent("j1", 3)["loss"]] == [0, 7, 8, 9]
        assert [one.x for one in tx.points.of("j1")["loss"]] == list(range(10))


def test_a_metric_never_holds_more_than_some_thousand_points(started: SqlStore) -> None:
    with started.transaction() as tx:
        for start in range(0, 30_000, 2_000):
            tx.points.add("j1", [point(x, _value(x)) for x in range(start, start + 2_000)])
        curve = tx.points.of("j1")["loss"]
    assert 1000 < len(curve) <= MOST_POINTS
    assert (curve[0].x, curve[-1].x) == (0, 29_999)
    assert point(12_345, -50.0) in curve
    assert point(777, 99.0) in curve
    _assert_even(curve)


def _value(x: int) -> float:
    return {12_345: -50.0, 777: 99.0}.get(x, 1.0 / (1 + x))


def _assert_even(curve: Sequence[Point]) -> None:
    """The beginning keeps its share, however often it was thinned."""
    assert sum(one.x < 10_000 for one in curve) >= 150


def test_pictures(started: SqlStore) -> None:
    full = Picture("j1", 2, 1, at(1), "F2", "F1", 3, Shown.IN_THREAD, 2, wanted=True, attempts=1, next_try_at=at(2))
    assert unfilled(full) == []
    with started.transaction() as tx:
        assert tx.pictures.get("j1") == Picture("j1")
        tx.pictures.save(full)
        assert tx.pictures.get("j1") == full
        assert {field.name for field in fields(full)} == set(Picture.__slots__)


def test_a_picture_is_due_when_there_are_new_points(started: SqlStore) -> None:
    with started.transaction() as tx:
        assert tx.pictures.due(NOON, NOON, 9) == ()
        tx.pictures.went_on("j1")
        assert tx.pictures.due(NOON, NOON, 9) == ("j1",)
        drawn = replace(tx.pictures.get("j1"), drawn_points=1, drawn_at=NOON)
        tx.pictures.save(drawn)
        assert tx.pictures.due(NOON, NOON, 9) == ()
        tx.pictures.went_on("j1")
        tx.pictures.save(drawn)
        assert tx.pictures.get("j1").points == 2
        assert tx.pictures.due(at(1), NOON - MINUTE, 9) == ()
        assert tx.pictures.due(at(1), NOON, 9) == ("j1",)
        tx.pictures.ask("j1")
        assert tx.pictures.due(at(1), NOON - MINUTE, 9) == ("j1",)
        tx.pictures.save(replace(drawn, attempts=1, next_try_at=at(2)))
        assert tx.pictures.due(at(1), NOON, 9) == ()
        tx.pictures.save(drawn)
        tx.jobs.save(job(number=1, state=JobState.ENDED))
        assert tx.pictures.due(at(1), NOON - MINUTE, 9) == ("j1",)


def test_a_picture_is_due_until_its_message_shows_it(started: SqlStore) -> None:
    with started.transaction() as tx:
        tx.pictures.went_on("j1")
        uploaded = tx.pictures.get("j1").uploaded("F1", 1, NOON)
        tx.pictures.save(uploaded)
        assert tx.pictures.due(NOON, NOON - MINUTE, 9) == ()
        assert tx.pictures.due(at(1), NOON - MINUTE, 9) == ("j1",)
        tx.pictures.save(uploaded.was_shown("F1"))
        assert tx.pictures.due(at(1), NOON - MINUTE, 9) == ()
