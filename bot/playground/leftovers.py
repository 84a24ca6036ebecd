"""What trials left behind that could not end themselves (killed, or their terminal is gone): found by the next one.

A trial's folder holds two locks for as long as their holders live: the trial's own, and that of its bot.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final

TRIAL_LOCK: Final = "trial.lock"
BOT_LOCK: Final = "bot.lock"
END_S: Final = 20.0
LOOK_S: Final = 0.1


@contextlib.contextmanager
def trial_folder(prefix: str) -> Iterator[Path]:
    """A temporary folder that is known as somebody's while this process lives, and gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=prefix) as name:
        lock = hold(Path(name) / TRIAL_LOCK)
        try:
            yield Path(name)
        finally:
            lock.close()


def hold(path: Path) -> IO[str]:
    """A new lock file, held until it is closed here and wherever it was inherited. Nobody ever sees it unheld."""
    unseen = path.with_suffix(".new")
    lock = unseen.open("w", encoding="utf-8")
    fcntl.flock(lock, fcntl.LOCK_EX)
    unseen.rename(path)
    return lock


def end_leftovers(prefix: str, end_machines: Callable[[Path], None]) -> int:
    """End the bots and machines of this user's trials whose process is gone, and remove their folders; how many."""
    found = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError), (folder / TRIAL_LOCK).open(encoding="utf-8") as lock:
            if os.fstat(lock.fileno()).st_uid != os.getuid() or not _taken(lock):
                continue
            _end_bot(folder / BOT_LOCK)
            end_machines(folder)
            shutil.rmtree(folder, ignore_errors=True)
            found += 1
    return found


def _end_bot(path: Path) -> None:
    with contextlib.suppress(OSError, ValueError), path.open(encoding="utf-8") as lock:
        # While the lock is held its holder lives, so that its number is nobody else's.
        for number in (signal.SIGTERM, signal.SIGKILL):
            deadline = time.monotonic() + END_S
            if _taken(lock):
                return
            os.kill(int(path.read_text(encoding="utf-8")), number)
            while not _taken(lock) and time.monotonic() < deadline:
                time.sleep(LOOK_S)  # noqa: TID251 - a lock of another process can only be looked at


def _taken(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
