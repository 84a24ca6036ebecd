"""Real SSH servers on this machine: OpenSSH, asyncssh, and sockets that are neither."""

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import asyncssh
import psutil
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from bot.domain.instance import SshAddress
from bot.domain.secret import Secret
from bot.ports.remote import Login

SSHD = shutil.which("sshd") or shutil.which("/usr/sbin/sshd")
USER = pwd.getpwuid(os.getuid()).pw_name


def wait_until(holds: Callable[[], bool], within_s: float = 10.0) -> None:
    end, pause = monotonic() + within_s, threading.Event()
    while not holds():
        assert monotonic() < end, "the condition did not come about"
        pause.wait(0.01)


@dataclass
class Key:
    """A fresh ed25519 pair: ``line`` is ``type base64``."""

    line: str
    secret: Secret

    @classmethod
    def fresh(cls) -> "Key":
        private = Ed25519PrivateKey.generate()
        line = private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
        pem = private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()).decode()
        return cls(line, Secret(pem))


@dataclass
class Sshd:
    """One OpenSSH server with a home of its own. ``host_keys`` holds ``type base64`` by kind."""

    root: Path
    key: Key
    kinds: tuple[str, ...] = ("ed25519", "ecdsa")
    options: tuple[str, ...] = ()
    key_options: str = ""
    port: int = 0
    host_keys: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.root / "home"

    def login(self, host_key: str | None = None, key: Key | None = None) -> Login:
        return Login(SshAddress("127.0.0.1", self.port, USER, host_key), (key or self.key).secret)

    def start(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        for kind in self.kinds:
            file = self.root / f"host_{kind}"
            if not file.exists():
                subprocess.run(
                    [
                        "ssh-keygen",
                        "-q",
                        "-t",
                        kind,
                        *(["-b", "2048"] if kind == "rsa" else []),
                        "-N",
                        "",
                        "-f",
                        str(file),
                    ],
                    check=True,
                )
            self.host_keys[kind] = " ".join(file.with_suffix(".pub").read_text().split()[:2])
        (self.root / "keys").write_text(f"{self.key_options}{self.key.line}\n")
        self.port = self.port or free_port()
        lines = [
            f"Port {self.port}",
            "ListenAddress 127.0.0.1",
            *(f"HostKey {self.root}/host_{kind}" for kind in self.kinds),
            f"AuthorizedKeysFile {self.root}/keys",
            f"SetEnv HOME={self.home}",
            "StrictModes no",
            "UsePAM no",
            "PidFile none",
            "PermitRootLogin yes",
            "PasswordAuthentication no",
            *(
                self.options
                if any("MaxStartups" in one for one in self.options)
                else (*self.options, "MaxStartups 100")
            ),
        ]
        (self.root / "config").write_text("\n".join(lines) + "\n")
        log = (self.root / "log").open("ab")
        with log:
            self.process = subprocess.Popen(
                [str(SSHD), "-D", "-e", "-f", str(self.root / "config")], stdout=log, stderr=log
            )
        wait_until(lambda: listens(self.port))

    def family(self) -> list[psutil.Process]:
        """The listener and every session."""
        listener = psutil.Process(self.process.pid)
        return [listener, *listener.children(recursive=True)]

    def stop(self) -> None:
        family = self.family()
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.wait(10)
        wait_until(lambda: not any(runs(process.pid) for process in family))


def runs(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class AsyncsshServer:
    """An asyncssh server on its own loop that runs commands with sh; counts connections."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.host_key = asyncssh.generate_private_key("ssh-ed25519")
        self.connections: list[asyncssh.SSHServerConnection] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._listener = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(10)
        self.port = self._listener.get_port()

    def login(self, host_key: str | None = None) -> Login:
        return Login(SshAddress("127.0.0.1", self.port, "someone", host_key), self.key.secret)

    def close(self) -> None:
        async def end() -> None:
            self._listener.close()
            for connection in self.connections:
                connection.abort()
            await self._listener.wait_closed()
            for connection in self.connections:
                await connection.wait_closed()
            rest = asyncio.all_tasks() - {asyncio.current_task()}
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)
            await self._loop.shutdown_default_executor()

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _listen(self) -> asyncssh.SSHAcceptor:
        server = self

        class Counting(asyncssh.SSHServer):
            def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
                server.connections.append(conn)

        keys = asyncssh.import_authorized_keys(self.key.line)
        return await asyncssh.listen(
            "127.0.0.1",
            0,
            server_factory=Counting,
            server_host_keys=[self.host_key],
            authorized_client_keys=keys,
            process_factory=_run_command,
            encoding=None,
        )


async def _run_command(process: asyncssh.SSHServerProcess) -> None:
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        "sh", "-c", process.command or "", stdin=pipe, stdout=pipe, stderr=pipe
    )
    out, err = await child.communicate(await process.stdin.read())
    process.stdout.write(out)
    process.stderr.write(err)
    process.exit(child.returncode or 0)


@contextmanager
def raw_server(handle: Callable[[socket.socket, threading.Event], None]) -> Iterator[int]:
    """A port on which each connection is given to ``handle``, with an event that is set at the end."""
    ended = threading.Event()
    threads: list[threading.Thread] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)

        def serve(connection: socket.socket) -> None:
            with connection:
                try:
                    handle(connection, ended)
                except OSError:
                    return

        def accept() -> None:
            while not ended.is_set():
                try:
                    connection, _ = listener.accept()
                except TimeoutError:
                    continue
                connection.settimeout(5)
                threads.append(threading.Thread(target=serve, args=(connection,)))
                threads[-1].start()

        accepting = threading.Thread(target=accept)
        accepting.start()
        try:
            yield int(listener.getsockname()[1])
        finally:
            ended.set()
            accepting.join(10)
            for thread in threads:
                thread.join(10)
