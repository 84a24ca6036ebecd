"""Has a job ended: SIGTERM to all of its processes, SIGKILL to what is left after a grace. Does not wait for it.

stdin: ``{"job": ID, "by": WHO, "grace_s": SECONDS}``. Repeatable: the first call's name and grace stay. A job that
was never started is not started any more. Prints what `start_job.py` prints.
"""
# ruff: noqa: UP045

import errno
import os
import signal
import sys
import time
from pathlib import Path
from typing import Optional

from bot.remote.scripts.job_files import (
    Record,
    claim_record,
    is_alive,
    make_job_dir,
    read_record,
    read_request,
    say,
    say_report,
    status,
    write_record,
)
from bot.remote.scripts.job_keeper import END, LOOK, become_keeper
from bot.remote.scripts.job_processes import ask_to_end, end_for_sure, members

_LOOK_S = 0.1


def main() -> int:
    """One kill."""
    try:
        request = read_request()
        directory = make_job_dir(request["job"])
        end(request["job"], directory, {"by": request["by"], "grace_s": request["grace_s"], "at": time.time()})
        say_report(status(request["job"]))
    except (ValueError, KeyError, TypeError) as error:
        say({"error": str(error) if isinstance(error, ValueError) else "bad-request"})
        return 1
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        say({"error": "disk-full" if full else "not-possible", "detail": str(error)})
        return 1
    return 0


def end(job_id: str, directory: Path, wish: Record) -> None:
    """See to it that it ends, whoever is there to do it."""
    is_new = not (directory / "claim").exists()
    if is_new and claim_record(directory / "claim", {"pid": 0, "ticks": None, "boot": None}):
        code = {"code": "killed", "detail": ""}
        claim_record(directory / "kill", wish)
        write_record(directory / "exit", {"not_started": code, "cause": "kill", "ended_at": time.time()})
        return
    number = LOOK
    try:
        claim_record(directory / "kill", wish)
    except OSError:
        number = END  # a job that fills the disk has to end all the same
    keeper = read_record(directory / "claim")
    if keeper and is_alive(keeper):
        os.kill(int(keeper["pid"]), number)
        return
    main_process = read_record(directory / "pid")
    if members(job_id, main_process):
        sys.stdout.flush()
        if os.fork() == 0:
            try:
                become_keeper()
                end_without_keeper(job_id, main_process, float(wish["grace_s"]))
            finally:
                os._exit(0)


def end_without_keeper(job_id: str, main_process: Optional[Record], grace_s: float) -> None:
    """The keeper's work, where it was killed itself or has ended before what the job left behind."""
    ask_to_end(members(job_id, main_process))
    until = time.monotonic() + grace_s
    while members(job_id, main_process):
        if time.monotonic() >= until:
            end_for_sure(job_id, main_process)
            return
        signal.sigtimedwait([signal.SIGCHLD], _LOOK_S)


if __name__ == "__main__":
    sys.exit(main())
