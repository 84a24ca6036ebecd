"""Processes that a dead bot left behind, found by a mark in their environment: a number may be another's by now."""

import os
import signal
from contextlib import suppress
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Final

_GONE_WITHIN_S: Final = 5.0
_POLL_S: Final = 0.02


def end_marked(variable: str, value: str) -> int:
    """End every process of ours with ``variable=value`` in its environment; how many that were.

    Returns when they are gone, or after a few seconds. Zombies do not count.
    """
    ended: set[int] = set()
    gives_up_at, pause = monotonic() + _GONE_WITHIN_S, Event()
    while (found := _marked(f"{variable}={value}".encode())) and monotonic() < gives_up_at:
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                ended.add(pid)
        pause.wait(_POLL_S)
    return len(ended)


def _marked(mark: bytes) -> list[int]:
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        with suppress(OSError):
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found
