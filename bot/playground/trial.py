"""A trial: a workspace and a bot of its own on this computer, everything of theirs in one folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from bot.playground.client import Workspace
from bot.playground.leftovers import BOT_LOCK, hold
from bot.playground.model import Json
from bot.playground.server import PlaygroundServer

HOME_CHANNEL = "C0GPUS000"
APPROVER = "U0BEN0000"
END_S = 20.0


class BotEndedError(Exception):
    """The bot did not stay up; the message is the end of its log."""


class Trial:
    """Starts both at once; ``close`` ends both. Machines that the bot rented are not its to end.

    ``settings`` are the bot's, by their names in the environment; ``workspace_settings`` the playground's.
    """

    def __init__(
        self,
        folder: Path,
        settings: dict[str, str],
        *,
        port: int = 0,
        seed: Json | None = None,
        workspace_settings: Json | None = None,
        welcome: str = "",
    ) -> None:
        """Starts the workspace, then the bot, which needs a second or two (`is_up`)."""
        self.folder = folder
        self.log = folder / "bot.log"
        manifest = json.loads(_printed_manifest(settings))
        self.server = PlaygroundServer(port, seed=seed, manifest=manifest, settings=workspace_settings, welcome=welcome)
        self.server.start()
        self.workspace = Workspace(self.server.base_url)
        (folder / "policy.toml").write_text(f'approvers = ["{APPROVER}"]\n', encoding="utf-8")
        self._bot = self._start_bot(settings)

    def _start_bot(self, settings: dict[str, str]) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "SLACK_BOT_TOKEN": self.server.bot_token,
            "SLACK_APP_TOKEN": self.server.app_token,
            "SLACK_API_URL": self.server.api_url,
            "HOME_CHANNEL": HOME_CHANNEL,
            "DATABASE_URL": f"sqlite:///{self.folder / 'gpubot.db'}",
            "DATA_DIR": str(self.data_dir),
            "POLICY_FILE": str(self.folder / "policy.toml"),
            "ARCHIVE": str(self.folder / "archive"),
            "CHECK_URL": self.server.base_url,
            **settings,
        }
        command = [sys.executable, "-m", "bot", "run"]
        with self.log.open("wb") as log, hold(self.folder / BOT_LOCK) as lock:
            # A session of its own: Ctrl-C in a terminal is for whoever started the trial, who then ends the bot.
            bot = subprocess.Popen(
                command, env=environment, stdout=log, stderr=log, start_new_session=True, pass_fds=[lock.fileno()]
            )
            lock.write(str(bot.pid))
            return bot

    @property
    def data_dir(self) -> Path:
        """The bot's ``DATA_DIR``."""
        return self.folder / "data"

    def is_up(self) -> bool:
        """Whether the bot is connected.

        Raises:
            BotEndedError: it is gone.
        """
        if self._bot.poll() is not None:
            raise BotEndedError(self.log.read_text(encoding="utf-8")[-2000:])
        return self.workspace.sockets() >= 2

    def close(self) -> None:
        """End the bot, then the workspace."""
        if self._bot.poll() is None:
            self._bot.terminate()
            try:
                self._bot.wait(END_S)
            except subprocess.TimeoutExpired:
                self._bot.kill()
                self._bot.wait()
        self.workspace.close()
        self.server.stop()


def noon() -> dict[str, object]:
    """A zone where it is about noon: people are reminded in their waking hours only."""
    ahead_h = 12 - time.gmtime().tm_hour
    return {"tz": f"Etc/GMT{-ahead_h:+d}" if ahead_h else "Etc/GMT", "tz_offset": ahead_h * 3600}


def _printed_manifest(settings: dict[str, str]) -> str:
    command = [sys.executable, "-m", "bot", "manifest"]
    environment = {**os.environ, **settings}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
