"""Files that trainers write, below the directory in which a job runs: found, and read piece by piece.

A file counts for one job only if it changed since the job began. Where another job ran in that directory (or above or
below it) meanwhile, nobody can tell whose a file is: nothing is found then.
"""
# ruff: noqa: UP006, UP035

import base64
import os
import re
import stat
import time
import zlib
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

from bot.remote.scripts.job_files import Record, job_dir, jobs_dir, read_record

MOST_DEPTH = 6
MOST_ENTRIES = 20000
MOST_IN_FOLDER = 5000
MOST_FOUND = 1000
WALK_S = 1.0
MOST_DOCUMENT_BYTES = 16 * 1024 * 1024
MOST_TAIL_BYTES = 8 * 1024 * 1024
LEAST_TAIL_BYTES = 256 * 1024
MOST_PACKED_BYTES = 1024 * 1024
_PASSED_OVER = ("node_modules", "__pycache__", "site-packages")


def look_at_files(job_id: str, state: str, asked: Record, piece_bytes: int, left_bytes: int) -> Tuple[Record, int]:
    """What is to be told of a job's files, and how many bytes of them that is: a piece of each, ``left_bytes`` of all.

    ``asked``: ``{"find": "yes" | "at-end" | "no", "names": REGEX, "read": [{"path", "inode", "offset"} or
    {"path", "version"}, ...]}``.
    """
    directory = job_dir(job_id)
    main, ended = read_record(directory / "pid") or {}, read_record(directory / "exit") or {}
    if not main.get("directory") or not main.get("started_at"):
        return {}, 0
    root, since = Path(main["directory"]), float(main["started_at"])
    until = float(ended.get("ended_at") or time.time())
    if _is_shared(root, since, until, job_id):
        return {"files": [], "pieces": [{"path": wanted["path"], "gone": True} for wanted in asked["read"]]}, 0
    told: Record = {}
    if asked["find"] == "yes" or (asked["find"] == "at-end" and state == "ended"):
        told["files"] = _found(root, since, re.compile(asked["names"]))
    left, pieces = left_bytes, []
    for wanted in asked["read"]:
        piece = _piece(root, wanted, min(piece_bytes, left), left)
        left -= len(piece.get("output") or piece.get("document") or "") * 3 // 4
        pieces.append(piece)
    if pieces:
        told["pieces"] = pieces
    return told, left_bytes - left


def _found(root: Path, since: float, names: "re.Pattern[str]") -> List[Record]:
    now, found = time.time(), []
    for path, seen in _walk(root):
        if seen.st_mtime >= since and names.fullmatch(path.rpartition("/")[2]):
            found.append(dict(_facts(seen, now), path=path))
    return found[:MOST_FOUND]


def _is_shared(root: Path, since: float, until: float, job_id: str) -> bool:
    """Whether another job ran between these times in this directory, above or below it."""
    for folder in os.scandir(str(jobs_dir())):
        path = Path(folder.path)
        try:
            if folder.name == job_id or (path / "exit").stat().st_mtime < since:
                continue
        except OSError:
            pass  # it runs
        other = read_record(path / "pid") or {}
        if other.get("directory") and (other.get("started_at") or 0) <= until:
            theirs = Path(other["directory"])
            if theirs == root or theirs in root.parents or root in theirs.parents:
                return True
    return False


def _walk(root: Path) -> Iterator[Tuple[str, os.stat_result]]:
    """Regular files, the shallow ones first; no links, nothing hidden; bounded in depth, number and time."""
    until, seen = time.monotonic() + WALK_S, 0
    level = [""]
    for _ in range(MOST_DEPTH):
        below: List[str] = []
        for folder in level:
            try:
                entries = os.scandir(str(root / folder))
            except OSError:
                continue
            with entries:
                for number, entry in enumerate(entries):
                    seen += 1
                    if seen > MOST_ENTRIES or time.monotonic() > until:
                        return
                    if number >= MOST_IN_FOLDER:
                        break
                    if entry.name.startswith(".") or not _is_text(entry.name):
                        continue
                    path = folder + entry.name
                    try:
                        if entry.is_dir(follow_symlinks=False):
                            if entry.name not in _PASSED_OVER:
                                below.append(path + "/")
                        elif entry.is_file(follow_symlinks=False):
                            yield path, entry.stat(follow_symlinks=False)
                    except OSError:
                        continue
        level = sorted(below)


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _piece(root: Path, wanted: Dict[str, object], piece_bytes: int, left_bytes: int) -> Record:
    path = str(wanted["path"])
    told: Record = {"path": path}
    if path.startswith("/") or ".." in path.split("/"):
        return dict(told, gone=True)
    try:
        fd = os.open(str(root / path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return dict(told, gone=True)
    with os.fdopen(fd, "rb"):
        seen = os.fstat(fd)
        if not stat.S_ISREG(seen.st_mode):
            return dict(told, gone=True)
        told.update(_facts(seen, time.time()))
        try:
            if "version" in wanted:
                told.update(_document(fd, seen, str(wanted["version"]), left_bytes))
            elif told["inode"] == wanted["inode"] and int(str(wanted["offset"])) <= seen.st_size:
                offset = int(str(wanted["offset"]))
                piece = os.pread(fd, max(0, min(piece_bytes, seen.st_size - offset)), offset)
                told.update(offset=offset, output=base64.b64encode(piece).decode("ascii"))
        except OSError:
            return dict(told, gone=True)
    return told


def _document(fd: int, seen: os.stat_result, known: str, left_bytes: int) -> Record:
    """The whole file, packed, unless it is known; of one that is too big its end, and where that begins. One that
    changes while it is read is left for the next time."""
    version = _version(seen)
    if version == known:
        return {}
    length = seen.st_size if seen.st_size <= MOST_DOCUMENT_BYTES else MOST_TAIL_BYTES
    content = os.pread(fd, length, seen.st_size - length)
    if _version(os.fstat(fd)) != version:
        return {"trouble": "later"}
    packed = zlib.compress(content, 6)
    while len(packed) > MOST_PACKED_BYTES and length > LEAST_TAIL_BYTES:
        length = min(length // 2, MOST_TAIL_BYTES)
        packed = zlib.compress(content[-length:], 6)
    if len(packed) > left_bytes:
        return {"trouble": "later"}
    return {"document": base64.b64encode(packed).decode("ascii"), "offset": seen.st_size - length}


def _facts(seen: os.stat_result, now: float) -> Record:
    return {
        "size": seen.st_size,
        "inode": str(seen.st_ino),
        "version": _version(seen),
        "changed_ago_s": round(now - seen.st_mtime, 3),
    }


def _version(seen: os.stat_result) -> str:
    return f"{seen.st_ino}-{seen.st_size}-{seen.st_mtime_ns}"
