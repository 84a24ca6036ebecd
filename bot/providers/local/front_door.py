"""The machine's SSH port: who may come in, and the switches that keep people out."""

import asyncio
from pathlib import Path

import asyncssh

from bot.providers.local.misbehave import Watched
from bot.providers.local.places import LOGIN_USER, Place
from bot.providers.local.sessions import Sessions
from bot.providers.local.sftp import Files
from bot.providers.local.state import MachineState

_HOST = "127.0.0.1"


class FrontDoor:
    """Listens on one port of this machine only, the same for the whole boot."""

    def __init__(
        self, place: Place, state: MachineState, watched: Watched, exits: dict[int, asyncio.Future[int]]
    ) -> None:
        self._place, self._watched = place, watched
        self._sessions = Sessions(place, state, exits)
        self._connections: set[asyncssh.SSHServerConnection] = set()
        self._listener: asyncssh.SSHAcceptor | asyncio.Server | None = None
        self._mode = ""
        self._port = 0

    async def open(self, mode: str) -> int:
        """Be as the switch ``ssh`` says; the port. Connections that are there are cut when it closes."""
        if self._listener is not None and mode == self._mode:
            return self._port
        if self._listener is not None and {mode, self._mode} & {"refuse", "silent"}:
            self._listener.close()
            self._listener = None
            for connection in list(self._connections):
                connection.abort()
        self._mode = mode
        if mode == "silent":
            self._listener = await asyncio.start_server(_say_nothing, _HOST, self._port, reuse_address=True)
        elif mode != "refuse" and self._listener is None:
            self._listener = await self._listen()
            self._port = self._listener.get_port()
        return self._port

    async def _listen(self) -> asyncssh.SSHAcceptor:
        return await asyncssh.listen(
            _HOST,
            self._port,
            reuse_address=True,
            server_host_keys=[asyncssh.read_private_key(str(self._place.host_key))],
            server_factory=lambda: Visitor(self._place, self._watched, self._connections),
            process_factory=self._sessions.serve,
            sftp_factory=Files,
            encoding=None,
            line_editor=False,
            agent_forwarding=False,
            gss_host=None,
            password_auth=False,
            kbdint_auth=False,
            host_based_auth=False,
        )


class Visitor(asyncssh.SSHServer):
    """One connection. Keys are read anew at each login, as sshd does."""

    def __init__(self, place: Place, watched: Watched, connections: set[asyncssh.SSHServerConnection]) -> None:
        self._place, self._watched, self._connections = place, watched, connections
        self._connection: asyncssh.SSHServerConnection | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        self._connections.add(conn)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the library's signature
        if self._connection is not None:
            self._connections.discard(self._connection)

    def begin_auth(self, username: str) -> bool:
        keys = asyncssh.SSHAuthorizedKeys()
        if username == LOGIN_USER and self._watched.now().ssh != "deny":
            for path in (self._place.lease_key, self._place.home / ".ssh" / "authorized_keys"):
                _add_keys(keys, path)
        if self._connection is not None:
            self._connection.set_authorized_keys(keys)
        return True

    def connection_requested(
        self,
        dest_host: str,  # noqa: ARG002 - the library's signature
        dest_port: int,  # noqa: ARG002
        orig_host: str,  # noqa: ARG002
        orig_port: int,  # noqa: ARG002
    ) -> bool:
        return True  # `ssh -L`: a notebook on the machine is looked at from outside


def _add_keys(keys: asyncssh.SSHAuthorizedKeys, path: Path) -> None:
    """Add the keys in the file, one by one: a broken line keeps nobody else out."""
    try:
        lines = path.read_bytes().decode("utf-8", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        try:
            keys.load(line)
        except (ValueError, asyncssh.Error):
            continue


async def _say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await reader.read(4096):
            pass
    except OSError:
        pass
    finally:
        writer.close()
