"""A small training run that proves a machine: a net learns digits in a few seconds.

usage: train_digits.py [--epochs N] [--out DIR] [--seed N]

Needs PyTorch and nothing else, and runs on the GPU where PyTorch can use one. A machine without PyTorch and without a
real GPU trains a smaller net with NumPy, and says so. The digits are scikit-learn's where that is installed, else they
are drawn here. Exits 0 when it learned, 1 when it did not, 3 without PyTorch.
"""
# ruff: noqa: UP006, UP035

import argparse
import contextlib
import importlib
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, Tuple

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

Part = Tuple[Any, Any]  # images (count, 64) from 0 to 1, and their digits (count)


def main() -> int:
    """Train, test, and say how it went."""
    options = read_options()
    net = choose_net(options.seed)
    if net is None:
        sys.stderr.write("torch is not installed on this machine: pip install torch\n")
        return NO_TORCH
    parts = {name: net.on_device(*part) for name, part in split(options.seed).items()}
    began = time.monotonic()
    train(net, parts, options)
    seconds = time.monotonic() - began
    _, percent = net.measure(*parts["test"])
    say(f"Test Accuracy: {percent:.2f}%")
    say(f"Trained {options.epochs} epochs in {seconds:.1f} s on {net.device}; model saved in {options.out}")
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


def choose_net(seed: int) -> Any:
    """PyTorch's net; NumPy's on a machine without PyTorch that has no real GPU to prove; else None. Says which."""
    with contextlib.suppress(ImportError):
        return TorchNet(importlib.import_module("torch"), seed)
    names = gpu_names()
    if names and not is_simulated(names):
        return None
    with contextlib.suppress(ImportError):
        return NumpyNet(importlib.import_module("numpy"), seed)
    return None


def is_simulated(names: List[str]) -> bool:
    """Whether the GPU says so of itself."""
    return bool(names) and "simulated" in names[0].lower()


def gpu_names() -> List[str]:
    """The machine's GPUs, as nvidia-smi names them."""
    ask = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    quiet = subprocess.DEVNULL
    try:
        answer = subprocess.run(ask, stdout=subprocess.PIPE, stderr=quiet, timeout=NVIDIA_SMI_LIMIT_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return []
    return [name.strip() for name in answer.stdout.decode(errors="replace").splitlines() if name.strip()]


def split(seed: int) -> Dict[str, Part]:
    """The digits in three parts that share no image: a fifth to test, a fifth to validate, the rest to train."""
    chance = random.Random(seed)  # noqa: S311 -- digits are no secret
    try:
        known = importlib.import_module("sklearn.datasets").load_digits()
        images = [[ink / 16.0 for ink in image] for image in known.data.tolist()]
        digits = known.target.tolist()
        source = "scikit-learn's digits"
    except ImportError:
        digits = [number % 10 for number in range(DRAWN)]
        images = [draw(chance, digit) for digit in digits]
        source = "digits drawn here, as scikit-learn is not installed"
    both = list(zip(images, digits))  # noqa: B905 -- Python 3.6 has no strict=
    chance.shuffle(both)
    fifth = len(both) // 5
    say(f"Data: {len(both)} images, {source}")
    parts = {"test": both[:fifth], "validation": both[fifth : 2 * fifth], "train": both[2 * fifth :]}
    return {name: ([image for image, _ in part], [digit for _, digit in part]) for name, part in parts.items()}


def draw(chance: random.Random, digit: int) -> List[float]:
    """One digit, not always at the same place, in uneven ink on a noisy ground: 8 by 8, from 0 to 1."""
    top, left = chance.choice((1, 2)), chance.choice((2, 3))
    image = [0.0] * (SIDE * SIDE)
    for y, row in enumerate(STROKES[digit].split("|")):
        for x, mark in enumerate(row):
            if mark == "#":
                image[(top + y) * SIDE + left + x] = 0.5 + 0.5 * chance.random()
    return [min(ink + 0.35 * chance.random(), 1.0) for ink in image]


class TorchNet:
    """Two convolutions, then two full layers, on the GPU where PyTorch can multiply on it."""

    suffix = ".pt"

    def __init__(self, torch: Any, seed: int) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(min(MOST_THREADS, torch.get_num_threads()))
        self.torch = torch
        self.device = self._choose_device()
        nn = torch.nn
        self.model = nn.Sequential(
            nn.Unflatten(1, (1, SIDE, SIDE)),
            nn.Conv2d(1, 16, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(32 * (SIDE // 2) ** 2, 64),
            nn.ReLU(),
            nn.Linear(64, 10),
        ).to(self.device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=2e-3)

    def _choose_device(self) -> Any:
        torch = self.torch
        if torch.cuda.is_available():
            ones = torch.ones(64, 64, device="cuda")
            (ones @ ones).sum().item()  # a GPU that cannot be used fails here, in PyTorch's own words
            say(f"Using device: cuda ({torch.cuda.get_device_name()})")
            return torch.device("cuda")
        names = gpu_names()
        why = "the GPU is simulated: " + names[0] if is_simulated(names) else "PyTorch sees no GPU here"
        say(f"Using device: cpu ({why})")
        return torch.device("cpu")

    def on_device(self, images: Any, digits: Any) -> Part:
        """The part as tensors."""
        return self.torch.tensor(images, device=self.device), self.torch.tensor(digits, device=self.device)

    def learn(self, images: Any, digits: Any) -> float:
        """One epoch; its mean loss."""
        self.model.train()
        total = 0.0
        for batch in self.torch.randperm(len(digits)).to(digits.device).split(BATCH):
            self.optimizer.zero_grad()
            loss = self.torch.nn.functional.cross_entropy(self.model(images[batch]), digits[batch])
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(batch)
        return total / len(digits)

    def measure(self, images: Any, digits: Any) -> Tuple[float, float]:
        """Mean loss, and right answers in per cent."""
        self.model.eval()
        with self.torch.no_grad():
            answers = self.model(images)
            loss = self.torch.nn.functional.cross_entropy(answers, digits)
            return loss.item(), 100.0 * (answers.argmax(1) == digits).float().mean().item()

    def write(self, file: Any, epoch: int) -> None:
        """The checkpoint after ``epoch`` epochs."""
        self.torch.save({"epoch": epoch, "model": self.model.state_dict()}, file)


class NumpyNet:
    """Softmax over one hidden layer, by plain gradient descent: what a machine without PyTorch can prove."""

    suffix = ".npz"
    device = "cpu"
    batch = 8
    rate = 0.2

    def __init__(self, np: Any, seed: int) -> None:
        self.np, self.chance = np, np.random.default_rng(seed)
        shapes = ((SIDE * SIDE, 128), (128, 10))
        self.weights = [self.chance.normal(0.0, (2.0 / rows) ** 0.5, (rows, columns)) for rows, columns in shapes]
        self.biases = [np.zeros(columns) for _, columns in shapes]
        say("Using device: cpu (PyTorch is not installed here: a smaller net, trained with NumPy)")

    def on_device(self, images: Any, digits: Any) -> Part:
        """The part as arrays."""
        return self.np.array(images), self.np.array(digits)

    def learn(self, images: Any, digits: Any) -> float:
        """One epoch; its mean loss."""
        total = 0.0
        order = self.chance.permutation(len(digits))
        for begin in range(0, len(order), self.batch):
            batch = order[begin : begin + self.batch]
            hidden, chances = self._forward(images[batch])
            total -= float(self.np.log(chances[range(len(batch)), digits[batch]]).sum())
            errors = chances
            errors[range(len(batch)), digits[batch]] -= 1.0
            behind = (errors @ self.weights[1].T) * (hidden > 0)
            for layer, (given, error) in enumerate(((images[batch], behind), (hidden, errors))):
                self.weights[layer] -= self.rate / len(batch) * given.T @ error
                self.biases[layer] -= self.rate / len(batch) * error.sum(0)
        return total / len(digits)

    def _forward(self, images: Any) -> Tuple[Any, Any]:
        hidden = self.np.maximum(images @ self.weights[0] + self.biases[0], 0.0)
        scores = hidden @ self.weights[1] + self.biases[1]
        grown = self.np.exp(scores - scores.max(1, keepdims=True))
        return hidden, grown / grown.sum(1, keepdims=True)

    def measure(self, images: Any, digits: Any) -> Tuple[float, float]:
        """Mean loss, and right answers in per cent."""
        _, chances = self._forward(images)
        loss = -self.np.log(chances[range(len(digits)), digits]).mean()
        return float(loss), 100.0 * float((chances.argmax(1) == digits).mean())

    def write(self, file: Any, epoch: int) -> None:
        """The checkpoint after ``epoch`` epochs."""
        named = {f"{name}{n}": part for name in ("weights", "biases") for n, part in enumerate(getattr(self, name))}
        self.np.savez(file, epoch=epoch, **named)


def train(net: Any, parts: Dict[str, Part], options: argparse.Namespace) -> None:
    """All epochs, each with a line and a checkpoint."""
    line = "Epoch {}/{}, Loss: {:.4f}, Validation loss: {:.4f}, Validation accuracy: {:.2f}%"
    for epoch in range(1, options.epochs + 1):
        loss = net.learn(*parts["train"])
        say(line.format(epoch, options.epochs, loss, *net.measure(*parts["validation"])))
        save(net, epoch, options.out / f"epoch-{epoch:03d}{net.suffix}")
    save(net, options.epochs, options.out / f"model{net.suffix}")


def save(net: Any, epoch: int, path: Path) -> None:
    """Write ``path`` whole or not at all: whoever copies it while it is written never gets half a checkpoint."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            net.write(file, epoch)
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
