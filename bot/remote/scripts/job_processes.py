"""All processes of a job, wherever they went, and how they are ended."""
# ruff: noqa: UP006, UP035, UP045

import os
import signal
import time
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Set, Tuple

from bot.remote.scripts.job_files import Record, is_alive

MARK = "GPUBOT_JOB"
"""The variable that every process of a job inherits."""


class Process(NamedTuple):
    """One process; ``ticks`` is when it started."""

    pid: int
    parent: int
    session: int
    ticks: int


def members(job_id: str, main: Optional[Record], keeper: int = 0) -> List[Process]:
    """Every living process of the job but the caller.

    Its own are the command's session, what descends from ``keeper`` (which adopts orphans) or from any of
    these, and what carries the mark in its environment.
    """
    processes = _living()
    session = int(main["pid"]) if main and is_alive(main) else 0
    mark = f"{MARK}={job_id}".encode("ascii")
    found = {
        one.pid
        for one in processes.values()
        if one.pid == session or (session and one.session == session) or _is_marked(one.pid, mark)
    }
    if keeper:
        found.add(keeper)
    grown = True
    while grown:
        children = {one.pid for one in processes.values() if one.parent in found} - found
        found |= children
        grown = bool(children)
    return [processes[pid] for pid in found if pid in processes and pid not in (keeper, os.getpid())]


def ask_to_end(processes: List[Process]) -> None:
    """SIGTERM to each; a halted one is woken to hear it."""
    for one in processes:
        _send(one, signal.SIGTERM)
        _send(one, signal.SIGCONT)


def end_for_sure(job_id: str, main: Optional[Record], keeper: int = 0, limit_s: float = 10.0) -> None:
    """SIGKILL, until none is left or the time is over. All are halted first: nothing runs away by forking."""
    until = time.monotonic() + limit_s
    while True:
        found = members(job_id, main, keeper)
        halted: Set[Tuple[int, int]] = set()
        while True:
            new = [one for one in found if (one.pid, one.ticks) not in halted]
            if not new:
                break
            for one in new:
                _send(one, signal.SIGSTOP)
                halted.add((one.pid, one.ticks))
            found = members(job_id, main, keeper)
        if not found or time.monotonic() > until:
            return
        for one in found:
            _send(one, signal.SIGKILL)
        signal.sigtimedwait([signal.SIGCHLD], 0.02)


def _send(one: Process, number: int) -> None:
    still = _read(one.pid)
    if still is None or still.ticks != one.ticks:
        return
    try:
        os.kill(one.pid, number)
    except OSError:
        return  # gone meanwhile, or another user's by now


def _living() -> Dict[int, Process]:
    names = [entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    found = [_read(int(name)) for name in names]
    return {one.pid: one for one in found if one is not None}


def _read(pid: int) -> Optional[Process]:
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    words = text[text.rindex(b")") + 2 :].split()
    if words[0] in (b"Z", b"X", b"x"):
        return None
    return Process(pid, int(words[1]), int(words[3]), int(words[19]))


def _is_marked(pid: int, mark: bytes) -> bool:
    try:
        return mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False
