"""A whole deployment on this machine: a playground workspace and the bot as its own process."""

import os
import signal
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.domain.lease import Lease
from bot.domain.release import Clear, decide
from bot.playground.client import Person, Workspace
from bot.playground.client_types import CommandResult, Message
from bot.playground.server import PlaygroundServer
from bot.providers.local.misbehave import Misbehaviour
from bot.providers.local.places import Root
from bot.providers.local.provider import LocalProvider
from handlers.manifest import manifest
from storage.store import SqlStore
from tests.e2e.bot_process import BotProcess, ForkedBot, command

ANA, BEN, GPUS = "U0ANA0000", "U0BEN0000", "C0GPUS000"
POLICY = f"""
members = ["*"]
approvers = ["{BEN}"]
admins = ["U0CY00000"]

[rent]
limit_usd = 25
approval_limit_usd = 100
"""


class Deployment:
    """Everything of one test, under one directory."""

    def __init__(
        self, root: Path, *, database_url: str | None = None, policy: str = POLICY, **settings: object
    ) -> None:
        self.root = root
        self.server = PlaygroundServer(manifest=manifest(), settings={"limits_on": False})
        self.server.start()
        self.workspace = Workspace(self.server.base_url)
        (root / "policy.toml").write_text(policy)
        self.database_url = database_url or f"sqlite:///{root / 'gpubot.db'}"
        self.log = root / "bot.log"
        self._settings = {
            "LOCAL_BOOT_S": "0.3",
            "RELEASE_GRACE_S": "0",
            "LOOK_S": "0.5",
            "SLACK_EDITS_PER_MINUTE": "3000",
            "OFFERS_S": "0.5",
            "CLAIM_TTL_S": "1.5",
            "RELEASE_STUCK_S": "2",
            "SETTLE_S": "1",
            "JOB_LOOK_S": "0.3",
            "JOB_MESSAGE_S": "0.5",
            "PICTURE_S": "1",
            "CHECK_URL": self.server.base_url,
            **{name.upper(): str(value) for name, value in settings.items()},
        }
        self.process: BotProcess | None = None
        self._store: SqlStore | None = None

    # the bot

    def start(self, kill_at: str = "", *, wait: bool = True, as_command: bool = False) -> None:
        """Start the bot; ``kill_at`` names a fault point (``launch.called:2``) where it ends as by SIGKILL."""
        environment = {
            **os.environ,
            **self._settings,
            "SLACK_BOT_TOKEN": self.server.bot_token,
            "SLACK_APP_TOKEN": self.server.app_token,
            "SLACK_API_URL": self.server.api_url,
            "DATABASE_URL": self.database_url,
            "DATA_DIR": str(self.root / "data"),
            "POLICY_FILE": str(self.root / "policy.toml"),
            "HOME_CHANNEL": GPUS,
            "GPUBOT_KILL_AT": kill_at,
        }
        self.process = command(environment, self.log) if as_command else ForkedBot(environment, self.log)
        if wait:
            self.wait(lambda: self.workspace.sockets() >= 2 or not self.is_running, 40)
            assert self.is_running, self.log.read_text()

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def died(self, timeout_s: float = 40) -> None:
        """Wait until the bot ended as by SIGKILL."""
        assert self.process is not None
        assert self.process.wait(timeout_s) == -signal.SIGKILL, self.log.read_text()

    def stop(self) -> int:
        """End the bot as an operator would, and wait for it."""
        assert self.process is not None
        if self.is_running:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)

    def close(self) -> None:
        """End everything, machines included."""
        if self.process is not None and self.is_running:
            self.process.kill()
            self.process.wait(10)
        try:
            self.provider.end_all()
        finally:  # what is left open here would fail another test
            self.workspace.close()
            self.server.stop()
            if self._store is not None:
                self._store.close()

    def end_at_the_vendors(self, lease: Lease) -> None:
        """End a lease's machine behind the bot's back, as somebody in the vendor's console would."""
        behind = replace(lease, handed_over_at=None)
        decision = decide(behind, None, datetime.now(UTC), timedelta(0))
        assert isinstance(decision, Clear)
        assert lease.ref is not None
        self.provider.release(lease.ref, decision.clearance)

    # looking

    @property
    def provider(self) -> LocalProvider:
        return LocalProvider(self.root / "data" / "local")

    @property
    def misbehaviour(self) -> Misbehaviour:
        (self.root / "data" / "local").mkdir(parents=True, exist_ok=True, mode=0o700)
        return Misbehaviour(self.root / "data" / "local")

    @property
    def store(self) -> SqlStore:
        if self._store is None:
            self._store = SqlStore(self.database_url)
        return self._store

    def person(self, name: str) -> Person:
        return self.workspace.person(name)

    def wait(self, look: Any, timeout_s: float = 15) -> Any:
        """Wait until ``look()`` is truthy; on failure show what the bot logged."""
        try:
            return self.workspace.wait_for(look, timeout_s)
        except TimeoutError as error:
            tail = (
                "\n".join(line[:300] for line in self.log.read_text().splitlines()[-25:]) if self.log.exists() else ""
            )
            raise AssertionError(f"{error}\n--- bot's log:\n{tail}") from None

    def cards(self, channel: str = GPUS) -> list[Message]:
        """The lease cards in a channel."""
        return [m for m in self.person("ana").sees(channel) if _subject(m) == "lease"]

    def home(self, name: str) -> Path:
        """The login home of a lease's machine, as it lies on this computer."""
        lease = self.lease(name)
        assert lease.ref is not None
        return Root(self.root / "data" / "local").place(lease.ref.id).home

    def write(self, name: str, path: str | bytes, content: bytes = b"precious") -> Path:
        """Put a file into the data path of a lease's machine, whole at once: nobody sees a part of it."""
        file = self.home(name) / "work" / os.fsdecode(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = self.root / "part"
        part.write_bytes(content)
        return part.replace(file)

    def card_of(self, name: str, *words: str, timeout_s: float = 20) -> Message:
        """A lease's card, once it says all of ``words``."""

        def look() -> Message | None:
            return next((c for c in self.cards() if f"*{name}*" in c.words and all(w in c.words for w in words)), None)

        return self.wait(look, timeout_s)

    def in_thread(self, name: str, *words: str, timeout_s: float = 20) -> Message:
        """The newest message in a lease's thread that says all of ``words``, once there is one."""

        def look() -> Message | None:
            said[:] = self.person("ana").thread(GPUS, self.card_of(name).ts)[1:]
            return next((m for m in reversed(said) if all(w in m.words for w in words)), None)

        said: list[Message] = []
        try:
            return self.wait(look, timeout_s)
        except AssertionError as error:
            raise AssertionError(f"{words} not in:\n" + "\n\n".join(m.words for m in said) + f"\n{error}") from None

    def handed_over(self, name: str) -> Message:
        """Ana's machine of that name, ready for her."""
        self.ana(f"/gpu rent cpu 1h name={name}")
        return self.card_of(name, "*ready*")

    def asked(self, name: str, *words: str) -> Message:
        """The live question about a lease, after Ana wanted it released."""
        assert "Looking at what is on" in self.ana(f"/gpu release {name}").words
        return self.in_thread(name, f"Release *{name}*", *words)

    def end_lease(self, name: str, in_s: float = 0) -> None:
        """Let a lease's end come sooner, as if it had been rented earlier."""
        with self.store.transaction() as tx:
            found = tx.leases.by_name(name)
            lease = tx.leases.lock(found.id) if found is not None else None
            assert lease is not None
            now = datetime.now(UTC)
            tx.leases.save(lease.evolve(ends_at=now + timedelta(seconds=in_s)), now)

    def lease(self, name: str) -> Lease:
        """The lease of that name, as it is stored."""
        with self.store.read() as tx:
            found = tx.leases.by_name(name)
        assert found is not None
        return found

    def only_name(self) -> str:
        """The name of the newest lease."""
        with self.store.read() as tx:
            entry = next(entry for entry in tx.audit.of(None, 1000) if entry.action == "rent")
            lease = tx.leases.get(entry.lease_id or "")
        assert lease is not None
        return lease.name

    def card(self, words: str, timeout_s: float = 15) -> Message:
        """The one card, once it says ``words``."""
        return self.wait(lambda: next((c for c in self.cards() if words in c.words), None), timeout_s)

    def questions(self) -> list[Message]:
        found = []
        for card in self.cards():
            found += [m for m in self.person("ana").thread(card.channel, card.ts) if _subject(m) == "question"]
        return found

    def jobs(self) -> list[Message]:
        """The messages of jobs, in the threads of their leases' cards."""
        found = []
        for card in self.cards():
            found += [m for m in self.person("ana").thread(card.channel, card.ts) if _subject(m) == "job"]
        return found

    def job(self, *words: str, timeout_s: float = 20) -> Message:
        """The one job's message that says all of these."""
        try:
            return self.wait(
                lambda: next((j for j in self.jobs() if all(w in j.words for w in words)), None), timeout_s
            )
        except AssertionError as error:
            said = "\n\n".join(j.words for j in self.jobs())
            raise AssertionError(f"{words} not in:\n{said}\n{error}") from None

    def question(self, words: str = "Release") -> Message:
        return self.wait(lambda: next((q for q in self.questions() if words in q.words), None))

    def ana(self, text: str, channel: str = GPUS) -> CommandResult:
        """Ana types a slash command, and it was acknowledged."""
        result = self.person("ana").command(channel, text)
        assert result.acked, result
        return result

    def ready(self, text: str = "/gpu rent cpu 1h") -> Message:
        """Rent and wait for the card to say ready."""
        self.ana(text)
        return self.card("*ready*")


def _subject(message: Message) -> str | None:
    return ((message.metadata or {}).get("event_payload") or {}).get("subject")
