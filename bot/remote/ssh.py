"""The port `bot.ports.remote.Remote` over paramiko."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

from bot.domain.instance import SshAddress
from bot.errors import RemoteError, StepTimedOut
from bot.ports.remote import Login, Step, StepOutput
from bot.remote.bundle import bundle, starter
from bot.remote.connection import Connection, connect
from bot.remote.deadline import Deadline
from bot.remote.envelope import seal
from bot.remote.kept import Kept
from bot.remote.talk import talk
from bot.remote.watchdog import Watchdog

SCRIPTS = Path(__file__).parent / "scripts"
STALE_AFTER_S = 5.0
"""A kept connection that opens no channel for this long is taken for dead: the machine may have vanished."""

LEFT_TO_ITSELF_S = 2
"""How long after the deadline the machine ends a step by itself."""


class SshRemote:
    """Runs steps over SSH; safe to use from any number of threads.

    ``idle_s``: how long an unused connection stays open. ``keep_at_most``: idle connections in all, a thread and
    a descriptor each. ``output_limit_bytes``: what a step may print, login noise included.
    """

    def __init__(
        self, *, idle_s: float = 90.0, keep_at_most: int = 256, output_limit_bytes: int = 4 * 1024 * 1024
    ) -> None:
        self._watchdog = Watchdog()
        self._kept = Kept(self._watchdog, idle_s, keep_at_most)
        self._output_limit_bytes = output_limit_bytes

    def run(self, login: Login, step: Step, args: tuple[str, ...], stdin: bytes, deadline_s: float) -> StepOutput:
        """See `bot.ports.remote.Remote.run`.

        Raises:
            RemoteError: plain, where the lease's own key cannot be read.
            ValueError: an argument holds a NUL.
        """
        script, ahead_of_stdin = read_script(step)
        return self.run_script(login, script, args, ahead_of_stdin + stdin, deadline_s)

    def run_script(
        self, login: Login, script: str, args: tuple[str, ...], stdin: bytes, deadline_s: float
    ) -> StepOutput:
        """As `run`, for a script's text."""
        deadline = Deadline.after(deadline_s)
        envelope = seal(script, args, stdin, secrets.token_hex(16), ceil(deadline_s) + LEFT_TO_ITSELF_S)
        connection, channel = self._open(login, deadline)
        try:
            with self._watchdog.guarding(deadline.at, connection.close):
                opened = talk(connection, channel, envelope, deadline, self._output_limit_bytes)
        except BaseException:
            self._kept.discard(connection)
            raise
        self._kept.give_back(login, connection)
        return StepOutput(opened.text, opened.exit_status, connection.host_key)

    @contextmanager
    def channel(self, login: Login, deadline_s: float) -> Iterator[Any]:
        """A session on which nothing runs yet, for what is no script; whoever is blocked on it is freed when the
        deadline is over. The connection is kept, unless something was raised meanwhile.

        Raises:
            RemoteError: as `run`; `StepTimedOut` instead of what the end of the connection led to.
        """
        deadline = Deadline.after(deadline_s)
        connection, channel = self._open(login, deadline)
        try:
            with self._watchdog.guarding(deadline.at, connection.close):
                yield channel
        except BaseException as error:
            self._kept.discard(connection)
            if isinstance(error, RemoteError) and deadline.passed:
                raise StepTimedOut(deadline.seconds) from error
            raise
        channel.close()
        self._kept.give_back(login, connection)

    def forget(self, address: SshAddress) -> None:
        """Close what is open to that host, port and user; a step that runs there ends as unreachable."""
        self._kept.forget(address)

    def close(self) -> None:
        """Close every connection; steps that run end as unreachable. Repeatable."""
        self._kept.end()
        self._watchdog.end()

    def _open(self, login: Login, deadline: Deadline) -> tuple[Connection, Any]:
        """A channel on a kept connection, or else on a new one; no command has been sent when this repeats."""
        kept = self._kept.take(login)
        if kept is not None:
            within_s = min(STALE_AFTER_S, deadline.seconds / 3)
            try:
                return kept, self._open_channel(kept, deadline, within_s)
            except RemoteError:
                if deadline.passed:
                    raise
        fresh = connect(login, deadline, self._watchdog)
        self._kept.lend(fresh)
        return fresh, self._open_channel(fresh, deadline, deadline.remaining_s)

    def _open_channel(self, connection: Connection, deadline: Deadline, within_s: float) -> Any:
        try:
            with self._watchdog.guarding(deadline.at, connection.close):
                return connection.open_channel(deadline, within_s)
        except BaseException:
            self._kept.discard(connection)
            raise


@cache
def read_script(step: Step) -> tuple[str, bytes]:
    """A shipped script as ``sh`` runs it, and what has to stand before the step's stdin: Python travels there."""
    path = SCRIPTS / step.value
    if path.suffix != ".py":
        return path.read_text(encoding="utf-8"), b""
    program = bundle(path)
    return starter(program), program


def script_text(name: str) -> str:
    """A shipped script that jobs run, as text."""
    return (SCRIPTS / name).read_text(encoding="utf-8")
