"""What job steps print, as values; any text can be read."""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from typing import Any

from bot.domain.jobs.files_seen import NO_FILES, FilesSeen, read_files


class Seen(StrEnum):
    """How the machine says that a job is."""

    ABSENT = "absent"
    STARTING = "starting"
    RUNNING = "running"
    FINISHING = "finishing"
    ENDED = "ended"
    REBOOTED = "rebooted"
    LOST = "lost"
    NEVER_STARTED = "never-started"


@dataclass(frozen=True, slots=True)
class ExitRecord:
    """How the command ended, as its keeper wrote it down. All may be missing but what the defaults say."""

    code: int | None = None
    signal: int | None = None
    core: bool = False
    cause: str = ""
    """Why the keeper ended it: kill, max, or empty."""
    not_started: str = ""
    """Why the command never ran: killed, no-directory, no-git, git-clone, git-checkout, git-timeout, disk-full, …"""
    detail: str = ""
    ran_s: float | None = None
    oom_kills: int = 0
    free_bytes: int | None = None
    """Room on the fullest of the disks that it wrote to, when it ended."""
    left_running: int = 0
    max_rss_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class JobStatus:
    """One job as seen on its machine. ``output`` are the bytes from ``offset_bytes`` on; ``size_bytes`` is all."""

    job_id: str
    seen: Seen
    has_keeper: bool = False
    started_ago_s: float | None = None
    ended_ago_s: float | None = None
    directory: str = ""
    commit: str = ""
    killed_by: str = ""
    exit: ExitRecord | None = None
    size_bytes: int | None = None
    offset_bytes: int = 0
    output: bytes = b""
    files: FilesSeen = NO_FILES


@dataclass(frozen=True, slots=True)
class Report:
    """All that one step printed. ``error`` is its code where it did nothing: no-python3, stdin-cut, disk-full, …"""

    jobs: Mapping[str, JobStatus] = field(default_factory=dict)
    boot: str = ""
    free_bytes: int | None = None
    error: str = ""
    detail: str = ""
    is_complete: bool = False


def read_report(text: str) -> Report:
    """What is in the text; lines that are none of ours are passed over, what is missing stays unknown."""
    jobs: dict[str, JobStatus] = {}
    boot, free_bytes, error, detail, ends = "", None, "", "", False
    for line in _lines(text):
        if "machine" in line:
            boot, free_bytes = _text(line.get("boot")), _number(line.get("free_bytes"))
        elif "end" in line:
            ends = True
        elif "error" in line:
            error, detail = _text(line["error"]) or "unknown", _text(line.get("detail"))
        elif (status := _status(line)) is not None:
            jobs[status.job_id] = status
    return Report(jobs, boot, free_bytes, error, detail, ends and not error)


def _lines(text: str) -> Iterator[dict[str, Any]]:
    for line in text.split("\n"):
        if not line.startswith("{"):
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found


def _status(line: dict[str, Any]) -> JobStatus | None:
    job_id, state = line.get("job"), line.get("state")
    if not isinstance(job_id, str) or not job_id or not isinstance(state, str) or state not in list(Seen):
        return None
    exited, kill = line.get("exit"), line.get("kill")
    return JobStatus(
        job_id=job_id,
        seen=Seen(state),
        has_keeper=line.get("keeper") is True,
        started_ago_s=_seconds(line.get("started_ago_s")),
        ended_ago_s=_seconds(line.get("ended_ago_s")),
        directory=_text(line.get("directory")),
        commit=_text(line.get("commit")),
        killed_by=_text(kill.get("by")) if isinstance(kill, dict) else "",
        exit=_exit(exited) if isinstance(exited, dict) else None,
        size_bytes=_number(line.get("size")),
        offset_bytes=_number(line.get("offset")) or 0,
        output=_bytes(line.get("output")),
        files=read_files(line),
    )


def _exit(found: dict[str, Any]) -> ExitRecord:
    reason, kills = found.get("not_started"), found.get("oom_kills")
    reason = reason if isinstance(reason, dict) else {}
    counts = [_number(count) or 0 for count in kills.values()] if isinstance(kills, dict) else []
    return ExitRecord(
        code=_number(found.get("code")),
        signal=_number(found.get("signal")),
        core=found.get("core") is True,
        cause=_text(found.get("cause")),
        not_started=_text(reason.get("code")),
        detail=_text(reason.get("detail")),
        ran_s=_seconds(found.get("ran_s")),
        oom_kills=max([0, *counts]),
        free_bytes=_number(found.get("free_bytes")),
        left_running=_number(found.get("left_running")) or 0,
        max_rss_bytes=_number(found.get("max_rss_bytes")),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63 else None


def _seconds(value: object) -> float | None:
    """Machines' clocks are set back at times: what is in the future is now."""
    if not isinstance(value, int | float) or isinstance(value, bool) or abs(value) > 1e9 or not isfinite(value):
        return None
    return max(0.0, float(value))


def _bytes(value: object) -> bytes:
    try:
        return base64.b64decode(value, validate=True) if isinstance(value, str) else b""
    except (binascii.Error, ValueError):
        return b""
