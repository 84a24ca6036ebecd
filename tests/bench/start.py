"""How soon the bot runs, and what it takes to be there: until both sockets stand, and the memory some seconds later."""

import time
from pathlib import Path
from statistics import median

import psutil

from tests.bench.rows import Row, Say, at_most, within
from tests.bench.workspace import ECHO, OURS, bot, playground

STARTS = 3
REST_S = 5.0
LIMIT_S, LIMIT_MB = 3.0, 150.0


def measure(folder: Path, say: Say) -> list[Row]:
    """Starts of ours and of the echo bot in turn; the first of ours makes its database, and is told apart."""
    took: dict[str, list[float]] = {"ours": [], "echo": []}
    worked: dict[str, list[float]] = {"ours": [], "echo": []}
    weighs: dict[str, list[float]] = {"ours": [], "echo": []}
    with playground() as served:
        for number in range(STARTS + 1):
            for name, command in (("ours", OURS), ("echo", ECHO)):
                with bot(command, served, folder) as (process, seconds):
                    core = sum(psutil.Process(process.pid).cpu_times()[:2])
                    time.sleep(REST_S)
                    megabytes = psutil.Process(process.pid).memory_info().rss / 1e6
                took[name].append(seconds)
                weighs[name].append(megabytes)
                worked[name].append(core)
                say(f"  {number} of {STARTS}, {name}: {seconds:.2f} s ({core:.2f} s of a core), {megabytes:.0f} MB")
    first_s, first_echo_s = took["ours"][0], took["echo"][0]
    ours_s, echo_s = median(took["ours"][1:]), median(took["echo"][1:])
    ours_mb, echo_mb = median(weighs["ours"]), median(weighs["echo"])
    return [
        within(at_most("first start, with its database", first_s, first_echo_s, "s"), first_s, LIMIT_S, "s"),
        within(at_most("start", ours_s, echo_s, "s"), ours_s, LIMIT_S, "s"),
        at_most("start, seconds of a core", median(worked["ours"][1:]), median(worked["echo"][1:]), "s"),
        within(at_most("memory at rest", ours_mb, echo_mb, "MB"), ours_mb, LIMIT_MB, "MB"),
    ]
