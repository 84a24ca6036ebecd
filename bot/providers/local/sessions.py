"""What a login runs: commands and shells as sshd would start them."""

import asyncio
import contextlib
import fcntl
import os
import signal
import subprocess
import termios
from collections.abc import Callable

import asyncssh
from asyncssh.packet import SSHPacket

from bot.providers.local.environment import login_environment
from bot.providers.local.feeding import feed
from bot.providers.local.places import Place
from bot.providers.local.state import MachineState

SHELL = "/bin/bash"
_LAST_OUTPUT_S = 0.5
_CLIENT_MAY_SET = ("LANG", "LC_")


class Sessions:
    """Starts the processes of all sessions and tells clients how they ended."""

    def __init__(self, place: Place, state: MachineState, exits: dict[int, asyncio.Future[int]]) -> None:
        self._place, self._exits = place, exits
        self._environment = login_environment(place, state, SHELL)
        # The library refuses a command that is not UTF-8; file names on a command line may be any bytes.
        asyncssh.SSHServerChannel._process_exec_request = _exec_request  # type: ignore[method-assign, assignment]

    async def serve(self, session: asyncssh.SSHServerProcess[bytes]) -> None:
        """Run one session to its end."""
        try:
            if session.term_type is None:
                await self._run_on_pipes(session)
            else:
                await self._run_on_terminal(session)
        except (OSError, asyncssh.Error):
            with contextlib.suppress(OSError, asyncssh.Error):
                session.exit(255)
        with contextlib.suppress(OSError, asyncssh.Error):
            await session.wait_closed()

    async def _run_on_pipes(self, session: asyncssh.SSHServerProcess[bytes]) -> None:
        child, ended = self._start(session, subprocess.PIPE, subprocess.PIPE, subprocess.PIPE)
        assert child.stdin is not None  # noqa: S101 - for the type checker: it was asked for
        feeding = asyncio.create_task(feed(session, os.dup(child.stdin.fileno()), child.pid))
        child.stdin.close()
        await session.redirect(stdout=child.stdout, stderr=child.stderr, send_eof=False)
        status = await ended
        feeding.cancel()
        # Whoever still holds the streams keeps the channel open, as with sshd.
        with contextlib.suppress(OSError):
            await session.stdout.drain()
            await session.stderr.drain()
        _report(session, status)

    async def _run_on_terminal(self, session: asyncssh.SSHServerProcess[bytes]) -> None:
        ours, theirs = os.openpty()

        def take_terminal() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        try:
            child, ended = self._start(session, theirs, theirs, theirs, take_terminal)
        finally:
            os.close(theirs)
        session.set_redirect_pid(-child.pid)
        await session.redirect(os.dup(ours), ours, send_eof=False)
        status = await ended
        session.set_redirect_pid(None)
        with contextlib.suppress(OSError, TimeoutError):
            await asyncio.wait_for(session.stdout.drain(), _LAST_OUTPUT_S)
        _report(session, status)

    def _start(
        self,
        session: asyncssh.SSHServerProcess[bytes],
        stdin: int,
        stdout: int,
        stderr: int,
        before_exec: Callable[[], None] | None = None,
    ) -> tuple[subprocess.Popen[bytes], asyncio.Future[int]]:
        command = session.command
        as_given = [] if command is None else [b"-c", command.encode("utf-8", "surrogateescape")]
        child = subprocess.Popen(
            [b"bash", *as_given] if as_given else [b"-bash"],
            bufsize=0,
            executable=SHELL,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=self._place.home,
            env={**self._environment, **_of_this_session(session)},
            start_new_session=True,
            preexec_fn=before_exec,  # noqa: PLW1509 - this process has one thread
        )
        child.returncode = 0  # its status is taken by the server for all children alike, never by this object
        ended = asyncio.get_running_loop().create_future()
        self._exits[child.pid] = ended
        return child, ended


def _of_this_session(session: asyncssh.SSHServerProcess[bytes]) -> dict[str, str]:
    peer, here = session.get_extra_info("peername"), session.get_extra_info("sockname")
    found = {name: value for name, value in session.env.items() if name.startswith(_CLIENT_MAY_SET)}
    found["SSH_CLIENT"] = f"{peer[0]} {peer[1]} {here[1]}"
    found["SSH_CONNECTION"] = f"{peer[0]} {peer[1]} {here[0]} {here[1]}"
    if session.term_type is not None:
        found["TERM"] = session.term_type or "dumb"
    return found


def _report(session: asyncssh.SSHServerProcess[bytes], status: int) -> None:
    with contextlib.suppress(OSError, asyncssh.Error):
        if os.WIFSIGNALED(status):
            name = signal.Signals(os.WTERMSIG(status)).name.removeprefix("SIG")
            session.exit_with_signal(name, core_dumped=os.WCOREDUMP(status))
        else:
            session.exit(os.WEXITSTATUS(status))


def _exec_request(channel: "asyncssh.SSHServerChannel[bytes]", packet: SSHPacket) -> bool:
    command = packet.get_string()
    packet.check_end()
    return channel._start_session(command=command.decode("utf-8", "surrogateescape"))
