"""Files that people send: what an app is told of them, and what it may read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from slack_bolt import Ack, App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.playground.client import Person, PlaygroundError, Workspace
from bot.playground.client_types import Json
from bot.playground.server import PlaygroundServer
from tests.playground.block_examples import modal

Connect = Callable[[App], SocketModeHandler]
GPUS = "C0GPUS000"


def events(app: App, kind: str) -> list[Json]:
    seen: list[Json] = []

    @app.event(kind)
    def take(event: dict[str, Any]) -> None:
        seen.append(event)

    return seen


def test_a_persons_file_reaches_an_app_that_may_read_it(
    app: App, connect: Connect, ana: Person, ws: Workspace, web: WebClient, server: PlaygroundServer
) -> None:
    ws.settings(
        scopes=["files:read", "channels:history", "chat:write"], subscriptions=["message.channels", "file_shared"]
    )
    said, shared = events(app, "message"), events(app, "file_shared")
    connect(app)
    card = web.chat_postMessage(channel=GPUS, text="card")["ts"]
    sent = ana.upload("#gpus", "train.py", b"print(1)", "have a look @ben", thread=str(card))
    file_id = sent.files[0]
    ws.wait_for(lambda: said and shared)
    event = said[0]
    assert (event["subtype"], event["text"], event["upload"]) == ("file_share", "have a look <@U0BEN0000>", True)
    assert (event["thread_ts"], event["files"][0]["name"]) == (card, "train.py")
    assert {k: shared[0][k] for k in ("file_id", "user_id", "channel_id", "file")} == {
        "file_id": file_id,
        "user_id": ana.id,
        "channel_id": GPUS,
        "file": {"id": file_id},
    }
    told = web.files_info(file=file_id)["file"]
    assert (told["user"], told["shares"]["public"][GPUS]) == (ana.id, [{"ts": sent.ts}])
    bearer = {"Authorization": f"Bearer {server.bot_token}"}
    assert httpx.get(told["url_private"], headers=bearer, trust_env=False).content == b"print(1)"
    assert httpx.get(told["url_private"], trust_env=False).status_code == 403


def test_an_app_that_may_not_read_files_learns_only_that_there_is_one(
    app: App, connect: Connect, ana: Person, ws: Workspace, web: WebClient, server: PlaygroundServer
) -> None:
    ws.settings(scopes=["channels:history"], subscriptions=["message.channels", "file_shared"])
    said, shared = events(app, "message"), events(app, "file_shared")
    connect(app)
    file_id = ana.upload("#gpus", "secret.txt", b"secret").files[0]
    ana.say("#gpus", "after it")
    ws.wait_for(lambda: len(said) == 2)
    assert said[0]["files"][0]["file_access"] == "check_file_info"
    assert "secret" not in json.dumps(said[0])
    assert shared == []
    with pytest.raises(SlackApiError):
        web.files_info(file=file_id)
    bearer = {"Authorization": f"Bearer {server.bot_token}"}
    address = f"{server.base_url}/files/{file_id}/secret.txt"
    assert httpx.get(address, headers=bearer, trust_env=False).status_code == 403


def test_uploads_obey_the_rules_of_messages(http: httpx.Client, ana: Person, ws: Workspace) -> None:
    with pytest.raises(PlaygroundError):
        ws.person("gus").upload("#random", "a.txt", b"a")
    with pytest.raises(PlaygroundError):
        ana.upload("#gpus", "a.txt", b"a", thread="1.000100")
    assert http.post("/control/act/upload", data={"user": "ana", "channel": GPUS}).status_code == 409
    script = ana.upload("#gpus", "x.html", b"<script>1</script>")
    served = http.get(f"/control/files/{script.files[0]}")
    assert served.headers["content-security-policy"].startswith("sandbox")
    told = http.get("/control/page/messages", params={"user": "ana", "channel": GPUS}).json()
    assert told["messages"][0]["files"][0] == {
        "id": script.files[0],
        "name": "x.html",
        "title": "x.html",
        "alt": "",
        "size": 18,
        "mimetype": "text/html",
    }


def test_a_file_for_a_modal_is_told_to_the_app_when_it_is_submitted(
    app: App, connect: Connect, http: httpx.Client, ana: Person, ws: Workspace
) -> None:
    told: list[Json] = []
    view = modal("files")
    element = {"type": "file_input", "action_id": "data"}
    view["blocks"].append({"type": "input", "block_id": "f", "label": view["title"], "element": element})

    @app.command("/gpu")
    def gpu(ack: Ack, client: WebClient, command: dict[str, Any]) -> None:
        client.views_open(trigger_id=command["trigger_id"], view=view)
        ack()

    @app.view("files")
    def submitted(ack: Ack, view: dict[str, Any]) -> None:
        told.append(view["state"]["values"])
        ack()

    connect(app)
    ana.command("#gpus", "/gpu")
    kept = http.post("/control/act/upload", data={"user": "ana"}, files={"file": ("d.csv", b"1,2")}).json()["files"]
    assert ana.sees("#gpus") == []
    opened = ana.modal()
    assert opened is not None
    assert ana.submit(opened, data=kept, gpu="l4", hours="2").errors == {}
    assert [(f["id"], f["name"]) for f in told[0]["f"]["data"]["files"]] == [(kept[0], "d.csv")]
    assert told[0]["h"]["hours"]["value"] == "2"
