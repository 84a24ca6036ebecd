"""One walk by several processes: stat and digests are what takes the time, and there are cores enough."""
# ruff: noqa: UP006, UP035

import marshal
import os
from typing import Callable, List, Tuple

from bot.remote.scripts.inventory_found import Found
from bot.remote.scripts.inventory_walk import Folder, Walk

_MOST = 4
_FOLDERS_EACH = 8
"""A tree with fewer folders than this for each is walked by one."""


def walk_all(start: Callable[[Found], Walk], folders: List[Folder], limit_bytes: int) -> Found:
    """What is found below all ``folders``; ``start`` makes a walk. ``limit_bytes``: of listings and digests, each."""
    crew = min(_MOST, os.cpu_count() or 1)
    walk = start(Found(limit_bytes))
    walk.run(folders, until_wide=crew * _FOLDERS_EACH if crew > 1 else 0)
    if not folders or walk.found.was_cut:
        return walk.found
    parts = [_fork(start, folders[number::crew], limit_bytes // crew) for number in range(crew)]
    for pid, reader in parts:
        with os.fdopen(reader, "rb") as pipe:
            answer = pipe.read()
        os.waitpid(pid, 0)
        if answer:
            walk.found.take(marshal.loads(answer))  # noqa: S302 - from our own child
        else:
            walk.found.was_cut = True  # it ended before it could tell
    return walk.found


def _fork(start: Callable[[Found], Walk], folders: List[Folder], limit_bytes: int) -> Tuple[int, int]:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    try:
        os.close(reader)
        walk = start(Found(limit_bytes))
        walk.run(folders)
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(marshal.dumps(walk.found.plain()))
    finally:
        os._exit(0)
