"""A server that stops answering at a chosen point of the protocol."""

# ruff: noqa: ARG002 - the names of the arguments are the interface's

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import paramiko
import pytest

from bot.domain.instance import SshAddress
from bot.errors import StepTimedOut, Unreachable
from bot.ports.remote import Login
from bot.remote.ssh import SshRemote
from tests.remote.servers import Key, raw_server, wait_until


class Stalling(paramiko.ServerInterface):
    """Answers up to ``point``: login, channel or command; says nothing from there."""

    def __init__(self, point: str, ended: threading.Event) -> None:
        self.point, self.ended = point, ended

    def _reach(self, point: str) -> None:
        if point == self.point:
            self.ended.wait(20)

    def get_allowed_auths(self, username: str) -> str:
        return "publickey"

    def check_auth_publickey(self, username: str, key: paramiko.PKey) -> int:
        self._reach("login")
        return paramiko.AUTH_SUCCESSFUL

    def check_channel_request(self, kind: str, chanid: int) -> int:
        self._reach("channel")
        return paramiko.OPEN_SUCCEEDED

    def check_channel_exec_request(self, channel: paramiko.Channel, command: bytes) -> bool:
        self._reach("command")
        return False


@contextmanager
def stalling_at(point: str) -> Iterator[int]:
    host_key = paramiko.ECDSAKey.generate()

    def serve(connection: socket.socket, ended: threading.Event) -> None:
        transport = paramiko.Transport(connection)
        transport.add_server_key(host_key)
        transport.start_server(event=threading.Event(), server=Stalling(point, ended))
        ended.wait(20)
        transport.close()
        transport.join(10)

    with raw_server(serve) as port:
        yield port


@pytest.mark.parametrize("point", ["login", "channel", "command"])
def test_the_deadline_holds_at_every_point(remote: SshRemote, lease_key: Key, point: str) -> None:
    threads_before = threading.active_count()
    with stalling_at(point) as port:
        login = Login(SshAddress("127.0.0.1", port, "me", None), lease_key.secret)
        began = monotonic()
        with pytest.raises((Unreachable, StepTimedOut)) as caught:
            remote.run_script(login, "true", (), b"", 1.0)
        assert monotonic() - began < 3.0
    if point == "command":
        assert isinstance(caught.value, StepTimedOut)
    else:
        assert isinstance(caught.value, Unreachable)
        assert caught.value.stage == "session"
    wait_until(lambda: threading.active_count() <= threads_before + 1)


def test_a_refused_command_is_no_session(remote: SshRemote, lease_key: Key) -> None:
    with stalling_at("nowhere") as port:
        login = Login(SshAddress("127.0.0.1", port, "me", None), lease_key.secret)
        with pytest.raises(Unreachable) as caught:
            remote.run_script(login, "true", (), b"", 5)
    assert caught.value.stage == "session"
