"""The server's life and the workspace's: seeds, manifests, restarts, people, waiting."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from slack_sdk import WebClient

from bot.playground.client import Person, PlaygroundError, Workspace
from bot.playground.server import PlaygroundServer


def test_a_restart_keeps_what_was_said_or_not() -> None:
    server = PlaygroundServer(settings={"limits_on": False})
    with server:
        port = server.port
        with Workspace(server.base_url) as ws:
            ws.person("ana").say("#gpus", "before")
    for fresh, expected in ((False, ["before"]), (True, [])):
        server.start(fresh=fresh)
        assert server.port == port
        with Workspace(server.base_url) as ws:
            assert [m.text for m in ws.person("ana").sees("#gpus")] == expected
            assert ws.facts()["settings"]["limits_on"] is False
        server.stop()
    server.stop()


def test_a_manifest_decides_scopes_events_commands_and_the_messages_tab() -> None:
    manifest = {
        "features": {
            "slash_commands": [{"command": "/gpux", "should_escape": False}],
            "app_home": {"messages_tab_enabled": False},
        },
        "oauth_config": {"scopes": {"bot": ["chat:write"]}},
        "settings": {"event_subscriptions": {"bot_events": ["app_mention"]}},
    }
    with PlaygroundServer(manifest=manifest) as server, Workspace(server.base_url) as ws:
        settings = ws.facts()["settings"]
        assert settings["scopes"] == ["chat:write"]
        assert settings["subscriptions"] == ["app_mention"]
        assert settings["commands"] == {"/gpux": False}
        assert settings["messages_tab"] is False


def test_it_starts_from_the_command_line_with_a_seed(tmp_path: Path) -> None:
    seed = tmp_path / "seed.json"
    people = [{"name": "zoe", "tz_offset": 7200}]
    seed.write_text(json.dumps({"people": people, "channels": [{"name": "lab", "members": ["zoe", "gpubot"]}]}))
    command = [sys.executable, "-m", "bot.playground", "--port", "0", "--seed", str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip().rpartition(" ")[2]
            with urllib.request.urlopen(f"{address}/control/workspace", timeout=5) as answer:  # noqa: S310
                told = json.load(answer)
        finally:
            process.terminate()
    assert [p["name"] for p in told["people"]] == ["gpubot", "zoe"]
    assert told["channels"][0]["members"] == [told["people"][1]["id"], "U0GPUBOT0"]


def test_people_and_channels_change_while_it_runs(ws: Workspace, ana: Person, web: WebClient) -> None:
    ws.change_person("ana", deleted=True)
    with pytest.raises(PlaygroundError):
        ana.say("#gpus", "still here?")
    ws.change_person("ida", real_name="Ida New")
    ws.change_channel("#new", members=["ida", "gpubot"])
    ida = ws.person("ida")
    ida.say("#new", "hello")
    assert [m.author for m in ida.sees("#new")] == ["ida"]
    assert web.users_info(user=ida.id)["user"]["real_name"] == "Ida New"
    with pytest.raises(PlaygroundError):
        ws.change_person("ida", shoe_size=38)
    with pytest.raises(PlaygroundError):
        ws.settings(gravity=9)


def test_people_see_only_what_is_theirs(ws: Workspace, ana: Person) -> None:
    ana.say("#private-lab", "secret")
    for stranger in ("cy", "gus", "olga"):
        with pytest.raises(PlaygroundError):
            ws.person(stranger).sees("#private-lab")
    with pytest.raises(PlaygroundError):
        ws.person("gus").sees("#random")
    ws.person("cy").join("#gpus")
    with pytest.raises(KeyError):
        ws.person("nobody")


def test_looking_since_and_again(ana: Person, ben: Person) -> None:
    first = ana.say("#gpus", "one")
    ana.say("#gpus", "two")
    assert [m.text for m in ben.sees("#gpus", since=first.ts)] == ["two"]
    ben.react(first, ":eyes:")
    now = ben.again(first)
    assert now is not None
    assert now.reactions == {"eyes": [ben.id]}
    ana.delete(first)
    assert ben.again(first) is None
    with pytest.raises(PlaygroundError):
        ben.delete(ana.sees("#gpus")[0])


def test_waiting_ends_when_it_is_seen_or_in_time(ws: Workspace, ana: Person, web: WebClient) -> None:
    last, _ = ws.events()
    web.chat_postMessage(channel="C0GPUS000", text="news")
    _, events = ws.events(last, timeout_s=5)
    assert "message" in [e["kind"] for e in events]
    assert ws.wait_for(lambda: ana.find("#gpus", "news")).text == "news"
    with pytest.raises(TimeoutError):
        ws.wait_for(lambda: ana.find("#gpus", "never"), timeout_s=0.1)


def test_calls_are_recorded_with_arguments_and_outcome(ws: Workspace, web: WebClient) -> None:
    web.chat_postMessage(channel="C0GPUS000", text="hi")
    call = ws.calls("chat.postMessage")[0]
    assert (call.args["text"], call.ok, call.status) == ("hi", True, 200)
    assert "token" not in call.args
