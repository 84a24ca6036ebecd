"""Points out of a mixed log, piece by piece as jobs are read, on one core.

Mixed: the lines of all sample logs in turn, file by file, and nine ordinary lines after each of them (loading,
requests, warnings, prose), with numbers that change. The samples alone are told apart: nearly every line of theirs
holds metrics. The peers know no steps, tables, names or state: ``grep -c loss``, and a bare loop over the lines.
"""

import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from bot.domain.jobs.timing import JobTiming
from bot.domain.metrics import ReaderState, finish, read
from tests.bench.rows import Row, Say, at_least

SAMPLES = Path(__file__).parents[1] / "samples" / "logs"
MIXED_BYTES, SAMPLES_BYTES, ORDINARY_EACH = 100_000_000, 2_000_000, 9
PIECE_BYTES = JobTiming(poll_s=2.0).piece_bytes
REPEATS = 3
LEAST_MB_S = 60.0
_ORDINARY = (
    "2026-03-01 12:{m:02}:{s:02},{n:03} INFO  loading shard {n} of 1024 from /data/tokens/part-{n:05}.bin",
    "Downloading model-{n:05}-of-01024.safetensors: 4.98 GB from the hub, {m} files to go",
    "/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py:{n}: UserWarning: pin_memory is set but unused",
    '10.0.{m}.{s} - - [01/Mar/2026:12:{m:02}:{s:02} +0000] "GET /health HTTP/1.1" 200 {n}',
    "  - layer {m}: q_proj, k_proj, v_proj in bfloat16, {n} parameters, on cuda:{d}",
    "The workers are waiting for storage; this can take a while, and nothing has to be done about it.",
    "[rank{d}]: NCCL INFO Channel {m:02}/32 : {d}[{n}] -> {s}[{n}] via P2P/CUMEM/read",
    "saved checkpoint to /home/me/work/out/ckpt-{n}.pt ({m}.{s} GB) in {d}.{s} s",
    "DEBUG cache hit for key 0x{n:08x}, {m} entries, {s} evictions so far",
)


def measure(folder: Path, say: Say) -> list[Row]:
    """Medians of rates by the core's own seconds, in turn."""
    mixed, samples = _mixed(), _repeated(_logs(), SAMPLES_BYTES)
    file = folder / "mixed.log"
    file.write_bytes(mixed)
    say(f"  {_composition(mixed)}")
    ways: dict[str, Callable[[], object]] = {
        "mixed": lambda: _read(mixed),
        "loop": lambda: sum(b"loss" in line for line in file.open("rb")),
        "grep": lambda: subprocess.run(["grep", "-c", "loss", str(file)], stdout=subprocess.PIPE, check=True),
        "samples": lambda: _read(samples),
    }
    rates: dict[str, list[float]] = {}
    for number in range(REPEATS):
        for name, way in ways.items():
            began = _core_s()
            assert way()
            size = len(samples) if name == "samples" else len(mixed)
            rates.setdefault(name, []).append(size / 1e6 / (_core_s() - began))
        told = ", ".join(f"{name} {rate[-1]:.1f} MB/s" for name, rate in rates.items())
        say(f"  {number + 1} of {REPEATS}: {told}")
    middle = {name: median(rate) for name, rate in rates.items()}
    row = at_least(
        f"points out of {len(mixed) / 1e6:.0f} MB, peer: a bare loop", middle["mixed"], middle["loop"], "MB/s"
    )
    promised = Row(row.what, row.ours, row.peer, row.ratio, f"≥ {LEAST_MB_S:g} MB/s", middle["mixed"] >= LEAST_MB_S)
    return [
        promised,
        at_least("the same, peer: grep -c loss", middle["mixed"], middle["grep"], "MB/s"),
        at_least("metrics in nearly each line, peer: a bare loop", middle["samples"], middle["loop"], "MB/s"),
    ]


def _core_s() -> float:
    """Seconds of a core that this process and its children took: what others do meanwhile does not count."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _logs() -> list[bytes]:
    return [path.read_bytes() for path in sorted(SAMPLES.iterdir()) if path.suffix in (".log", ".csv", ".jsonl")]


def _repeated(logs: list[bytes], size: int) -> bytes:
    once = b"".join(logs)
    return once * max(1, size // len(once))


def _mixed() -> bytes:
    """Of the whole size; what varies does so by a count."""
    lines, parts, size, number = _repeated(_logs(), SAMPLES_BYTES).split(b"\n"), [], 0, 0
    while size < MIXED_BYTES:
        parts.append(lines[number % len(lines)] + b"\n")
        for ordinary in _ORDINARY[:ORDINARY_EACH]:
            number_in = number % 1024
            parts.append(ordinary.format(n=number_in, m=number % 60, s=number_in % 59, d=number % 8).encode() + b"\n")
        size += sum(map(len, parts[-1 - ORDINARY_EACH :]))
        number += 1
    return b"".join(parts)


def _composition(mixed: bytes) -> str:
    """What the log is made of."""
    lines, logs = mixed.count(b"\n"), _logs()
    sampled = lines // (1 + ORDINARY_EACH)
    of_samples = sum(map(len, mixed.split(b"\n")[:: 1 + ORDINARY_EACH])) / len(mixed)
    return (
        f"mixed: {len(mixed) / 1e6:.0f} MB, {lines:,} lines; {sampled:,} of them ({of_samples:.0%} of the bytes) out of"
        f" {len(logs)} sample logs in turn (bars, tables, CSV, JSON, ranks, Chinese, colours), {ORDINARY_EACH} ordinary"
        f" ones of {len(_ORDINARY)} kinds after each; {mixed.count(b'loss'):,} times the word loss"
    )


def _read(output: bytes) -> int:
    state, at, count = ReaderState(), datetime.now(UTC), 0
    for start in range(0, len(output), PIECE_BYTES):
        state, points, _ = read(state, output[start : start + PIECE_BYTES], at)
        count += len(points)
    return count + len(finish(state, at)[1])
