"""How much the machine's processes burn: their CPU ticks now against those at the last look."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.providers.local.files import read_json, write_json
from bot.providers.local.processes import SERVER_MODULE, Process, limits, living

_SHORT_S, _OLD_S = 0.25, 60.0
_WORTH_S = 0.3
"""Who has used less than this in all its life is a command in passing, not a training."""
_PAGE_MIB = os.sysconf("SC_PAGE_SIZE") / 2**20


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that keeps a card busy."""

    pid: int
    name: str
    memory_mib: int


@dataclass(frozen=True, slots=True)
class Use:
    """``cores``: how many are kept busy; ``memory_mib``: what those that do it hold."""

    cores: float
    workers: tuple[Worker, ...]

    @property
    def memory_mib(self) -> int:
        return sum(worker.memory_mib for worker in self.workers)


def measure(
    sample: Path,
    mark: tuple[int, int],
    monotonic: Callable[[], float] = time.monotonic,
    wait: Callable[[float], None] = time.sleep,  # noqa: TID251 - a measurement is over a span of time
) -> Use:
    """Use since the last look; without one that is fresh enough, over a quarter of a second."""
    before = read_json(sample)
    age_s = monotonic() - before["at_s"] if before else -1.0
    if before and 0 <= age_s < _SHORT_S:
        ticks = {key: int(value) for key, value in before["before"].items()}
        return _between(ticks, _ticks(mark), age_s + float(before["span_s"]))
    if before is None or not 0 <= age_s <= _OLD_S:
        before = {"at_s": monotonic(), "ticks": _plain(_ticks(mark))}
        wait(_SHORT_S)
    now_s, now = monotonic(), _ticks(mark)
    then = {key: int(value) for key, value in before["ticks"].items()}
    span_s = now_s - float(before["at_s"])
    write_json(sample, {"at_s": now_s, "ticks": _plain(now), "before": then, "span_s": span_s})
    return _between(then, now, span_s)


def _ticks(mark: tuple[int, int]) -> dict[str, Process]:
    """The machine's processes, but this one and the server, whose work is not the user's."""
    return {
        f"{found.pid}:{found.start_ticks}": found
        for found in living()
        if found.pid != os.getpid() and limits(found.pid) == mark and not _serves(found.pid)
    }


def _plain(processes: dict[str, Process]) -> dict[str, int]:
    return {key: found.cpu_ticks for key, found in processes.items()}


def _between(before: dict[str, int], now: dict[str, Process], span_s: float) -> Use:
    ticks_per_s = os.sysconf("SC_CLK_TCK")
    burnt = 0
    workers = []
    for key, found in now.items():
        grown = found.cpu_ticks - before.get(key, 0)
        if grown > 0 and found.cpu_ticks >= _WORTH_S * ticks_per_s:
            burnt += grown
            workers.append(Worker(found.pid, _program(found.pid), _resident_mib(found.pid)))
    return Use(burnt / ticks_per_s / max(span_s, 0.01), tuple(workers))


def _serves(pid: int) -> bool:
    return SERVER_MODULE.encode() in _read(pid, "cmdline").split(b"\0")


def _program(pid: int) -> str:
    return _read(pid, "cmdline").split(b"\0")[0].decode("utf-8", "replace") or "[unknown]"


def _resident_mib(pid: int) -> int:
    words = _read(pid, "statm").split()
    return round(int(words[1]) * _PAGE_MIB) if len(words) > 1 else 0


def _read(pid: int, name: str) -> bytes:
    try:
        return (Path("/proc") / str(pid) / name).read_bytes()
    except OSError:
        return b""
