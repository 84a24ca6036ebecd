"""A playground in a process of its own, and bots that connect to it. As a module: the server."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.playground.client import Workspace
from bot.playground.server import PlaygroundServer
from bot.playground.settings import APP_TOKEN, BOT_TOKEN

HOME = Path(__file__).parents[2]
CHANNEL = "C0GPUS000"
OURS = (sys.executable, "-m", "bot", "run")
ECHO = (sys.executable, "-m", "tests.bench.echo")
_STARTS_WITHIN_S = 60.0


@dataclass(frozen=True, slots=True)
class Served:
    """A workspace that is served at ``url``."""

    workspace: Workspace
    url: str


@contextmanager
def playground() -> Iterator[Served]:
    """A workspace in another process, without limits on what a minute may bring."""
    command = [sys.executable, "-m", "tests.bench.workspace"]
    serving = subprocess.Popen(command, cwd=HOME, stdout=subprocess.PIPE, text=True)
    try:
        assert serving.stdout is not None
        url = serving.stdout.readline().strip()
        workspace = Workspace(url)
        yield Served(workspace, url)
        workspace.close()
    finally:
        serving.terminate()
        serving.wait(20)


@contextmanager
def bot(
    command: tuple[str, ...], served: Served, folder: Path, **settings: str
) -> Iterator[tuple[subprocess.Popen[bytes], float]]:
    """A bot with both of its sockets open, and how many seconds that took. Settings not given are the product's own."""
    environment = {
        **os.environ,
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_APP_TOKEN": APP_TOKEN,
        "SLACK_API_URL": f"{served.url}/api/",
        "DATABASE_URL": f"sqlite:///{folder / 'gpubot.db'}",
        "DATA_DIR": str(folder / "data"),
        "HOME_CHANNEL": CHANNEL,
        "CHECK_URL": served.url,
        "POLICY_FILE": str(folder / "policy.toml"),
        **settings,
    }
    with (folder / "bot.log").open("ab") as log:
        began = time.monotonic()
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=HOME)
    try:
        while served.workspace.sockets() < 2:
            assert process.poll() is None, (folder / "bot.log").read_text()[-3000:]
            assert time.monotonic() - began < _STARTS_WITHIN_S, "not connected"
            time.sleep(0.005)
        yield process, time.monotonic() - began
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
        while served.workspace.sockets():
            time.sleep(0.02)


def main() -> None:
    """Serve until ended."""
    manifest = json.loads((HOME / "manifest.json").read_text(encoding="utf-8"))
    server = PlaygroundServer(manifest=manifest, settings={"limits_on": False})
    listening = server.listen()
    print(server.base_url, flush=True)
    server.server().run(sockets=[listening])


if __name__ == "__main__":
    main()
