"""``python -m bot curve``: every sample through the front door, as words, JSON and a picture."""

import json
import math
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.__main__ import cli
from tests.domain.metrics.reading import SAMPLES

INDEX = tomllib.loads((SAMPLES / "index.toml").read_text())["log"]
# What is unusual about a sample, and nothing else: a verdict on any other run would be a false alarm.
UNUSUAL = {
    "keras3_ansi_nan.log": {("nonfinite", "loss"), ("nonfinite", "val_loss")},
    "yolov8_results_padded.csv": {("nonfinite", "val/cls_loss")},
    "loss_spike_recovers.log": {("spike", "loss")},
}


def curve(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["curve", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def readings() -> dict[str, dict[str, Any]]:
    files = [entry["file"] for entry in INDEX]
    lines = curve("--json", *(str(SAMPLES / file) for file in files)).splitlines()
    return dict(zip(files, map(json.loads, lines), strict=True))


@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: str(entry["file"]))
def test_every_sample_as_data(entry: dict[str, Any], readings: dict[str, dict[str, Any]]) -> None:
    seen = readings[entry["file"]]
    assert set(seen) == {
        "primary", "metrics", "verdicts", "diverged", "oom", "traceback", "ended", "last_epoch", "total_epochs"
    }  # fmt: skip
    assert seen["primary"] == entry["primary"]
    for series in entry["series"]:
        metric = seen["metrics"][series["name"]]
        assert set(metric) == {"points", "first", "last", "first_x", "last_x", "nonfinite"}
        assert metric["points"] == series["points"]
        for end in ("first", "last"):
            assert (
                float(metric[end]) == pytest.approx(series[end], rel=1e-4, nan_ok=True)
            ), (series["name"], end)  # fmt: skip
            assert isinstance(metric[end], str) is not math.isfinite(series[end])
    main = seen["metrics"][entry["primary"]]
    assert (main["first_x"], main["last_x"], main["nonfinite"]) == (
        entry["first_x"], entry["last_x"], entry["nonfinite"]
    )  # fmt: skip
    for key in ("diverged", "oom", "traceback", "ended"):
        assert seen[key] == entry[key], key
    for key in ("last_epoch", "total_epochs"):
        assert key not in entry or seen[key] == entry[key], key
    found = {(verdict["kind"], verdict["metric"]) for verdict in seen["verdicts"]}
    assert found == UNUSUAL.get(entry["file"], set())


def test_numbers_of_a_verdict(readings: dict[str, dict[str, Any]]) -> None:
    (spike,) = readings["loss_spike_recovers.log"]["verdicts"]
    assert spike["peak"] == {"x": 3300, "value": pytest.approx(9.8, abs=0.01)}
    (inf,) = readings["yolov8_results_padded.csv"]["verdicts"]
    assert (inf["count"], inf["recovered"]["x"]) == (2, 3)


def test_in_words() -> None:
    assert curve(str(SAMPLES / "seed_basic.log")) == (
        "Loss 0.3312 → 0.046 over 5 epochs, still falling (−39 % an epoch), Test Accuracy 98.47\n"
    )
    said = curve(str(SAMPLES / "oom_cuda_traceback.log"))
    assert "it ran out of memory" in said
    assert "it asked for `2.32 GiB` where `371.50 MiB` was free" in said
    assert said.count("File ") == 1
    assert "loss jumped to 9.8 at step 3,300" in curve(str(SAMPLES / "loss_spike_recovers.log"))


def test_a_picture_by_the_real_command(tmp_path: Path) -> None:
    out = tmp_path / "curve.png"
    command = [sys.executable, "-m", "bot", "curve", str(SAMPLES / "xgboost.log"), "--png", str(out)]
    done = subprocess.run(command, capture_output=True, timeout=120, check=True)
    assert b"train-logloss 0.69" in done.stdout
    assert out.read_bytes().startswith(b"\x89PNG")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["curve", str(tmp_path / "none.log")])
    assert result.exit_code == 1
    assert "No such file" in result.stderr


@pytest.mark.parametrize("name", ["empty.log", "empty.json", "noise.json"])
def test_files_without_metrics(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"{\x00\xff [[" * 50 if name == "noise.json" else b"")
    seen = json.loads(curve("--json", str(tmp_path / name)))
    assert (seen["primary"], seen["metrics"], seen["verdicts"], seen["diverged"]) == (None, {}, [], False)


@pytest.mark.parametrize(
    ("name", "document"),
    [
        (
            "trainer_state.json",
            {"log_history": [{"loss": 3.0, "step": 10}, {"loss": 2.5, "step": 20}], "max_steps": 20},
        ),
        ("history.json", {"loss": [3.0, 2.5], "val_loss": [3.5, 3.0]}),
        ("log.json", [{"epoch": 1, "loss": 3.0}, {"epoch": 2, "loss": 2.5}]),
    ],
)
def test_documents_on_one_line(tmp_path: Path, name: str, document: object) -> None:
    (tmp_path / name).write_text(json.dumps(document))
    loss = json.loads(curve("--json", str(tmp_path / name)))["metrics"]["loss"]
    assert (loss["points"], loss["first"], loss["last"]) == (2, 3.0, 2.5)
