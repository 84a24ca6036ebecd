"""A small training run that proves a machine: a convolutional net learns digits in a few seconds.

usage: train_digits.py [--epochs N] [--out DIR] [--seed N]

Needs PyTorch and nothing else. The digits are scikit-learn's where that is installed, else they are drawn here. Runs
on the GPU where PyTorch can use one. Exits 0 when it learned, 1 when it did not, 3 without PyTorch.
"""
# ruff: noqa: UP006, UP035

import argparse
import contextlib
import importlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, Tuple

NO_TORCH = 3
LEARNED_PERCENT = 90.0
SIDE = 8  # pixels
BATCH = 32
DRAWN = 2000
MOST_THREADS = 1  # more of them only wait for each other over images this small
NVIDIA_SMI_LIMIT_S = 10
# Three wide and five high, a row between two bars.
STROKES = (
    "###|# #|# #|# #|###",
    " # |## | # | # |###",
    "###|  #|###|#  |###",
    "###|  #| ##|  #|###",
    "# #|# #|###|  #|  #",
    "###|#  |###|  #|###",
    "###|#  |###|# #|###",
    "###|  #| # | # | # ",
    "###|# #|###|# #|###",
    "###|# #|###|  #|###",
)  # fmt: skip

Part = Tuple[Any, Any]  # images (count, 1, 8, 8) from 0 to 1, and their digits (count)


def main() -> int:
    """Train, test, and say how it went."""
    options = read_options()
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        sys.stderr.write("torch is not installed on this machine: pip install torch\n")
        return NO_TORCH
    torch.manual_seed(options.seed)
    torch.set_num_threads(min(MOST_THREADS, torch.get_num_threads()))
    device = choose_device(torch)
    parts = {name: (images.to(device), digits.to(device)) for name, (images, digits) in split(torch).items()}
    model = build_net(torch).to(device)
    began = time.monotonic()
    train(torch, model, parts, options)
    seconds = time.monotonic() - began
    _, percent = measure(torch, model, parts["test"])
    say(f"Test Accuracy: {percent:.2f}%")
    say(f"Trained {options.epochs} epochs in {seconds:.1f} s on {device}; model saved in {options.out}")
    return 0 if percent >= LEARNED_PERCENT else 1


def read_options() -> argparse.Namespace:
    """The command line, its output directory made."""
    parser = argparse.ArgumentParser(description="Train a small net on digits, to prove a machine.")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--out", default="~/work/try-digits")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    if options.epochs < 1:
        parser.error("--epochs must be 1 or more")
    options.out = Path(options.out).expanduser()
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def choose_device(torch: Any) -> Any:
    """The GPU where PyTorch can multiply on it, else the CPU; says which, and why."""
    if torch.cuda.is_available():
        ones = torch.ones(64, 64, device="cuda")
        (ones @ ones).sum().item()  # a GPU that cannot be used fails here, in PyTorch's own words
        say(f"Using device: cuda ({torch.cuda.get_device_name()})")
        return torch.device("cuda")
    name = simulated_gpu()
    say("Using device: cpu ({})".format("the GPU is simulated: " + name if name else "PyTorch sees no GPU here"))
    return torch.device("cpu")


def simulated_gpu() -> str:
    """The name of a GPU that says of itself that it is simulated, else nothing."""
    ask = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    quiet = subprocess.DEVNULL
    try:
        answer = subprocess.run(ask, stdout=subprocess.PIPE, stderr=quiet, timeout=NVIDIA_SMI_LIMIT_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    names = answer.stdout.decode(errors="replace").splitlines()
    return names[0].strip() if names and "simulated" in names[0].lower() else ""


def split(torch: Any) -> Dict[str, Part]:
    """The digits in three parts that share no image: a fifth to test, a fifth to validate, the rest to train."""
    try:
        known = importlib.import_module("sklearn.datasets").load_digits()
        images = torch.tensor(known.images.tolist()) / 16.0
        digits = torch.tensor(known.target.tolist())
        source = "scikit-learn's digits"
    except ImportError:
        digits = torch.arange(DRAWN) % 10
        images = torch.stack([draw(torch, digit) for digit in digits.tolist()])
        source = "digits drawn here, as scikit-learn is not installed"
    order = torch.randperm(len(digits))
    images, digits = images[order].unsqueeze(1), digits[order]
    fifth = len(digits) // 5
    say(f"Data: {len(digits)} images, {source}")
    return {
        "test": (images[:fifth], digits[:fifth]),
        "validation": (images[fifth : 2 * fifth], digits[fifth : 2 * fifth]),
        "train": (images[2 * fifth :], digits[2 * fifth :]),
    }


def draw(torch: Any, digit: int) -> Any:
    """One digit, not always at the same place, in uneven ink on a noisy ground: (8, 8) from 0 to 1."""
    strokes = torch.tensor([[float(mark == "#") for mark in row] for row in STROKES[digit].split("|")])
    top, left = (int(torch.randint(low, high, (1,))) for low, high in ((1, 3), (2, 4)))
    image = torch.zeros(SIDE, SIDE)
    image[top : top + 5, left : left + 3] = strokes * (0.5 + 0.5 * torch.rand(5, 3))
    return (image + 0.35 * torch.rand(SIDE, SIDE)).clamp(max=1.0)


def build_net(torch: Any) -> Any:
    """Two convolutions, then two full layers."""
    nn = torch.nn
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * (SIDE // 2) ** 2, 64),
        nn.ReLU(),
        nn.Linear(64, 10),
    )


def train(torch: Any, model: Any, parts: Dict[str, Part], options: argparse.Namespace) -> None:
    """All epochs, each with a line and a checkpoint."""
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    images, digits = parts["train"]
    for epoch in range(1, options.epochs + 1):
        model.train()
        total = 0.0
        for batch in torch.randperm(len(digits)).to(digits.device).split(BATCH):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(images[batch]), digits[batch])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        held_out = measure(torch, model, parts["validation"])
        line = "Epoch {}/{}, Loss: {:.4f}, Validation loss: {:.4f}, Validation accuracy: {:.2f}%"
        say(line.format(epoch, options.epochs, total / len(digits), *held_out))
        save(torch, {"epoch": epoch, "model": model.state_dict()}, options.out / f"epoch-{epoch:03d}.pt")
    save(torch, {"epoch": options.epochs, "model": model.state_dict()}, options.out / "model.pt")


def measure(torch: Any, model: Any, part: Part) -> Tuple[float, float]:
    """Mean loss, and right answers in per cent."""
    images, digits = part
    model.eval()
    with torch.no_grad():
        answers = model(images)
        loss = torch.nn.functional.cross_entropy(answers, digits)
        return loss.item(), 100.0 * (answers.argmax(1) == digits).float().mean().item()


def save(torch: Any, checkpoint: Dict[str, Any], path: Path) -> None:
    """Write ``path`` whole or not at all: whoever copies it while it is written never gets half a checkpoint."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            torch.save(checkpoint, file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()


def say(line: str) -> None:
    """Print at once: whoever follows the output sees each line when it is true."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
