"""The keeper of a job: starts its command, outlives every connection, ends it when told to, and writes how it ended."""
# ruff: noqa: UP006, UP035, UP045

import ctypes
import os
import signal
import time
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional

from bot.remote.scripts.job_files import OUTPUT, Record, identity, read_record, write_record
from bot.remote.scripts.job_processes import MARK, ask_to_end, end_for_sure, members

LOOK, END = signal.SIGUSR1, signal.SIGUSR2
"""What a keeper is told by: a ``kill`` record is there; or, where a full disk takes none, end it without one."""
_WAKES = (signal.SIGCHLD, LOOK, END)
_IGNORED = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGTSTP)
_PR_SET_NAME, _PR_SET_CHILD_SUBREAPER = 15, 36
_LONGEST_SLEEP_S = 30.0
_ENDING_LOOK_S = 0.1
_UNKILLABLE_AFTER_S = 15.0
NOT_EXECUTED = 127


class Program(NamedTuple):
    """What to run; ``output`` None: into the job's log. stderr goes into the log in any case."""

    argv: List[str]
    environment: Dict[str, str]
    directory: Path
    output: Optional[Path]


class Ended(NamedTuple):
    """As `os.wait4` tells it."""

    status: int
    usage: Any
    ran_s: float


def become_keeper() -> None:
    """Own session, no terminal, no streams, deaf to what ends sessions; orphans of the job come to us."""
    os.setsid()
    # Before anybody can learn of us: a kill that came earlier would end us instead of the job.
    signal.pthread_sigmask(signal.SIG_BLOCK, _WAKES)
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    try:
        libc = ctypes.CDLL(None)
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.prctl(_PR_SET_NAME, b"gpubot-job", 0, 0, 0)
    except (OSError, AttributeError):
        return  # without it orphans are still known by session and mark


class Keeper:
    """Runs programs of one job, one after the other. ``cause`` is why it is ending them: kill, max, or empty."""

    def __init__(self, job_id: str, directory: Path, grace_s: float) -> None:
        self.cause = ""
        self._job_id, self._directory, self._grace_s = job_id, directory, grace_s
        self._main: Optional[Record] = None
        self._kill_at = self._give_up_at = 0.0

    def run(self, program: Program, limit_s: Optional[float], facts: Optional[Record] = None) -> Ended:
        """Run it to its end, or to that of all of the job's processes where they have to be ended.

        With ``facts`` it is the job's command: its ``pid`` record is written, with these, before it begins.
        """
        go_read, go_write = os.pipe()
        began = time.monotonic()
        pid = os.fork()
        if pid == 0:
            os.close(go_write)
            self._become(program, go_read)
        os.close(go_read)
        self._main = identity(pid)
        try:
            if facts is not None:
                write_record(self._directory / "pid", dict(facts, started_at=time.time(), **self._main))
            os.write(go_write, b"g")
        finally:
            os.close(go_write)  # without its go the child ends and nothing has run
        return self._wait(pid, began, None if limit_s is None else began + limit_s)

    def look_for_kill(self) -> bool:
        """Whether the job is wanted to end; what runs is told so."""
        wanted = None if self.cause else read_record(self._directory / "kill")
        if wanted is not None:
            self._begin_to_end("kill", wanted.get("grace_s"))
        return bool(self.cause)

    def left_running(self) -> int:
        """How many of the job's processes there still are."""
        return len(members(self._job_id, self._main, os.getpid()))

    def _become(self, program: Program, go: int) -> None:
        """In the child: never returns."""
        try:
            os.setsid()
            for number in (*_IGNORED, signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
            log = os.open(str(self._directory / OUTPUT), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            os.dup2(log, 2)
            out = log if program.output is None else os.open(str(program.output), os.O_WRONLY | os.O_CREAT, 0o600)
            os.dup2(out, 1)
            os.chdir(str(program.directory))
            if os.read(go, 1):
                environment = dict(program.environment)
                environment[MARK] = self._job_id
                os.execvpe(program.argv[0], program.argv, environment)  # noqa: S606
        except OSError as error:
            os.write(2, f"gpubot: {program.argv[0]}: {error.strerror}\n".encode("utf-8", "replace"))
        finally:
            os._exit(NOT_EXECUTED)

    def _wait(self, main: int, began: float, until: Optional[float]) -> Ended:
        ended: Optional[Ended] = None
        while True:
            ended = self._reap(main, began) or ended
            now = time.monotonic()
            if self.cause:
                if ended is not None and (not self.left_running() or now > self._give_up_at):
                    return ended
                if now >= self._kill_at:
                    end_for_sure(self._job_id, self._main, os.getpid())
                    self._kill_at = time.monotonic() + _UNKILLABLE_AFTER_S  # what waits for a dead disk hears later
                    continue
                signal.sigtimedwait(_WAKES, _ENDING_LOOK_S)
            elif ended is not None:
                return ended
            else:
                if until is not None and now >= until:
                    self._begin_to_end("max")
                    continue
                left_s = _LONGEST_SLEEP_S if until is None else min(_LONGEST_SLEEP_S, until - now)
                woken = signal.sigtimedwait(_WAKES, left_s)
                if not self.look_for_kill() and woken is not None and woken.si_signo == END:
                    self._begin_to_end("kill")

    def _reap(self, main: int, began: float) -> Optional[Ended]:
        ended = None
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return ended
            if pid == 0:
                return ended
            if pid == main:
                ended = Ended(status, usage, time.monotonic() - began)

    def _begin_to_end(self, cause: str, grace_s: Optional[float] = None) -> None:
        self.cause = cause
        grace_s = self._grace_s if grace_s is None else float(grace_s)
        self._kill_at = time.monotonic() + grace_s
        self._give_up_at = self._kill_at + _UNKILLABLE_AFTER_S
        if self._main is not None:
            ask_to_end(members(self._job_id, self._main, os.getpid()))
