"""One workspace with everything that makes it run, put together."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable

from bot.playground.callbacks import Callbacks
from bot.playground.conversation import Conversation
from bot.playground.delivery import Delivery
from bot.playground.journal import Journal
from bot.playground.limits import Limits
from bot.playground.model import Json
from bot.playground.seed import team_from
from bot.playground.settings import Settings
from bot.playground.socket_hub import SocketHub
from bot.playground.trouble import Troubles


class Playground:
    """The parts of the server. All of it lives in one event loop, so nothing needs a lock."""

    def __init__(
        self,
        seed: Json | None = None,
        manifest: Json | None = None,
        changes: Json | None = None,
        now: Callable[[], float] = time.time,
        welcome: str = "",
    ) -> None:
        """``changes`` are settings that differ from the defaults and from the manifest.

        ``welcome`` is what the page says to a newcomer, as mrkdwn.
        """
        self.welcome = welcome
        self.seed, self.manifest, self.changes, self.now = seed, manifest, changes, now
        self.address = ""
        self.journal = Journal(now)
        self.hub = SocketHub("", now, self.journal)
        self.delivery = Delivery(self.hub, Settings(), self.journal)
        self.reset()

    def reset(self) -> None:
        """Back to the seed: state, settings, troubles and records are forgotten."""
        self.team = team_from(self.seed)
        self.settings = Settings()
        if self.manifest is not None:
            self.settings.read_manifest(self.manifest)
        self.settings.change(copy.deepcopy(self.changes or {}))
        self.troubles = Troubles()
        self.limits = Limits(self.settings)
        self.callbacks = Callbacks(self.settings, self.now)
        self.hub.app_id = self.team.app_id
        # Entry numbers go on after a reset, so that whoever waits for "after n" is not stranded.
        self.journal.calls.clear()
        self.journal.note("reset")
        self._connect_parts()

    def open_doors(self) -> None:
        """Fresh connections and deliveries over the state that there is: what a server start does."""
        self.hub = SocketHub(self.team.app_id, self.now, self.journal)
        self._connect_parts()

    def _connect_parts(self) -> None:
        self.delivery.stop()
        self.delivery = Delivery(self.hub, self.settings, self.journal)
        self.conversation = Conversation(
            self.team, self.settings, self.journal, self.delivery, self.now, lambda: self.address
        )

    def file_ready(self, named: str) -> bool:
        """Whether an image block may refer to this file id or private address by now."""
        known = next((f for f in self.team.files.values() if f.id == named or f"/{f.id}/" in named), None)
        return known is not None and known.completed and self.now() >= known.ready_at
