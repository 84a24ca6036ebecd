"""``python -m tests.bench [NAME …]``: measured ratios, each beside its peer on this machine in the same run."""

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from tests.bench.rows import Row, Say, table

MEASUREMENTS = {
    "ack": "acknowledgement of /gpu status, 50 at once, 200 leases; peer: an echo bot",
    "start": "time to start and memory at rest; peer: an echo bot",
    "ready": "from the command to a machine handed over, beyond its boot; peer: launch, log in, true",
    "sweep": "a short script on 200 SSH servers; peer: parallel-ssh",
    "picture": "the picture of 10⁷ points, peer: plain matplotlib; memory over 300 pictures",
    "inventory": "what is on a machine with 200,000 files; peer: find -printf",
    "copying": "300 MB into the archive; peer: rclone alone",
    "small_files": "20,000 small files into the archive; peers: our copying without its verification, rclone alone",
    "reader": "points out of 100 MB of mixed logs; peers: a bare loop over the lines, grep",
}
Measure = Callable[[Path, Say], list[Row]]


def main() -> int:
    """Measure what was asked for, or everything."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(MEASUREMENTS)}")
    parser.add_argument("--keep", type=Path, help="directory for databases, logs and pictures (default: build/bench)")
    given = parser.parse_args()
    unknown = sorted(set(given.names) - set(MEASUREMENTS))
    if unknown:
        parser.error(f"no such measurement: {', '.join(unknown)}; there is {', '.join(MEASUREMENTS)}")
    folder = (given.keep or Path("build/bench")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {text}", flush=True)

    load = os.getloadavg()[0]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f} before it began", flush=True)
    rows: list[Row] = []
    for name in given.names or MEASUREMENTS:
        say(f"{name}: {MEASUREMENTS[name]}")
        measure: Measure = import_module(f"tests.bench.{name}").measure
        with tempfile.TemporaryDirectory(prefix=f"gpubot-bench-{name}-") as scratch:
            found = measure(Path(scratch), say) if name != "picture" else measure(folder, say)
        rows += found
        for line in table(found).splitlines()[2:]:
            say(f"  {line}")
    print(f"\n{table(rows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
