"""The bot as a process of its own, that need not import everything anew: a second and a half of work per start."""

import os
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol

_HOME = Path(__file__).parents[2]
_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload([__name__, "bot.__main__", "bot.bootstrap", "alembic.command"])


class BotProcess(Protocol):
    """What tests ask of a bot's process; both kinds below have it."""

    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def kill(self) -> None: ...
    def send_signal(self, sig: int, /) -> None: ...


def command(environment: dict[str, str], log: Path) -> BotProcess:
    """``python -m bot run``, as an operator starts it."""
    with log.open("ab") as out:
        return subprocess.Popen(
            [sys.executable, "-m", "bot", "run"], env=environment, stdout=out, stderr=out, cwd=_HOME
        )


class ForkedBot:
    """The same, forked from a process that has done nothing but the imports (one such per pytest process)."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        self._process = _FORKS.Process(target=_run, args=(environment, str(log)), daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("bot run", timeout or 0)
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def send_signal(self, sig: int, /) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)


def _run(environment: dict[str, str], log: str) -> None:
    """Become the bot; what the command line does from here on is all real."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(_HOME)
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(out, 1)
    os.dup2(out, 2)
    from bot.__main__ import cli

    cli(["run"])
