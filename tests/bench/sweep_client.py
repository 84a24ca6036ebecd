"""One client's rounds, in a process of its own: ``ours`` or ``parallel-ssh``, and the file that says where to go.

Prints how many seconds each round took as a list of JSON: the first one over new connections.
"""

import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

SCRIPT = 'read -r load _ < /proc/loadavg; echo "load $load"'
WARM_ROUNDS = 5
HANDS = 16  # as the line that observes use
POOL = 100  # parallel-ssh's own
_WITHIN_S = 30.0


def main() -> None:
    """Make the rounds."""
    client, order = sys.argv[1], json.loads(Path(sys.argv[2]).read_text())
    sweep = {"ours": ours, "parallel-ssh": parallel_ssh}[client](order)
    times = []
    for _ in range(1 + WARM_ROUNDS):
        began = time.perf_counter()
        answers = sweep()
        times.append(time.perf_counter() - began)
        assert len(answers) == len(order["ports"])
        assert all(answer.strip().startswith("load ") for answer in answers), answers[0]
    print(json.dumps(times), flush=True)


def ours(order: dict[str, Any]) -> Callable[[], list[str]]:
    """The product's own client, under the interpreter setting of its process."""
    from bot.bootstrap.running import SWITCH_S
    from bot.domain.instance import SshAddress
    from bot.domain.secret import Secret
    from bot.ports.remote import Login
    from bot.remote.ssh import SshRemote

    sys.setswitchinterval(SWITCH_S)
    secret = Secret(Path(order["key"]).read_text())
    logins = [Login(SshAddress("127.0.0.1", port, order["user"], order["host_key"]), secret) for port in order["ports"]]
    remote, pool = SshRemote(), ThreadPoolExecutor(HANDS)

    def sweep() -> list[str]:
        return list(pool.map(lambda login: remote.run_script(login, SCRIPT, (), b"", _WITHIN_S).text, logins))

    return sweep


def parallel_ssh(order: dict[str, Any]) -> Callable[[], list[str]]:
    """parallel-ssh as its documentation uses it."""
    from pssh.clients import ParallelSSHClient
    from pssh.config import HostConfig

    client = ParallelSSHClient(
        ["127.0.0.1"] * len(order["ports"]),
        user=order["user"],
        pkey=order["key"],
        host_config=[HostConfig(port=port) for port in order["ports"]],
        pool_size=POOL,
        allow_agent=False,
        identity_auth=False,
    )

    def sweep() -> list[str]:
        outputs = client.run_command(f"sh -c '{SCRIPT}'")
        client.join(outputs)
        return ["\n".join(output.stdout) for output in outputs]

    return sweep


if __name__ == "__main__":
    main()
