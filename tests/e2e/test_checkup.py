"""``python -m bot check`` as an operator runs it: a real process, a workspace that is well or is not."""

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.playground.client import Workspace
from bot.playground.server import PlaygroundServer
from handlers.manifest import SCOPES, manifest
from handlers.words.checkup import LIVE_EPHEMERAL, LIVE_POSTED
from tests.e2e.deployment import ANA, BEN, GPUS

HOME = Path(__file__).parents[2]
POLICY = f'approvers = ["{BEN}"]\nadmins = ["{ANA}"]\n'
SECRET = "sesame-99"
TELLTALE = f":nosuch,pass={SECRET}:bucket"
"""A destination that rclone repeats whole when it refuses it."""


@dataclass
class Seen:
    """What one run of the command printed and found."""

    status: int
    output: str
    findings: list[dict[str, Any]] = field(default_factory=list)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [finding for finding in self.findings if finding["kind"] == kind]

    def one(self, kind: str) -> dict[str, Any]:
        found = self.of(kind)
        assert len(found) == 1, (kind, self.output)
        return found[0]

    def not_ok(self) -> dict[str, str]:
        """Kinds by verdict, of what is not well but for that machines are simulated here."""
        found = {finding["kind"]: finding["verdict"] for finding in self.findings if finding["verdict"] != "ok"}
        assert found.pop("simulated-offers", "warn") == "warn"
        return found


class Operator:
    """Somebody at a terminal, with a directory for everything."""

    def __init__(self, server: PlaygroundServer, root: Path) -> None:
        self.root, self.server = root, server
        (root / "policy.toml").write_text(POLICY)

    def check(self, *options: str, **settings: str) -> Seen:
        environment: Mapping[str, str] = {
            **os.environ,
            "SLACK_BOT_TOKEN": self.server.bot_token,
            "SLACK_APP_TOKEN": self.server.app_token,
            "SLACK_API_URL": self.server.api_url,
            "DATABASE_URL": f"sqlite:///{self.root / 'db' / 'gpubot.db'}",
            "DATA_DIR": str(self.root / "data"),
            "POLICY_FILE": str(self.root / "policy.toml"),
            "HOME_CHANNEL": GPUS,
            "ARCHIVE": str(self.root / "archive"),
            "PROVIDERS": "local",
            **settings,
        }
        done = subprocess.run(
            [sys.executable, "-m", "bot", "check", *options],
            env=environment,
            cwd=HOME,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert not done.stderr, done.stderr
        findings = json.loads(done.stdout)["findings"] if "--json" in options else []
        return Seen(done.returncode, done.stdout, findings)


@pytest.fixture(scope="module")
def server() -> Iterator[PlaygroundServer]:
    running = PlaygroundServer(manifest=manifest(), settings={"limits_on": False})
    running.start()
    yield running
    running.stop()


@pytest.fixture
def workspace(server: PlaygroundServer) -> Iterator[Workspace]:
    """As the seed has it, at the beginning of each test."""
    with Workspace(server.base_url) as client:
        client.reset()
        yield client


@pytest.fixture
def operator(server: PlaygroundServer, workspace: Workspace, tmp_path: Path) -> Operator:
    return Operator(server, tmp_path)


def state(server: PlaygroundServer) -> dict[str, Any]:
    """Everything that is in the workspace, but for what counts its ids and time stamps."""
    told = dataclasses.asdict(server.playground.team)
    return {name: value for name, value in told.items() if not name.startswith("_")}


def test_all_is_well_and_looking_leaves_nothing(operator: Operator, server: PlaygroundServer) -> None:
    before = state(server)
    seen = operator.check()
    assert seen.status == 0, seen.output
    assert [line.split(":")[0] for line in seen.output.splitlines() if "warn " in line] == ["  warn  local"]
    for mark in ("FAIL", "  ?  "):
        assert mark not in seen.output
    assert f"  ok    the bot is a member of the home channel {GPUS}\n" in seen.output
    assert f"  ok    all {len(SCOPES)} scopes of the manifest are granted\n" in seen.output
    assert "read back" in seen.output
    assert server.bot_token not in seen.output
    assert server.app_token not in seen.output
    assert state(server) == before
    assert [path.name for path in operator.root.iterdir()] == ["policy.toml"]


def test_a_wrong_token_hides_nothing_else_and_no_secret_shows(operator: Operator) -> None:
    seen = operator.check("--json", SLACK_BOT_TOKEN=f"xoxb-{SECRET}", ARCHIVE=TELLTALE, SECRET_KEY=SECRET)
    assert seen.status == 1
    assert seen.one("token-refused")["facts"] == {"setting": "SLACK_BOT_TOKEN", "reason": "invalid_auth"}
    assert "copy the token again" in seen.one("token-refused")["advice"]
    assert seen.one("app-token")["verdict"] == "ok"
    assert seen.one("key-wrong")["verdict"] == seen.one("archive-refused")["verdict"] == "fail"
    assert seen.one("archive-refused")["facts"]["why"] == "no-archive"
    assert seen.one("simulated-offers")["facts"]["provider"] == "local"
    assert {finding["group"] for finding in seen.of("not-looked-at")} == {"scopes", "people"}
    assert SECRET not in seen.output


def test_scopes_are_compared_with_the_manifest(operator: Operator, workspace: Workspace) -> None:
    workspace.settings(scopes=[*(set(SCOPES) - {"files:write", "chat:write"}), "channels:manage"])
    seen = operator.check("--json")
    assert seen.status == 1
    missing = {finding["facts"]["scope"]: finding["what"] for finding in seen.of("scope-missing")}
    assert set(missing) == {"files:write", "chat:write"}
    assert "loss curves cannot be shown" in missing["files:write"]
    assert seen.one("scope-unused")["facts"] == {"scope": "channels:manage"}
    assert seen.not_ok() == {"scope-missing": "fail", "scope-unused": "warn"}


def test_files_in_threads_need_a_scope_more(operator: Operator) -> None:
    seen = operator.check("--json", THREAD_FILES_MIB="5")
    assert seen.not_ok() == {"scope-missing": "fail"}
    missing = seen.one("scope-missing")
    assert missing["facts"] == {"scope": "files:read"}
    assert "files that people drop in machines' threads cannot be had" in missing["what"]
    told = seen.one("thread-files")["what"]
    assert "up to 5 MiB" in told
    assert "subscribed to message.channels and message.groups" in told


def test_an_archive_that_refuses(operator: Operator) -> None:
    (operator.root / "archive").write_text("a file, and no folder")
    seen = operator.check("--json")
    assert seen.status == 1
    assert seen.not_ok() == {"archive-refused": "fail"}
    refused = seen.one("archive-refused")
    assert refused["facts"]["why"] == "destination-refused"
    assert str(operator.root / "archive") in refused["what"]
    assert (operator.root / "archive").read_text() == "a file, and no folder"


def test_all_faults_are_told_and_what_can_be_looked_at_is(operator: Operator, workspace: Workspace) -> None:
    workspace.change_person("gpubot", app_id="A0OTHER00")
    workspace.change_person("ben", deleted=True)
    (operator.root / "policy.toml").write_text(f'approvers = ["{BEN}", "U0TYPO000"]\n')
    (operator.root / "data").mkdir()
    (operator.root / "data" / "secret.key").write_text("readable by all\n")
    (operator.root / "data" / "secret.key").chmod(0o644)
    seen = operator.check(
        "--json", LOOK_S="-1", LOG_LEVEL="loud", PROVIDERS="local,nimbus", ARCHIVE="", HOME_CHANNEL="", DATABASE_URL="x"
    )
    assert seen.status == 1
    assert [finding["what"].split(":")[0] for finding in seen.of("setting-wrong")] == [
        "LOOK_S",
        "LOG_LEVEL",
        "PROVIDERS",
    ]
    assert "chmod 600" in seen.one("key-wrong")["what"]
    assert seen.one("two-apps")["facts"]["bot_app"] == "A0OTHER00"
    assert seen.one("person-unknown")["facts"]["user"] == "U0TYPO000"
    assert seen.one("person-not-allowed")["facts"] == {"role": "approvers", "user": BEN, "what": "deactivated"}
    expected = {"setting-wrong", "key-wrong", "two-apps", "person-unknown", "person-not-allowed", "database-wrong"}
    assert set(seen.not_ok()) == expected | {"no-archive", "no-home-channel"}
    assert seen.one("simulated-offers")["facts"]["in_stock"]


def test_a_channel_that_the_bot_is_not_in(operator: Operator, workspace: Workspace) -> None:
    workspace.change_channel("gpus", members=["ana"])
    seen = operator.check("--json", "--live", "#gpus")
    assert seen.status == 1
    assert seen.not_ok() == {"home-channel-closed": "fail", "live-refused": "fail"}
    for kind in seen.not_ok():
        assert seen.one(kind)["facts"]["reason"] == "not_in_channel"
        assert "/invite @gpubot" in seen.one(kind)["advice"]


def test_the_try_in_a_channel_leaves_nothing_behind(
    operator: Operator, server: PlaygroundServer, workspace: Workspace
) -> None:
    workspace.settings(file_processing_s=1.0)
    workspace.person("ana").say(GPUS, "good morning")
    before, _ = workspace.events()
    was = state(server)
    seen = operator.check("--json", "--live", "#gpus")
    assert seen.status == 0, seen.output
    assert seen.not_ok() == {}
    assert state(server) == was
    assert [step["facts"]["step"] for step in seen.of("live-step")] == [
        "post",
        "find",
        "edit",
        "react",
        "unreact",
        "upload",
        "look-up",
        "delete-message",
        "delete-picture",
    ]
    assert seen.one("live-picture")["facts"]["took_s"] >= 1.0
    assert seen.one("live-socket")["verdict"] == "ok"
    _, happened = workspace.events(after=before)
    kinds = [event["kind"] for event in happened]
    for kind in ("message", "message_changed", "reaction_added", "reaction_removed", "socket_opened"):
        assert kind in kinds
    assert kinds.index("message_deleted") > kinds.index("message_changed")


def test_the_try_says_what_differed(operator: Operator, workspace: Workspace) -> None:
    """Texts are cut, edits and uploads refused, the message cannot be deleted: each is told, and the rest is tried."""
    workspace.settings(post_text_limit=50)
    workspace.misbehave.refuse_edits()
    workspace.misbehave.refuse("files.getUploadURLExternal", "storage_limit_reached")
    workspace.misbehave.refuse("chat.delete", "cant_delete_message")
    seen = operator.check("--json", "--live", GPUS, "--user", ANA)
    assert seen.status == 1
    assert seen.one("live-text-changed")["facts"]["came"] == LIVE_POSTED[:50]
    refused = {finding["facts"]["step"]: finding["facts"]["reason"] for finding in seen.of("live-refused")}
    assert refused == {"edit": "edit_window_closed", "upload": "storage_limit_reached"}
    assert seen.one("live-left-behind")["facts"]["reason"] == "cant_delete_message"
    assert set(seen.not_ok()) == {"live-text-changed", "live-refused", "live-left-behind"}
    assert "ephemeral" in [step["facts"]["step"] for step in seen.of("live-step")]
    assert [m.text for m in workspace.person("ana").sees(GPUS) if m.ephemeral] == [LIVE_EPHEMERAL]
