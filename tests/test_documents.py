"""README, manifest and code tell the same: commands, settings, scopes, buttons."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from bot.config import Settings
from bot.domain.commands import Verb
from handlers.action_ids import ActionId
from handlers.listeners import PRESSES
from handlers.manifest import EVENTS, SCOPES, THREAD_FILES_EVENTS, THREAD_FILES_SCOPES, manifest

HOME = Path(__file__).parents[1]
README = (HOME / "README.md").read_text(encoding="utf-8")


def _section(title: str) -> str:
    return README.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_the_manifest_file_is_what_the_command_prints() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "bot", "manifest"], capture_output=True, text=True, check=True, cwd=HOME
    ).stdout
    assert (HOME / "manifest.json").read_text(encoding="utf-8") == printed
    assert json.loads(printed) == manifest()


def test_every_scope_has_its_reason_in_the_readme() -> None:
    for scope, reason in {**SCOPES, **THREAD_FILES_SCOPES, **THREAD_FILES_EVENTS}.items():
        assert f"| `{scope}` | {reason} |" in README


def test_files_in_threads_are_asked_for_only_where_they_are_taken() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "bot", "manifest"],
        capture_output=True,
        text=True,
        check=True,
        cwd=HOME,
        env={**os.environ, "THREAD_FILES_MIB": "5"},
    )
    asked = json.loads(told.stdout)
    assert asked == manifest(thread_files=True)
    assert set(asked["oauth_config"]["scopes"]["bot"]) == {*SCOPES, "files:read"}
    events = asked["settings"]["event_subscriptions"]["bot_events"]
    assert set(events) == {*EVENTS, "message.channels", "message.groups"}
    for name, reason in {**THREAD_FILES_SCOPES, **THREAD_FILES_EVENTS}.items():
        assert f"  {name}: {reason}\n" in told.stderr


def test_the_readme_lists_the_verbs_that_there_are() -> None:
    listed = set(re.findall(r"^\| `([a-z]+)", _section("Commands"), re.MULTILINE))
    assert listed == {verb.value for verb in Verb}


def test_the_readme_lists_every_setting() -> None:
    listed = set(re.findall(r"^\| `([A-Z_]+)`", _section("Settings"), re.MULTILINE))
    assert listed == {name.upper() for name in Settings.model_fields}


def test_every_button_has_a_listener() -> None:
    assert set(PRESSES) == set(ActionId)


def test_the_readmes_make_targets_exist() -> None:
    makefile = (HOME / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
