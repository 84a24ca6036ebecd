"""What is sent to a command arrives whole, however large, and its end with it."""

from collections.abc import Iterator
from contextlib import suppress

import paramiko
import pytest

from bot.domain.instance import InstanceState
from bot.providers.local.provider import LocalProvider
from tests.providers.local.behind import offer
from tests.providers.world import Key, in_state, login, spec


@pytest.fixture
def session(local: LocalProvider, key: Key) -> Iterator[paramiko.SSHClient]:
    ref = local.launch(spec(offer(local, "cpu"), "lease-1", key))
    client = login(in_state(local, ref, InstanceState.RUNNING), key)
    yield client
    client.close()


@pytest.mark.parametrize("size_bytes", [0, 1, 65_536, 400_000, 3_000_000])
def test_input_arrives_to_its_last_byte(session: paramiko.SSHClient, size_bytes: int) -> None:
    for _ in range(5):
        stdin, stdout, _ = session.exec_command("cat | wc -c", timeout=20)
        stdin.write(b"x" * size_bytes)
        stdin.channel.shutdown_write()
        assert int(stdout.read()) == size_bytes


def test_a_command_that_does_not_read_its_input_ends_well(session: paramiko.SSHClient) -> None:
    stdin, stdout, _ = session.exec_command("exec <&-; echo done", timeout=20)
    with suppress(OSError):  # it may have ended while this is being written
        stdin.write(b"x" * 300_000)
        stdin.channel.shutdown_write()
    assert stdout.read() == b"done\n"
    assert stdout.channel.recv_exit_status() == 0
