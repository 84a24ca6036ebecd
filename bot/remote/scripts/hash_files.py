"""Hashes of many files in one command, each bound to the state that the file had before and after it was read.

stdin: one line of JSON ``{"kind": md5|sha1|sha256, "within_s": SECONDS, "bytes": LENGTH OF THE REST}``, then the
paths (``~/…`` or absolute), each ended by NUL. stdout: a line of JSON for each, in any order: ``[NUMBER, SIZE,
MTIME_NS, CTIME_NS, INODE, HASH]`` or ``[NUMBER, REASON]``, and at last ``{"end": HOW MANY}``. What was not reached
in time is left out. A link at the end of a path is not followed, and a pipe not waited for.
"""
# ruff: noqa: UP006, UP035, B905

import errno
import hashlib
import json
import os
import stat
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, Iterator, List, Tuple

from bot.remote.scripts.inventory_output import raw

_WORKERS = 4
_PIECE_BYTES = 1024 * 1024
_FINE_STEP_S, _COARSE_STEP_S = 0.1, 2.1
"""File systems tell times in steps of a few ms, or of two seconds: within one step a second write leaves no trace."""
_REASONS = {
    errno.ENOENT: "gone",
    errno.ENOTDIR: "gone",
    errno.ELOOP: "not-a-file",
    errno.ENXIO: "not-a-file",
    errno.EACCES: "unreadable",
    errno.EPERM: "unreadable",
}


def main() -> int:
    """All hashes that can be had in time."""
    header, _, rest = sys.stdin.buffer.read().partition(b"\n")
    asked: Dict[str, Any] = json.loads(header.decode("ascii"))
    if len(rest) != asked["bytes"]:
        say({"error": "stdin-cut"})
        return 1
    ends_at = time.monotonic() + asked["within_s"]
    home = raw(os.path.expanduser("~"))  # noqa: PTH111 - bytes
    paths = [home + path[1:] if path[:2] == b"~/" else path for path in rest.split(b"\0")[:-1]]
    hasher = Hasher(asked["kind"], ends_at)
    count, again = 0, []  # type: int, List[Tuple[int, bytes]]
    for number, answer in hasher.all(list(enumerate(paths))):
        if answer[:1] == ["changing"]:
            again.append((number, paths[number]))
        else:
            count += 1
            say([number, *answer])
    if again:
        wait_s = min(hasher.settles_in_s, ends_at - time.monotonic())
        threading.Event().wait(max(0.0, wait_s))
    for number, answer in hasher.all(again):
        count += 1
        say([number, *answer])
    say({"end": count})
    return 0


class Hasher:
    """Reads several files at once; the hashing itself lets the others run.

    ``settles_in_s``: how long those that are *changing* have to be left alone at least.
    """

    def __init__(self, kind: str, ends_at: float) -> None:
        self.settles_in_s = 0.0
        self._kind, self._ends_at = kind, ends_at

    def all(self, files: List[Tuple[int, bytes]]) -> Iterator[Tuple[int, List[Any]]]:
        """Number and answer of each that was reached in time."""
        with ThreadPoolExecutor(_WORKERS) as pool:
            for (number, _), answer in zip(files, pool.map(self.one, [path for _, path in files])):
                if answer:
                    yield number, answer

    def one(self, path: bytes) -> List[Any]:
        """Size, mtime_ns, ctime_ns, inode and hash; or a reason; or nothing where the time is over."""
        if time.monotonic() >= self._ends_at:
            return []
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError as error:
            return [_REASONS.get(error.errno or 0, "failed")]
        try:
            before = os.fstat(fd)
            if not stat.S_ISREG(before.st_mode):
                return ["not-a-file"]
            fresh_s = step_s(before.st_ctime_ns) - (time.time() - before.st_ctime)
            if fresh_s > 0:
                self.settles_in_s = max(self.settles_in_s, fresh_s)
                return ["changing"]
            digest = self._read(fd)
            after = os.fstat(fd)
        except OSError:
            return ["failed"]
        finally:
            os.close(fd)
        if not digest:
            return []
        state = [after.st_size, after.st_mtime_ns, after.st_ctime_ns, after.st_ino]
        if state != [before.st_size, before.st_mtime_ns, before.st_ctime_ns, before.st_ino]:
            return ["changing"]
        return [*state, digest]

    def _read(self, fd: int) -> str:
        digest = hashlib.new(self._kind)
        while True:
            if time.monotonic() >= self._ends_at:
                return ""
            piece = os.read(fd, _PIECE_BYTES)
            if not piece:
                return digest.hexdigest()
            digest.update(piece)


def step_s(time_ns: int) -> float:
    """How far apart two times of that file system have to be, to be sure to differ."""
    return _FINE_STEP_S if time_ns % 1_000_000 else _COARSE_STEP_S


def say(line: Any) -> None:
    """One line of the output."""
    sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    sys.exit(main())
