"""The trial training: run as on a machine, its output read back by the bot's own reader."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from bot.domain.metrics import ReaderState, finish, read

SCRIPT = Path(__file__).parents[2] / "bot" / "remote" / "scripts" / "train_digits.py"
AT = datetime(2025, 3, 1, tzinfo=UTC)


@cache
def torch_python() -> str | None:
    """An interpreter that can import torch, or None."""
    python = os.environ.get("GPUBOT_TORCH_PYTHON", sys.executable)
    found = subprocess.run([python, "-c", "import torch"], capture_output=True, check=False)
    return python if found.returncode == 0 else None


needs_torch = pytest.mark.skipif(
    torch_python() is None, reason="no interpreter with torch: set GPUBOT_TORCH_PYTHON to one"
)


def run_script(home: Path, *options: str, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
    """The script on a machine with this home."""
    python = torch_python() or sys.executable
    environment = {"HOME": str(home), "PATH": path}
    return subprocess.run(
        [python, str(SCRIPT), *options], env=environment, capture_output=True, text=True, check=False, timeout=240
    )


@needs_torch
def test_it_learns_and_its_lines_are_read_as_a_curve(tmp_path: Path) -> None:
    ran = run_script(tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("Using device: c")
    state, points, _ = read(ReaderState(), ran.stdout.encode(), AT)
    _, last, progress = finish(state, AT)
    points += last
    losses = [point.value for point in points if point.metric == "Loss"]
    assert [point.x for point in points if point.metric == "Loss"] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert (progress.epoch, progress.epochs) == (8, 8)
    assert losses[-1] < losses[0] / 4
    assert {point.metric for point in points} == {"Loss", "Validation loss", "Validation accuracy", "Test Accuracy"}
    assert next(point.value for point in points if point.metric == "Test Accuracy") > 90
    out = tmp_path / "work" / "try-digits"
    assert sorted(file.name for file in out.iterdir()) == [*(f"epoch-{n:03d}.pt" for n in range(1, 9)), "model.pt"]


@needs_torch
def test_the_same_seed_trains_the_same_and_options_are_taken(tmp_path: Path) -> None:
    runs = [run_script(tmp_path, "--epochs", "1", "--out", str(tmp_path / "a b")) for _ in range(2)]
    epochs = [[line for line in ran.stdout.splitlines() if line.startswith("Epoch 1/1, Loss: ")] for ran in runs]
    assert len(epochs[0]) == 1
    assert epochs[0] == epochs[1]
    assert (tmp_path / "a b" / "model.pt").stat().st_size > 10_000


@needs_torch
def test_one_epoch_is_not_enough_and_says_so(tmp_path: Path) -> None:
    assert run_script(tmp_path, "--epochs", "1").returncode == 1


@needs_torch
def test_a_simulated_gpu_is_named(tmp_path: Path) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 'Simulated NVIDIA A100'\n")
    tool.chmod(0o755)
    ran = run_script(tmp_path, "--epochs", "1", path=f"{tmp_path}:/usr/bin:/bin")
    if "Using device: cuda" in ran.stdout:
        pytest.skip("a real GPU is here")
    assert ran.stdout.startswith("Using device: cpu (the GPU is simulated: Simulated NVIDIA A100)\n")


@needs_torch
def test_a_checkpoint_that_cannot_be_written_leaves_no_half_of_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "epoch-001.pt" / "in the way").mkdir(parents=True)
    ran = run_script(tmp_path, "--epochs", "1", "--out", str(out))
    assert ran.returncode not in (0, 3)
    assert [file.name for file in out.iterdir()] == ["epoch-001.pt"]


def without(tmp_path: Path, *hidden: str, gpu: str = "") -> subprocess.CompletedProcess[str]:
    """The script where these modules cannot be imported, perhaps beside a GPU."""
    for name in hidden:
        (tmp_path / f"{name}.py").write_text("raise ImportError('hidden for this test')\n")
    if gpu:
        tool = tmp_path / "nvidia-smi"
        tool.write_text(f"#!/bin/sh\necho '{gpu}'\n")
        tool.chmod(0o755)
    environment = {"HOME": str(tmp_path), "PYTHONPATH": str(tmp_path), "PATH": f"{tmp_path}:/usr/bin:/bin"}
    return subprocess.run(
        [sys.executable, str(SCRIPT)], env=environment, capture_output=True, text=True, check=False, timeout=60
    )


def test_without_torch_a_machine_without_a_gpu_trains_with_numpy_and_says_so(tmp_path: Path) -> None:
    ran = without(tmp_path, "torch", gpu="Simulated NVIDIA A100")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.startswith("Using device: cpu (PyTorch is not installed here")
    _, points, _ = read(ReaderState(), ran.stdout.encode(), AT)
    losses = [point.value for point in points if point.metric == "Loss"]
    assert losses[-1] < losses[0] / 4
    assert (tmp_path / "work" / "try-digits" / "model.npz").stat().st_size > 10_000


@pytest.mark.parametrize(("hidden", "gpu"), [(("torch",), "NVIDIA A100-SXM4-80GB"), (("torch", "numpy"), "")])
def test_without_torch_it_says_what_is_missing(tmp_path: Path, hidden: tuple[str, ...], gpu: str) -> None:
    ran = without(tmp_path, *hidden, gpu=gpu)
    assert ran.returncode == 3
    assert ran.stderr == "torch is not installed on this machine: pip install torch\n"
    assert ran.stdout == ""


@pytest.mark.parametrize("option", ["--epochs=0", "--epochs=x", "--nonsense"])
def test_a_wrong_option_is_refused(tmp_path: Path, option: str) -> None:
    ran = run_script(tmp_path, option)
    assert ran.returncode == 2
    assert "usage:" in ran.stderr
