"""What job steps are sent on stdin: see the scripts in ``bot/remote/scripts`` for what they do with it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from bot.domain.jobs.ending import BY_LIMIT
from bot.domain.jobs.job import Job
from bot.domain.jobs.run_file import RunFile, files_request
from bot.domain.jobs.timing import JobTiming
from bot.domain.metrics.files import NAMES


def start_request(job: Job, env: Mapping[str, str], work: str, timing: JobTiming, script: str | None = None) -> bytes:
    """For `Step.START_JOB`. ``env`` holds the values; ``work`` is where jobs run by default: ``~/work``, say.

    ``script`` is the text of `Job.script`.
    """
    return _packed(
        {
            "job": job.id,
            "command": job.command,
            "script": script,
            "work": work,
            "directory": job.directory,
            "git": None if job.git is None else {"url": job.git.url, "ref": job.git.ref},
            "env": dict(env),
            "max_s": job.max_s,
            "grace_s": timing.grace_s,
            "prepare_s": timing.prepare_s,
        }
    )


def poll_request(
    jobs: Iterable[Job],
    timing: JobTiming,
    files: Mapping[str, Sequence[RunFile]] = MappingProxyType({}),
    now: datetime | None = None,
) -> bytes:
    """For `Step.POLL_JOB`: all jobs of one machine, each from where its output was taken to.

    ``files``: per job those that are known; a job that is no key is not asked for any. ``now`` decides whether its
    directory is looked through; at its end it always is.
    """
    asked: list[dict[str, object]] = []
    for job in jobs:
        one: dict[str, object] = {"job": job.id, "offset": job.offset_bytes}
        if job.id in files:
            is_due = now is not None and (job.find_files_at is None or job.find_files_at <= now)
            find = "no" if not job.is_live else "yes" if is_due else "at-end"
            one["files"] = {"find": find, "names": NAMES, "read": files_request(files[job.id])}
        asked.append(one)
    return _packed({"jobs": asked, "limit_bytes": timing.piece_bytes, "total_bytes": timing.poll_bytes})


def tail_request(job: Job, last_bytes: int) -> bytes:
    """For `Step.POLL_JOB`: the end of one job's output, whatever was taken of it."""
    return _packed(
        {"jobs": [{"job": job.id, "offset": -last_bytes}], "limit_bytes": last_bytes, "total_bytes": last_bytes}
    )


def piece_request(job: Job, offset: int, limit_bytes: int) -> bytes:
    """For `Step.POLL_JOB`: one piece of one job's output, whatever was taken of it."""
    return _packed(
        {"jobs": [{"job": job.id, "offset": offset}], "limit_bytes": limit_bytes, "total_bytes": limit_bytes}
    )


def kill_request(job: Job, timing: JobTiming) -> bytes:
    """For `Step.KILL_JOB`, in the name of who wanted it: a person, or the job's own limit."""
    return _packed({"job": job.id, "by": job.kill_wanted_by or BY_LIMIT, "grace_s": timing.grace_s})


def _packed(request: Mapping[str, object]) -> bytes:
    return json.dumps(request).encode("ascii")
