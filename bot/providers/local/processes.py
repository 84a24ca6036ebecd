"""Processes as the kernel shows them: which belong to a machine, and how all of them are ended.

A process is a machine's when it descends from its server (which adopts orphans), carries its mark in the
environment, or carries its pair of limits, which survives `env -i`. Never by working directory: that would
take the shell of someone who merely looks.
"""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MACHINE_VARIABLE = "GPUBOT_LOCAL"
BOOT_VARIABLE = "GPUBOT_BOOT_ID"
SERVER_MODULE = "bot.providers.local.server"
_PROC = Path("/proc")
_LIMIT = b"Max msgqueue size"


@dataclass(frozen=True, slots=True)
class Process:
    """One process. ``start_ticks`` tells it from a later one of the same pid; ``cpu_ticks`` is all it has used."""

    pid: int
    parent: int
    start_ticks: int
    cpu_ticks: int
    state: str


@dataclass(frozen=True, slots=True)
class Marks:
    """By what a machine's processes are known. ``server`` is the pid and start ticks of its server."""

    machine_id: str
    limits: tuple[int, int]
    server: tuple[int, int] | None = None


@cache
def host_boot_id() -> str:
    """Of the machine that all this runs on."""
    return (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


def process(pid: int) -> Process | None:
    """The process, also a zombie; None where there is none."""
    try:
        text = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    words = text[text.rindex(b")") + 2 :].split()  # the name may hold anything, also blanks and parentheses
    return Process(pid, int(words[1]), int(words[19]), int(words[11]) + int(words[12]), chr(words[0][0]))


def living() -> Iterator[Process]:
    """All processes but zombies."""
    for path in _PROC.iterdir():
        name = path.name
        if name.isdigit() and (found := process(int(name))) and found.state not in "ZX":
            yield found


def is_alive(pid: int, start_ticks: int) -> bool:
    """Whether that very process still runs."""
    found = process(pid)
    return found is not None and found.start_ticks == start_ticks and found.state not in "ZX"


def environment(pid: int) -> list[bytes]:
    """``NAME=value`` as it was started with; empty where that may not be read."""
    try:
        return (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:
        return []


def limits(pid: int) -> tuple[int, int] | None:
    """Soft and hard limit of the mark; None where there is no limit or no such process."""
    try:
        lines = (_PROC / str(pid) / "limits").read_bytes().splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith(_LIMIT):
            soft, hard = line[len(_LIMIT) :].split()[:2]
            return (int(soft), int(hard)) if soft.isdigit() and hard.isdigit() else None
    return None


def members(marks: Marks) -> list[Process]:
    """Every living process of the machine but the caller, its server last."""
    processes = {found.pid: found for found in living()}
    server = marks.server
    if server is not None and not (server[0] in processes and processes[server[0]].start_ticks == server[1]):
        server = None
    mine = [
        found
        for found in processes.values()
        if found.pid != os.getpid() and (_descends(found, server, processes) or _is_marked(found.pid, marks))
    ]
    return sorted(mine, key=lambda found: server is not None and found.pid == server[0])


def _descends(found: Process, server: tuple[int, int] | None, processes: dict[int, Process]) -> bool:
    if server is None:
        return False
    pid, seen = found.pid, set[int]()
    while pid in processes and pid not in seen:
        if pid == server[0]:
            return True
        seen.add(pid)
        pid = processes[pid].parent
    return False


def _is_marked(pid: int, marks: Marks) -> bool:
    if marks.limits[1] and limits(pid) == marks.limits:
        return True
    return f"{MACHINE_VARIABLE}={marks.machine_id}".encode() in environment(pid)


def find_server(boot_id: str) -> Process | None:
    """The server of that start, found without any record of it."""
    for found in living():
        if f"{BOOT_VARIABLE}={boot_id}".encode() in environment(found.pid):
            try:
                words = (_PROC / str(found.pid) / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if SERVER_MODULE.encode() in words and words[0].rpartition(b"/")[2] != b"sh":
                return found
    return None


def end_all(marks: Marks, deadline_s: float = 10.0) -> bool:
    """End every process of the machine, also those that fork meanwhile. False: some are left at the deadline.

    All are halted first, until none is new, so that nothing can run away from the killing.
    """
    until = time.monotonic() + deadline_s
    while found := members(marks):
        # Asked after a fresh look: on a computer that stood still meanwhile, all that was killed may be gone.
        if time.monotonic() > until:
            return False
        halted: set[tuple[int, int]] = set()
        while new := [one for one in found if (one.pid, one.start_ticks) not in halted]:
            for one in new:
                _send(one, signal.SIGSTOP)
                halted.add((one.pid, one.start_ticks))
            found = members(marks)
        for one in found:
            _send(one, signal.SIGKILL)
        os.sched_yield()
    return True


def _send(found: Process, number: signal.Signals) -> None:
    if not is_alive(found.pid, found.start_ticks):
        return
    try:
        os.kill(found.pid, number)
    except (ProcessLookupError, PermissionError):
        return  # gone meanwhile, or changed its user: the next look shows which
