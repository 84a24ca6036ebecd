"""``python -m bot.playground``: a workspace in the foreground."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bot.playground.server import PlaygroundServer


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m bot.playground", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--seed", type=Path, help="JSON file with people and channels")
    parser.add_argument("--manifest", type=Path, help="app manifest (JSON) to take scopes and events from")
    parser.add_argument("--welcome", type=Path, help="mrkdwn text that the page says to a newcomer")
    given = parser.parse_args()
    welcome = given.welcome.read_text(encoding="utf-8") if given.welcome else ""
    server = PlaygroundServer(given.port, seed=_read(given.seed), manifest=_read(given.manifest), welcome=welcome)
    listening = server.listen()
    print(f"Slack playground on {server.base_url}", flush=True)
    server.server().run(sockets=[listening])


def _read(path: Path | None) -> dict[str, object] | None:
    return None if path is None else json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
