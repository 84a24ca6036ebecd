"""Starts a job, once: of any number of calls with the same id one starts it, the others tell how it is.

stdin: ``{"job": ID, "command": TEXT, "script": TEXT or null, "work": DIR, "directory": DIR or null,
"git": {"url", "ref"} or null, "env": {NAME: VALUE}, "max_s": SECONDS or null, "grace_s": SECONDS,
"prepare_s": SECONDS}``; the script is then at ``$GPUBOT_JOB_SCRIPT``. Prints a line about the machine, the job's
status and a closing line, or ``{"error": CODE}`` and exits 1: nothing has been started.
"""
# ruff: noqa: UP006, UP035, UP045

import errno
import os
import re
import select
import shlex
import shutil
import sys
import time
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from bot.remote.scripts.job_files import (
    OUTPUT,
    Record,
    claim_record,
    free_bytes,
    identity,
    make_job_dir,
    read_request,
    say,
    say_report,
    status,
    write_record,
)
from bot.remote.scripts.job_git import GIT_ENVIRONMENT, Checkout, GitFailed, check_out
from bot.remote.scripts.job_keeper import Ended, Keeper, Program, become_keeper
from bot.remote.scripts.job_memory import oom_kills, risen

_ANSWER_WITHIN_S = 2.0
_RETRY_S = 1.0
_RESERVED_BYTES = 4096
_MAX_TEXT_BYTES = 120000  # the kernel takes 128 KiB a string
SCRIPT = "script.py"
NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_NOT_THE_JOBS = ("LC_ALL", "GPUBOT_STDIN_BYTES")


class NotStarted(Exception):
    """The command cannot be begun; ``code`` says why."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


def main() -> int:
    """One start."""
    try:
        request = read_request()
        check(request)
        directory = make_job_dir(request["job"])
        if not (directory / "claim").exists():
            launch(request, directory)
        say_report(status(request["job"]))
    except (ValueError, KeyError, TypeError) as error:
        say({"error": str(error) if isinstance(error, ValueError) else "bad-request"})
        return 1
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        say({"error": "disk-full" if full else "not-possible", "detail": str(error)})
        return 1
    return 0


def check(request: Record) -> None:
    """Refuse what could not be carried, before anything is claimed.

    Raises:
        ValueError: too-long, nul or bad-request.
    """
    texts = [request["command"], request["work"], request["directory"] or "", prelude(request, "")]
    if request["git"]:
        texts += [request["git"]["url"], request["git"]["ref"] or ""]
    if any("\0" in text for text in texts):
        raise ValueError("nul")
    if any(len(text.encode("utf-8", "surrogateescape")) > _MAX_TEXT_BYTES for text in texts):
        raise ValueError("too-long")
    numbers = (request["grace_s"], request["prepare_s"], request["max_s"] or 1)
    if not all(isinstance(number, (int, float)) for number in numbers) or not all(map(NAME.fullmatch, request["env"])):
        raise ValueError("bad-request")


def launch(request: Record, directory: Path) -> None:
    """Fork the keeper, and wait a moment for it to have begun.

    Raises:
        OSError: it could not take the claim: the disk is full, say.
    """
    report_read, report_write = os.pipe()
    sys.stdout.flush()
    if os.fork() == 0:
        try:
            os.close(report_read)
            become_keeper()
            keep(request, directory, report_write)
        finally:
            os._exit(0)
    os.close(report_write)
    until, said = time.monotonic() + _ANSWER_WITHIN_S, b""
    while select.select([report_read], [], [], max(0.0, until - time.monotonic()))[0]:
        piece = os.read(report_read, 4096)
        if not piece:
            break
        said += piece
    if said:
        number = int(said.split()[0])
        raise OSError(number, os.strerror(number))


def keep(request: Record, directory: Path, report: int) -> None:
    """The keeper's whole life. It says on ``report`` why it could not begin; closing it says that it has."""
    try:
        if not claim_record(directory / "claim", identity(os.getpid())):
            return
    except OSError as error:
        os.write(report, str(error.errno).encode("ascii"))
        return
    keeper = Keeper(request["job"], directory, float(request["grace_s"]))
    before = oom_kills()
    try:
        reserve(directory / "exit.draft")
        asked = {name: request.get(name) for name in ("job", "command", "directory", "git", "max_s")}
        if request.get("script"):
            (directory / SCRIPT).write_text(request["script"], encoding="utf-8")
        write_record(directory / "job.json", dict(asked, env=sorted(request["env"]), asked_at=time.time()))
        ended, cwd = begin(request, directory, keeper, report)
        record = how(ended, keeper)
    except NotStarted as error:
        record, cwd = {"not_started": {"code": error.code, "detail": error.detail}}, directory
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        code = "disk-full" if full else "not-possible"
        record, cwd = {"not_started": {"code": code, "detail": str(error)}}, directory
    record.update(
        cause=keeper.cause,
        ended_at=time.time(),
        oom_kills=risen(before, oom_kills()),
        free_bytes=min((found for found in map(free_bytes, (directory, cwd)) if found is not None), default=None),
    )
    write_exit(directory / "exit", record)


def begin(request: Record, directory: Path, keeper: Keeper, report: int) -> Tuple[Ended, Path]:
    """Prepare, then run the command to its end; also where it ran.

    Raises:
        NotStarted: nothing of the command has run.
    """
    work = expanded(request["work"], Path.home())
    checkout = prepare(request, directory, work, keeper)
    cwd = expanded(request["directory"] or "", work if checkout is None else checkout.directory)
    if not cwd.is_dir() or not os.access(str(cwd), os.X_OK):
        raise NotStarted("no-directory", str(cwd))
    shell = shutil.which("bash") or "/bin/sh"
    environment = job_environment(request)
    environment["GPUBOT_PRELUDE"] = prelude(request, str(cwd))
    # A profile may change directories and variables: what was asked for is set after it.
    argv = [shell, "-l", "-c", 'eval "$GPUBOT_PRELUDE"\n' + request["command"]]
    facts = {"directory": str(cwd), "commit": checkout.commit if checkout else None}
    os.close(report)
    if keeper.look_for_kill():
        raise NotStarted("killed")
    ended = keeper.run(Program(argv, environment, cwd, None), request["max_s"], facts)
    return ended, cwd


def prepare(request: Record, directory: Path, work: Path, keeper: Keeper) -> Optional[Checkout]:
    """Make the working directory, and the checkout where one is wanted."""
    if not work.is_dir():
        try:
            work.mkdir(parents=True)
        except FileExistsError:  # a link to a disk that is not there
            raise NotStarted("no-directory", str(work)) from None
    if not request["git"]:
        return None
    if shutil.which("git") is None:
        raise NotStarted("no-git")
    environment = dict(GIT_ENVIRONMENT, **job_environment(request))
    environment.update(request["env"])
    until = time.monotonic() + float(request["prepare_s"])
    answer = directory / "git.out"

    def git(arguments: List[str]) -> Tuple[int, str]:
        answer.write_bytes(b"")
        program = Program(["git", *arguments], environment, work, answer)
        ended = keeper.run(program, max(0.0, until - time.monotonic()))
        if keeper.cause == "kill":
            raise NotStarted("killed")
        if keeper.cause:
            raise NotStarted("git-timeout", arguments[0])
        return ended.status, answer.read_text(encoding="utf-8", errors="replace")

    try:
        return check_out(git, work, request["git"]["url"], request["git"]["ref"] or "")
    except GitFailed as error:
        raise NotStarted("git-" + error.step) from error


def prelude(request: Record, cwd: str) -> str:
    """What the login shell does before the command; it travels in a variable and is seen in no process list."""
    exports = [f"export {name}={shlex.quote(value)}" for name, value in request["env"].items()]
    return "\n".join(["unset GPUBOT_PRELUDE", *exports, f"cd -- {shlex.quote(cwd)} || exit 126", ""])


def job_environment(request: Record) -> Dict[str, str]:
    """The login's environment, without what our own step has put there."""
    found = {name: value for name, value in os.environ.items() if name not in _NOT_THE_JOBS}
    found["PYTHONUNBUFFERED"] = "1"  # or its output comes in pieces of 8 KiB, hours late
    if request.get("script"):
        found["GPUBOT_JOB_SCRIPT"] = str(make_job_dir(request["job"]) / SCRIPT)
    found["GPUBOT_JOB_OUTPUT"] = str(make_job_dir(request["job"]) / OUTPUT)
    return found


def expanded(text: str, base: Path) -> Path:
    """``~`` and ``~/…`` are the home; what is relative is below ``base``."""
    if text == "~" or text.startswith("~/"):
        return Path.home() / text[2:]
    return base / text


def how(ended: Ended, keeper: Keeper) -> Record:
    """How the command ended, as plain values; seconds and bytes."""
    exited = os.WIFEXITED(ended.status)
    return {
        "code": os.WEXITSTATUS(ended.status) if exited else None,
        "signal": None if exited else os.WTERMSIG(ended.status),
        "core": os.WCOREDUMP(ended.status),
        "ran_s": round(ended.ran_s, 3),
        "cpu_s": round(ended.usage.ru_utime + ended.usage.ru_stime, 3),
        "max_rss_bytes": ended.usage.ru_maxrss * 1024,
        "left_running": keeper.left_running(),
    }


def reserve(draft: Path) -> None:
    """Room for the exit record while there is some: a job that fills the disk is to be told all the same."""
    fd = os.open(str(draft), os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.write(fd, b" " * _RESERVED_BYTES)
        os.fsync(fd)
    finally:
        os.close(fd)


def write_exit(path: Path, record: Record) -> None:
    """Write it, however long the disk stays full; not once somebody has deleted the job's directory."""
    while path.parent.is_dir():
        try:
            write_record(path, record)
        except OSError:
            time.sleep(_RETRY_S)  # noqa: TID251 - on the machine, where nothing else is to be waited for
        else:
            return


if __name__ == "__main__":
    sys.exit(main())
