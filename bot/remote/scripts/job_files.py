"""A job's directory on the machine, who of its processes is alive, and the one status that every step prints.

``~/.gpubot/jobs/ID``: ``claim`` (who keeps the job; made once, for ever), ``job.json`` (what was asked, values of
variables left out), ``pid`` (the command's process), ``kill`` (who wants it ended), ``exit`` (how it ended) and
``output.log``. A process is told from a later one of the same number by its start and the machine's boot.
"""
# ruff: noqa: UP006, UP035, UP045

import base64
import errno
import json
import os
import re
import sys
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, Optional

Record = Dict[str, Any]
JOB_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
OUTPUT = "output.log"


def jobs_dir() -> Path:
    """Where all jobs' directories are."""
    return Path.home() / ".gpubot" / "jobs"


def job_dir(job_id: str) -> Path:
    """The job's directory, whether or not it exists.

    Raises:
        ValueError: not an id.
    """
    if not JOB_ID.fullmatch(job_id):
        raise ValueError("bad-job-id")
    return jobs_dir() / job_id


def make_job_dir(job_id: str) -> Path:
    """The job's directory, made for its user alone."""
    directory = job_dir(job_id)
    for folder in (directory.parent.parent, directory.parent, directory):
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
    return directory


@lru_cache(maxsize=1)
def boot_id() -> str:
    """Of this boot. A container that starts anew keeps its host's boot: its first process tells it apart."""
    given = os.environ.get("GPUBOT_BOOT_ID")
    if given:
        return given
    kernels = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{kernels}.{start_ticks(1) or 0}"


def start_ticks(pid: int) -> Optional[int]:
    """When the process started, in ticks since the kernel's boot; None where it is none, or a zombie."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    words = text[text.rindex(b")") + 2 :].split()  # the name may hold anything
    return None if words[0] in (b"Z", b"X", b"x") else int(words[19])


def identity(pid: int) -> Record:
    """By what the process is known later."""
    return {"pid": pid, "ticks": start_ticks(pid), "boot": boot_id()}


def is_alive(record: Optional[Record]) -> bool:
    """Whether that very process still runs."""
    if not record or not record.get("pid") or record.get("boot") != boot_id():
        return False
    ticks = record.get("ticks")
    return ticks is not None and start_ticks(int(record["pid"])) == ticks


def read_record(path: Path) -> Optional[Record]:
    """The file's content; empty where it is there and cannot be read; None where it is not there."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write_record(path: Path, record: Record) -> None:
    """Put the record in place, at once and to last. Blocks that a draft of the same name holds are used again."""
    draft = path.with_name(path.name + ".draft")
    fd = os.open(str(draft), os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        text = json.dumps(record).encode("ascii")
        os.pwrite(fd, text, 0)
        os.ftruncate(fd, len(text))
        os.fsync(fd)
    finally:
        os.close(fd)
    draft.rename(path)


def claim_record(path: Path, record: Record) -> bool:
    """Put the record in place unless one is there: of any number of callers, one gets True."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.draft")
    try:
        draft.write_text(json.dumps(record), encoding="ascii")
        os.link(str(draft), str(path))
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
        return _claim_without_links(path, record)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
    return True


def _claim_without_links(path: Path, record: Record) -> bool:
    try:
        fd = os.open(str(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(fd, "wb") as file:
        file.write(json.dumps(record).encode("ascii"))
    return True


def status(job_id: str, offset: int = 0, limit_bytes: int = 0) -> Record:
    """What is known of the job, and up to ``limit_bytes`` of its output from ``offset`` (negative: from the end)."""
    directory = job_dir(job_id)
    claim = read_record(directory / "claim")
    if claim is None:
        return {"job": job_id, "state": "absent"}
    has_keeper = is_alive(claim)  # before the files are read: what it wrote last is not missed then
    main = read_record(directory / "pid")
    runs = is_alive(main)
    ended = read_record(directory / "exit")
    found: Record = {
        "job": job_id,
        "state": _state(has_keeper, main, runs, ended),
        "keeper": has_keeper,
        "kill": read_record(directory / "kill"),
        "exit": ended,
    }
    for name in ("directory", "commit"):
        found[name] = (main or {}).get(name)
    if main and main.get("started_at"):
        found["started_ago_s"] = round(time.time() - main["started_at"], 3)
    if ended and ended.get("ended_at"):
        found["ended_ago_s"] = round(time.time() - ended["ended_at"], 3)
    found.update(_output(directory / OUTPUT, offset, limit_bytes))
    return found


def _state(has_keeper: bool, main: Optional[Record], runs: bool, ended: Optional[Record]) -> str:
    if ended is not None:
        return "ended"
    if has_keeper:
        return "starting" if main is None else "running" if runs else "finishing"
    if main is None:
        return "never-started"  # the command waits for its `pid` file: without one it has not run
    if main.get("boot") not in (None, boot_id()):
        return "rebooted"
    return "running" if runs else "lost"


def _output(path: Path, offset: int, limit_bytes: int) -> Record:
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            offset = max(0, size + offset) if offset < 0 else offset
            file.seek(offset)
            piece = file.read(max(0, min(limit_bytes, size - offset)))
    except OSError:
        return {"size": None, "offset": offset, "output": ""}
    return {"size": size, "offset": offset, "output": base64.b64encode(piece).decode("ascii")}


def read_request() -> Record:
    """The step's stdin.

    Raises:
        ValueError: it was cut on its way, or is not what a step is sent.
    """
    text = sys.stdin.buffer.read()
    promised = os.environ.get("GPUBOT_STDIN_BYTES")
    if promised and len(text) != int(promised):
        raise ValueError("stdin-cut")
    request = json.loads(text.decode("utf-8"))
    if not isinstance(request, dict):
        raise ValueError("bad-request")
    return request


def say(record: Record) -> None:
    """One line of the step's output: plain ASCII."""
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


def say_report(*statuses: Record) -> None:
    """What a step prints at its end: the machine's line, one a job, the closing one."""
    machine = {"machine": 1, "boot": boot_id(), "free_bytes": free_bytes(Path.home())}
    for record in (machine, *statuses, {"end": len(statuses)}):
        say(record)


def free_bytes(path: Path) -> Optional[int]:
    """How much its disk takes yet; None where that cannot be seen."""
    try:
        found = os.statvfs(str(path))
    except OSError:
        return None
    if found.f_files and not found.f_favail:
        return 0
    return found.f_bavail * found.f_frsize
