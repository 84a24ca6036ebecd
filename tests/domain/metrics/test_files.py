"""Files that trainers write beside their output: which are read, how, and which curve holds where there are several."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from bot.__main__ import cli
from bot.curve_files import read_file
from bot.domain.curve import Mark, Series
from bot.domain.metrics import Point, XKind
from bot.domain.metrics.documents import Records, spread
from bot.domain.metrics.event_file import EventState, looks_like_events, read_events
from bot.domain.metrics.files import FileKind, kind_of, richer, run_file, worth_reading
from tests.domain.metrics.reading import AT


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("trainer_state.json", FileKind.DOCUMENT),
        ("trainer_log.jsonl", FileKind.LINES),
        ("metrics.csv", FileKind.LINES),
        ("results.csv", FileKind.LINES),
        ("metrics.json", FileKind.LINES),
        ("events.out.tfevents.1700000000.host.12.0", FileKind.EVENTS),
        ("config.json", None),
        ("data.csv", None),
    ],
)
def test_which_are_a_trainers(name: str, kind: FileKind | None) -> None:
    assert run_file(name) is kind


def test_any_file_by_what_is_in_it() -> None:
    assert kind_of("metrics.json", b'{"iteration": 1, "loss": 2}\n{"iteration": 2, "loss": 1}\n') is FileKind.LINES
    assert kind_of("metrics.json", b'{"loss": [1, 2]}') is FileKind.DOCUMENT
    assert kind_of("out.log", b"{'loss': 1}") is FileKind.LINES
    assert kind_of("anything", b"\x18\0\0\0\0\0\0\0....\x09........\x1a\x0dbrain.Event:2") is FileKind.EVENTS


def test_the_latest_of_each_and_not_all_checkpoints() -> None:
    paths = [
        ("out/checkpoint-100/trainer_state.json", 100.0),
        ("out/checkpoint-200/trainer_state.json", 200.0),
        ("out/trainer_log.jsonl", 210.0),
        ("runs/a/events.out.tfevents.1.h", 5.0),
        ("runs/b/events.out.tfevents.2.h", 6.0),
        ("data/train.csv", 300.0),
    ]
    assert worth_reading(paths) == (
        "out/trainer_log.jsonl",
        "out/checkpoint-200/trainer_state.json",
        "runs/b/events.out.tfevents.2.h",
        "runs/a/events.out.tfevents.1.h",
    )


def _series(metric: str, count: int) -> Series:
    return Series(metric, XKind.STEP, tuple(Mark(float(x), 1.0) for x in range(count)))


def test_the_richer_source_holds_and_no_curve_is_there_twice() -> None:
    output = (_series("loss", 10), _series("val_loss", 2), _series("lr", 10))
    file = (_series("train/loss", 100), _series("grad_norm", 100))
    assert [(one.metric, len(one.points)) for one in richer(output, file)] == [
        ("train/loss", 100), ("grad_norm", 100), ("val_loss", 2), ("lr", 10)
    ]  # fmt: skip
    assert richer(output, (_series("train/loss", 5),))[0].metric == "loss"
    assert richer(output) == output


@pytest.mark.parametrize(
    "document", [b"", b"{", b"[1, 2", b"[" * 100_000, b'{"a": NaN}', b'"\xff"', b'{"loss": [1, "x"]}']
)
def test_documents_of_any_kind(document: bytes) -> None:
    assert isinstance(spread(document), bytes)


def test_blanks_cost_no_more_than_anything_else() -> None:
    records = b'{"loss": 1, "step": 1} , ' + b" " * 60_000 + b'x {"loss": 2, "step": 2}]'
    began = time.process_time()
    found = Records().spread(records).split()
    assert time.process_time() - began < 5.0  # tried from each blank on it is minutes
    assert found == b'{"loss": 1, "step": 1} , x {"loss": 2, "step": 2}'.split()


WRITE = """
import sys
from tensorboardX import SummaryWriter
with SummaryWriter(sys.argv[1]) as writer:
    for step in range(0, 500, 10):
        writer.add_scalar("train/loss", 2.0 / (1 + step), step)
        writer.add_scalar("charts/SPS", 100.0, step)
        if step % 100 == 0:
            writer.add_text("words", "x" * 400_000, step)
            writer.add_scalar("val/loss", float("nan") if step == 400 else 2.5, step)
"""


@pytest.mark.parametrize("indent", [None, 2])
def test_a_large_document_is_read_record_by_record(tmp_path: Path, indent: int | None) -> None:
    """A list of records over several pieces; what stands around it is read too."""
    history = [
        {"epoch": step / 3e4, "grad_norm": 1.5, "loss": 3 - step / 3e4, "step": step} for step in range(1, 60_001)
    ]
    history.append({"epoch": 2.0, "eval_loss": 2.25, "step": 60_000})
    file = tmp_path / "trainer_state.json"
    file.write_text(json.dumps({"global_step": 7, "log_history": history, "max_steps": 90_000}, indent=indent))
    assert file.stat().st_size > 4 * 1024 * 1024 + 300_000
    reading = read_file(file, AT)
    found = {one.metric: (reading.counts[one.metric], one.points[0], one.points[-1]) for one in reading.series}
    assert found["loss"] == (60_000, Mark(1, 3 - 1 / 3e4), Mark(60_000, 1.0))
    assert found["eval_loss"] == (1, Mark(60_000, 2.25), Mark(60_000, 2.25))
    assert reading.progress.steps == 90_000


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("tensorboardX", reason="an extra: pip install tensorboardX")
    folder = tmp_path_factory.mktemp("runs")
    subprocess.run([sys.executable, "-c", WRITE, str(folder)], check=True, timeout=120)
    return next(folder.iterdir())


def _read(output: bytes, piece_bytes: int) -> list[Point]:
    state, points = EventState(), []
    for start in range(0, len(output), piece_bytes):
        state, new = read_events(state, output[start : start + piece_bytes], AT)
        points += new
        assert len(state.half) < 300_000
    return points


def test_events_by_the_command(events: Path) -> None:
    result = CliRunner().invoke(cli, ["curve", "--json", str(events)])
    seen = json.loads(result.stdout)
    assert seen["primary"] == "train/loss"
    assert set(seen["metrics"]) == {"train/loss", "val/loss"}
    loss = seen["metrics"]["train/loss"]
    assert (loss["points"], loss["first"], loss["last_x"]) == (50, 2.0, 490.0)
    assert seen["metrics"]["val/loss"]["last"] == "nan"


@pytest.mark.parametrize("piece_bytes", [1 << 22, 100_000, 997])
def test_events_in_any_pieces(events: Path, piece_bytes: int) -> None:
    output = events.read_bytes()
    assert looks_like_events(output[:100])
    points = _read(output, piece_bytes)
    assert repr(points) == repr(_read(output, len(output)))
    assert len(points) == 55
    assert points[0].at.year > 2020


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_broken_events_end_without_a_word(events: Path, data: st.DataObject) -> None:
    output = bytearray(events.read_bytes()[:4000])
    for _ in range(data.draw(st.integers(1, 5))):
        output[data.draw(st.integers(0, len(output) - 1))] = data.draw(st.integers(0, 255))
    _read(bytes(output), data.draw(st.integers(1, 4000)))


def test_without_the_extra_a_sentence_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboardX.proto.event_pb2", None)
    file = tmp_path / "events.out.tfevents.1.h"
    record = b"\x09" + bytes(8) + b"\x1a\x0dbrain.Event:2"
    file.write_bytes(len(record).to_bytes(8, "little") + bytes(4) + record + bytes(4))
    result = CliRunner().invoke(cli, ["curve", str(file)])
    assert result.exit_code == 1
    assert "pip install 'gpubot[tensorboard]'" in result.stderr
