"""Connections between steps."""

import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

import psutil
import pytest

from bot.errors import StepTimedOut, Unreachable
from bot.remote.ssh import SshRemote
from tests.remote.servers import AsyncsshServer, Sshd, wait_until


def echo(remote: SshRemote, server: Sshd | AsyncsshServer, deadline_s: float = 20) -> None:
    assert remote.run_script(server.login(), "echo hello", (), b"", deadline_s).text == "hello\n"


def test_steps_in_a_row_share_a_connection(remote: SshRemote, asyncssh_server: AsyncsshServer) -> None:
    for _ in range(5):
        echo(remote, asyncssh_server)
    assert len(asyncssh_server.connections) == 1


def test_every_step_of_a_kept_connection_has_its_end(remote: SshRemote, sshd: Sshd) -> None:
    script = "tr '\\0' ' ' < /proc/$PPID/cmdline"
    said = [remote.run_script(sshd.login(), script, (), b"", seconds).text for seconds in (20, 30)]
    assert [text.split(" sh -c ")[0] for text in said] == ["timeout -k 2 22", "timeout -k 2 32"]


def test_an_idle_connection_is_closed(asyncssh_server: AsyncsshServer) -> None:
    remote = SshRemote(idle_s=0.1)
    echo(remote, asyncssh_server)
    wait_until(asyncssh_server.connections[0].is_closed)
    echo(remote, asyncssh_server)
    assert len(asyncssh_server.connections) == 2
    remote.close()


def test_forget_and_close_end_it(remote: SshRemote, asyncssh_server: AsyncsshServer) -> None:
    echo(remote, asyncssh_server)
    remote.forget(asyncssh_server.login("ssh-ed25519 whatever").address)
    wait_until(asyncssh_server.connections[0].is_closed)
    echo(remote, asyncssh_server)
    remote.close()
    wait_until(asyncssh_server.connections[1].is_closed)
    with pytest.raises(Unreachable):
        echo(remote, asyncssh_server)


def test_only_so_many_are_kept(asyncssh_server: AsyncsshServer, sshd: Sshd) -> None:
    remote = SshRemote(keep_at_most=1)
    echo(remote, asyncssh_server)
    echo(remote, sshd)
    wait_until(asyncssh_server.connections[0].is_closed)
    remote.close()


def test_a_restarted_server_is_not_noticed_by_the_caller(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    sshd = start_sshd()
    echo(remote, sshd)
    sshd.stop()
    sshd.start()
    echo(remote, sshd)


def test_a_kept_connection_that_went_silent_is_left_in_time(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    sshd = start_sshd()
    echo(remote, sshd)
    sessions = sshd.family()[1:]
    assert sessions
    for session in sessions:
        with suppress(psutil.NoSuchProcess):  # the step that has just ended
            session.suspend()
    began = monotonic()
    echo(remote, sshd, deadline_s=3)
    assert monotonic() - began < 3
    for session in sessions:
        with suppress(psutil.NoSuchProcess):
            session.resume()


def test_a_step_that_times_out_ends_no_other(remote: SshRemote, sshd: Sshd) -> None:
    texts: list[str] = []

    def patient() -> None:
        script = "sleep 1.2; echo through"
        texts.append(remote.run_script(sshd.login(), script, (), b"", 20).text)

    echo(remote, sshd)
    thread = threading.Thread(target=patient)
    thread.start()
    with pytest.raises(StepTimedOut):
        remote.run_script(sshd.login(), "sleep 20", (), b"", 0.8)
    thread.join(20)
    assert texts == ["through\n"]


def test_forget_frees_a_step_that_runs(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    sshd = start_sshd()
    stages: list[str] = []

    def run() -> None:
        try:
            remote.run_script(sshd.login(), "touch started; sleep 20", (), b"", 20)
        except Unreachable as error:
            stages.append(error.stage)

    thread = threading.Thread(target=run)
    thread.start()
    wait_until((sshd.home / "started").exists)
    remote.forget(sshd.login().address)
    thread.join(10)
    assert stages == ["session"]
