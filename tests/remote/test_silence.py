"""Servers that say nothing, too little, too much or the wrong thing: one deadline holds over all of it."""

import socket
import threading
from collections.abc import Callable
from time import monotonic

import pytest

from bot.domain.instance import SshAddress
from bot.errors import StepGarbled, StepTimedOut, Unreachable
from bot.ports.remote import Login
from bot.remote.ssh import SshRemote
from tests.remote.servers import Key, Sshd, raw_server, runs, wait_until

BANNER = b"SSH-2.0-Odd_1.0\r\n"
Handler = Callable[[socket.socket, threading.Event], None]


def silent(_connection: socket.socket, ended: threading.Event) -> None:
    ended.wait(20)


def closing(_connection: socket.socket, _ended: threading.Event) -> None:
    """Accepts and closes, as an overloaded sshd or one that restarts does."""


def resetting(connection: socket.socket, _ended: threading.Event) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def web_server(connection: socket.socket, _ended: threading.Event) -> None:
    connection.recv(64)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")


def noise(connection: socket.socket, _ended: threading.Event) -> None:
    connection.sendall(bytes(range(256)) * 4)


def trickling(connection: socket.socket, ended: threading.Event) -> None:
    while not ended.wait(0.05):
        connection.sendall(b"x")


def trickling_lines(connection: socket.socket, ended: threading.Event) -> None:
    while not ended.wait(0.05):
        connection.sendall(b"wait\r\n")


def banner_and_silence(connection: socket.socket, ended: threading.Event) -> None:
    connection.sendall(BANNER)
    ended.wait(20)


def banner_and_close(connection: socket.socket, _ended: threading.Event) -> None:
    connection.sendall(BANNER)
    connection.recv(64)


def banner_and_nonsense(connection: socket.socket, ended: threading.Event) -> None:
    connection.sendall(BANNER + b"\0\0\0\x0c" + b"nonsense" * 40)
    ended.wait(20)


def banner_and_trickle(connection: socket.socket, ended: threading.Event) -> None:
    connection.sendall(BANNER + b"\0\0\x7f\xff")
    while not ended.wait(0.05):
        connection.sendall(b"x")


def old_protocol(connection: socket.socket, _ended: threading.Event) -> None:
    connection.sendall(b"SSH-1.5-Ancient\r\n")
    connection.recv(64)


@pytest.mark.parametrize(
    ("handler", "stage", "detail"),
    [
        (silent, "banner", "says nothing for 0.6 s"),
        (closing, "banner", "closed before an SSH banner"),
        (resetting, "banner", "closed before an SSH banner"),
        (web_server, "banner", "HTTP/1.1 400 Bad Request"),
        (noise, "banner", "no SSH banner"),
        (trickling, "banner", "said 'xxxx"),
        (trickling_lines, "banner", "wait"),
        (banner_and_silence, "handshake", "did not end within 0.6 s"),
        (banner_and_close, "handshake", ""),
        (banner_and_nonsense, "handshake", ""),
        (banner_and_trickle, "handshake", ""),
        (old_protocol, "handshake", "1.5"),
    ],
)
def test_no_session_within_the_deadline(
    remote: SshRemote, lease_key: Key, handler: Handler, stage: str, detail: str
) -> None:
    threads_before = threading.active_count()
    with raw_server(handler) as port:
        login = Login(SshAddress("127.0.0.1", port, "me", None), lease_key.secret)
        began = monotonic()
        with pytest.raises(Unreachable) as caught:
            remote.run_script(login, "true", (), b"", 0.6)
        assert monotonic() - began < 2.0
    assert caught.value.stage == stage
    assert detail in caught.value.detail
    wait_until(lambda: threading.active_count() <= threads_before + 1)  # the watchdog stays


def test_a_machine_that_hangs_after_accepting_the_connection(
    remote: SshRemote, start_sshd: Callable[..., Sshd]
) -> None:
    sshd = start_sshd()
    listener = sshd.family()[0]
    listener.suspend()
    try:
        with pytest.raises(Unreachable) as caught:
            remote.run_script(sshd.login(), "true", (), b"", 0.7)
    finally:
        listener.resume()
    assert caught.value.stage == "banner"


def test_too_many_starting_at_once(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    sshd = start_sshd(options=("MaxStartups 1:100:1",))
    held: list[socket.socket] = []

    def holds_the_only_place() -> bool:
        held.append(socket.create_connection(("127.0.0.1", sshd.port)))
        return held[-1].recv(4) == b"SSH-"

    wait_until(holds_the_only_place)  # the place may still be with the one who looked whether it listens
    with pytest.raises(Unreachable) as caught:
        remote.run_script(sshd.login(), "true", (), b"", 5)
    for connection in held:
        connection.close()
    assert caught.value.stage == "banner"
    assert "MaxStartups" in caught.value.detail or "closed" in caught.value.detail


def test_no_session_is_allowed(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    sshd = start_sshd(options=("MaxSessions 0",))
    with pytest.raises(Unreachable) as caught:
        remote.run_script(sshd.login(), "true", (), b"", 10)
    assert caught.value.stage == "session"


@pytest.mark.parametrize(
    "script",
    ["exec sleep 30", "while :; do :; done", "exec 1>&- 2>&-; exec sleep 30", "while printf x; do sleep 0.05; done"],
)
def test_a_command_without_an_end_is_left(remote: SshRemote, start_sshd: Callable[..., Sshd], script: str) -> None:
    sshd = start_sshd()
    threads_before = threading.active_count()
    began = monotonic()
    with pytest.raises(StepTimedOut) as caught:
        remote.run_script(sshd.login(), f"sh -c 'echo $PPID' >pid; {script}", (), b"", 1.3)
    assert monotonic() - began < 2.5
    assert caught.value.deadline_s == 1.3
    wait_until(lambda: threading.active_count() <= threads_before + 1)
    if script.startswith("while :"):
        pid = int((sshd.home / "pid").read_text())
        wait_until(lambda: not runs(pid))  # sshd leaves it to itself: the machine ends it


def test_a_machine_that_vanishes_while_a_step_runs(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    sshd = start_sshd()
    began = monotonic()
    failures: list[BaseException] = []

    def run() -> None:
        try:
            remote.run_script(sshd.login(), "touch started; sleep 30", (), b"", 2.0)
        except StepTimedOut as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    wait_until((sshd.home / "started").exists)
    family = sshd.family()
    for process in family:
        process.suspend()
    thread.join(10)
    for process in family:
        process.resume()
    assert failures
    assert monotonic() - began < 3.0


def test_a_connection_that_breaks_while_a_step_runs(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    sshd = start_sshd()
    failures: list[Unreachable] = []

    def run() -> None:
        try:
            remote.run_script(sshd.login(), "echo x >>started; sleep 30", (), b"", 20)
        except Unreachable as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    wait_until((sshd.home / "started").exists)
    sshd.stop()
    thread.join(10)
    assert [error.stage for error in failures] == ["session"]
    sshd.start()
    assert (sshd.home / "started").read_text() == "x\n"  # what may have started is not repeated


@pytest.mark.parametrize("stream", ["", ">&2"])
def test_endless_output_is_cut(remote: SshRemote, sshd: Sshd, stream: str) -> None:
    began = monotonic()
    with pytest.raises(StepGarbled, match="4194304 bytes"):
        remote.run_script(sshd.login(), f"yes hello {stream}", (), b"", 30)
    assert monotonic() - began < 20


def test_ten_megabytes_on_both_streams(sshd: Sshd) -> None:
    remote = SshRemote(output_limit_bytes=32 * 1024 * 1024)
    script = "head -c 5000000 /dev/zero | tr '\\0' o; head -c 5000000 /dev/zero | tr '\\0' e >&2; exit 4"
    output = remote.run_script(sshd.login(), script, (), b"", 30)
    assert (len(output.text), output.text[0], output.text[-1], output.exit_status) == (10_000_000, "o", "e", 4)
    remote.close()
