"""The parts that the tests of `bot.remote` run against."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.remote.ssh import SshRemote
from tests.remote.servers import SSHD, AsyncsshServer, Key, Sshd


@pytest.fixture
def remote() -> Iterator[SshRemote]:
    remote = SshRemote()
    yield remote
    remote.close()


@pytest.fixture(scope="session")
def lease_key() -> Key:
    return Key.fresh()


@pytest.fixture(scope="session")
def sshd_ready() -> None:
    if SSHD is None:
        pytest.skip("OpenSSH's sshd is not installed")
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # privilege separation wants it


@pytest.fixture
def start_sshd(sshd_ready: None, lease_key: Key, tmp_path: Path) -> Iterator[Callable[..., Sshd]]:
    """Starts OpenSSH servers; takes the fields of `Sshd`."""
    started: list[Sshd] = []

    def start(**fields: object) -> Sshd:
        server = Sshd(tmp_path / f"sshd{len(started)}", lease_key, **fields)  # type: ignore[arg-type]
        started.append(server)
        server.start()
        return server

    yield start
    for server in started:
        server.stop()


@pytest.fixture(scope="session")
def sshd(sshd_ready: None, lease_key: Key, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    """One that tests share, and leave as they found it."""
    server = Sshd(tmp_path_factory.mktemp("sshd"), lease_key)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def asyncssh_server(lease_key: Key) -> Iterator[AsyncsshServer]:
    server = AsyncsshServer(lease_key)
    yield server
    server.close()
