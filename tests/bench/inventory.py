"""What is on a machine: the inventory script on 200,000 files, beside find telling the same facts of each.

The script runs as a machine runs it, without the SSH around it: all files unknown (as after a day's work), and all
known (as right after a copy). It also looks for writers, tells git trees, sums digests; find only prints.
"""

import json
import os
import shutil
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from bot.domain.inventory.files import KnownFiles
from bot.domain.inventory.parse import parse, parse_baseline
from bot.domain.inventory.request import Watch, baseline_request, inventory_request
from bot.ports.remote import Step
from bot.remote.ssh import read_script
from tests.bench.rows import Row, Say, at_most

FOLDERS, FILES_EACH = 2000, 100
REPEATS = 7
MOST = 2.0
_WITHIN_S = 120.0
_PEER = ("find", ".", "-type", "f", "-printf", r"%s %T@ %C@ %i %p\0")


def measure(folder: Path, say: Say) -> list[Row]:
    """Medians of runs in turn, after one of each that warms the caches."""
    home = folder / "home"
    say(f"  making {FOLDERS * FILES_EACH:,} files")
    _make(home)
    watch = Watch.of("")
    known = parse_baseline(_script(home, baseline_request(watch, within_s=_WITHIN_S))[1])
    requests = {
        "all unknown": inventory_request(watch, KnownFiles(), within_s=_WITHIN_S),
        "all known": inventory_request(watch, known, within_s=_WITHIN_S),
    }
    times: dict[str, list[float]] = {}
    for number in range(REPEATS + 1):
        for name, request in requests.items():
            seconds, text = _script(home, request)
            found = parse(text, at=datetime.now(UTC))
            assert found.files == (FOLDERS * FILES_EACH if name == "all unknown" else 0), found.files
            times.setdefault(name, []).append(seconds)
        times.setdefault("find", []).append(_find(home))
        say(f"  {number} of {REPEATS}: " + ", ".join(f"{name} {told[-1]:.2f} s" for name, told in times.items()))
    shutil.rmtree(home)
    middle = {name: median(told[1:]) for name, told in times.items()}
    return [
        at_most(f"inventory of {FOLDERS * FILES_EACH:,} files, {name}", middle[name], middle["find"], "s", MOST)
        for name in requests
    ]


def _make(home: Path) -> None:
    for number in range(FOLDERS):
        folder = home / f"set{number // 50:03}" / f"part{number % 50:03}"
        folder.mkdir(parents=True)
        for file in range(FILES_EACH):
            (folder / f"sample-{file:04}.bin").write_bytes(b"x" * (file % 7))


def _script(home: Path, request: bytes) -> tuple[float, str]:
    script, ahead = read_script(Step.INVENTORY)
    stdin = ahead + request
    environment = {**os.environ, "HOME": str(home), "GPUBOT_STDIN_BYTES": str(len(stdin)), "LC_ALL": "C"}
    began = time.perf_counter()
    done = subprocess.run(
        ["sh", "-c", script], input=stdin, capture_output=True, env=environment, cwd=home, check=True, timeout=300
    )
    took_s = time.perf_counter() - began
    assert "end" in json.loads(done.stdout.splitlines()[-1])
    return took_s, done.stdout.decode()


def _find(home: Path) -> float:
    began = time.perf_counter()
    done = subprocess.run(_PEER, cwd=home, capture_output=True, check=True, timeout=300)
    took_s = time.perf_counter() - began
    assert done.stdout.count(b"\0") == FOLDERS * FILES_EACH
    return took_s
