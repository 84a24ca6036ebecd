"""Files beside outputs and the points in them come back as they were stored; each metric is taken from one source."""

from dataclasses import replace
from math import inf, nan

import pytest

from bot.domain.jobs.run_file import SET_ASIDE, TOO_BIG, NotWhole, RunFile
from bot.domain.metrics import Point, Progress, XKind, read
from bot.domain.metrics.event_file import EventState
from bot.domain.metrics.files import FileKind
from bot.domain.metrics.state import ReaderState
from storage.store import SqlStore
from tests.storage.samples import NOON, at, job, lease, unfilled


@pytest.fixture
def started(store: SqlStore) -> SqlStore:
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.jobs.add(job())
    return store


def point(x: float, value: float = 1.0, metric: str = "loss", kind: XKind = XKind.STEP, hour: float = 0) -> Point:
    return Point(metric, x, kind, value, at(hour))


def test_a_full_file_comes_back(started: SqlStore) -> None:
    reader, _, progress = read(ReaderState(), b"epoch 1/3 step 5 loss 0.5\nepoch 1/3 st", NOON)
    file = RunFile(
        "j1", "trainer_log.jsonl", "out/trainer_log.jsonl", FileKind.LINES, "18446744073709551615", 2**41, 2**40, "v2",
        "v1", reader, EventState("\x00\xff half", 5, True), progress, False, True, "too-big",
    )  # fmt: skip
    assert unfilled(file) == []
    with started.transaction() as tx:
        tx.jobs.save_file(RunFile("j1", "trainer_log.jsonl", "trainer_log.jsonl", FileKind.LINES))
        tx.jobs.save_file(file)
        assert tx.jobs.files("j1") == (file,)
        assert tx.jobs.files("j2") == ()
    assert progress != Progress()


def test_what_was_not_read_of_files_is_told_by_name(started: SqlStore) -> None:
    document = RunFile("j1", "trainer_state.json", "trainer_state.json", FileKind.DOCUMENT, size_bytes=2**33)
    with started.transaction() as tx:
        for file in (
            document,
            replace(document, source="b.json", offset_bytes=2**32),
            replace(document, source="c.csv", kind=FileKind.LINES, offset_bytes=5),
            replace(document, source="a.json", trouble=TOO_BIG),
            replace(document, source="d.csv", kind=FileKind.LINES, trouble=SET_ASIDE),
        ):
            tx.jobs.save_file(file)
        assert tx.jobs.not_whole("j1") == (NotWhole("a.json", 2**33, 0, TOO_BIG), NotWhole("b.json", 2**33, 2**32, ""))


def test_each_metric_is_taken_from_the_richer_source(started: SqlStore) -> None:
    with started.transaction() as tx:
        tx.points.add("j1", [point(1), point(2), point(1, 0.3, "acc")])
        assert tx.points.sources("j1") == {}
        tx.points.add_from("j1", "log.jsonl", [point(x, 2.0, "train_loss") for x in range(9)], replaces=True)
        tx.points.add_from("j1", "metrics.csv", [point(7, 3.0), point(8, nan)], replaces=True)
        assert {metric: len(points) for metric, points in tx.points.of("j1").items()} == {"acc": 1, "train_loss": 9}
        assert {metric: len(points) for metric, points in tx.points.recent("j1", 3).items()} == {
            "acc": 1, "train_loss": 4
        }  # fmt: skip
        assert tx.points.sources("j1") == {"train_loss": "log.jsonl"}


def test_what_is_read_anew_stands_in_place_of_what_was(started: SqlStore) -> None:
    with started.transaction() as tx:
        first = [point(1), point(2, nan), point(3, inf), point(1, 0.5, "gone"), point(9, kind=XKind.EPOCH)]
        tx.points.add_from("j1", "a.json", first, replaces=True)
        tx.points.add_from("j1", "b.csv", [point(1, 5.0, "lr")], replaces=True)
        again = [point(1, hour=1), point(2, nan, hour=1), point(4, hour=1)]
        tx.points.add_from("j1", "a.json", again, replaces=True)
        curves = tx.points.of("j1")
        assert [(one.x, one.at) for one in curves["loss"]] == [(1, NOON), (2, NOON), (4, at(1))]
        assert set(curves) == {"loss", "lr"}
        tx.points.add_from("j1", "a.json", [point(5, hour=2)], replaces=False)
        assert [one.x for one in tx.points.of("j1")["loss"]] == [1, 2, 4, 5]
