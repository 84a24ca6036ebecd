"""One round over 200 SSH servers with a short script: OpenSSH on 200 ports of this machine, a host each.

Both clients are processes of their own, in turn; each makes one round over new connections and then some over those
that it kept. Ours has as many hands as the line that looks at machines, and speaks as it does: with the expected host
key checked, within a deadline, the script sealed. parallel-ssh runs the bare script.
"""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from tests.bench.rows import Row, Say, at_most
from tests.bench.workspace import HOME
from tests.remote.servers import USER, Key, Sshd

SERVERS, PORTS_EACH = 200, 16  # OpenSSH listens on 16 at most
REPEATS = 5
MOST = 1.5


def measure(folder: Path, say: Say) -> list[Row]:
    """Medians of the cold rounds and of all warm ones."""
    times: dict[tuple[str, str], list[float]] = {}
    with _servers(folder) as (key, ports, host_key):
        (folder / "key").write_text(key.secret.reveal())
        (folder / "key").chmod(0o600)
        order = {"key": str(folder / "key"), "user": USER, "host_key": host_key, "ports": ports}
        (folder / "order.json").write_text(json.dumps(order))
        for number in range(REPEATS):
            for client in ("ours", "parallel-ssh"):
                told = _swept(client, folder / "order.json")
                times.setdefault((client, "cold"), []).append(told[0])
                times.setdefault((client, "warm"), []).extend(told[1:])
                warm = ", ".join(f"{seconds:.2f}" for seconds in told[1:])
                say(f"  {number + 1} of {REPEATS}, {client}: cold {told[0]:.2f} s, warm {warm} s")
    return [
        at_most(
            f"sweep of {SERVERS} servers, {kind}",
            median(times["ours", kind]),
            median(times["parallel-ssh", kind]),
            "s",
            MOST,
        )
        for kind in ("cold", "warm")
    ]


def _swept(client: str, order: Path) -> list[float]:
    command = [sys.executable, "-m", "tests.bench.sweep_client", client, str(order)]
    done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    times: list[float] = json.loads(done.stdout.splitlines()[-1])
    return times


@contextmanager
def _servers(folder: Path) -> Iterator[tuple[Key, list[int], str]]:
    """Servers on 200 ports, a process for each 16 of them, all with one login and host key."""
    ports, key = _free_ports(SERVERS), Key.fresh()
    with ExitStack() as running:
        first: Sshd | None = None
        for number, start in enumerate(range(0, SERVERS, PORTS_EACH)):
            own, *more = ports[start : start + PORTS_EACH]
            options = (*(f"Port {port}" for port in more), "MaxStartups 1000", "LogLevel ERROR")
            server = Sshd(folder / f"sshd{number}", key, kinds=("ed25519",), options=options, port=own)
            server.root.mkdir()
            if first is not None:
                for file in ("host_ed25519", "host_ed25519.pub"):
                    os.link(first.root / file, server.root / file)
            server.start()
            running.callback(server.stop)
            first = first or server
        assert first is not None
        yield key, ports, first.host_keys["ed25519"]


def _free_ports(count: int) -> list[int]:
    with ExitStack() as taken:
        sockets = [taken.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]
