"""The page's files and what it asks of the server, over real HTTP."""

from __future__ import annotations

import json
import re
import threading
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


def state(http: httpx.Client, who: str = "ana") -> Json:
    told: Json = http.get("/control/page", params={"user": who}).raise_for_status().json()
    return told


def channel(http: httpx.Client, who: str, name: str) -> Json:
    return next(c for c in state(http, who)["channels"] if c["name"] == name)


def messages(http: httpx.Client, who: str, **query: str) -> list[Json]:
    told = http.get("/control/page/messages", params={"user": who, "channel": GPUS, **query}).raise_for_status().json()
    return list(told["messages"])


# the files


@pytest.mark.parametrize("address", ["/", "/archives/C0GPUS000/p1700000000000100"])
def test_the_page_is_served_at_its_addresses(http: httpx.Client, address: str) -> None:
    page = http.get(address)
    assert page.status_code == 200
    assert 'src="/page/js/main.js"' in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]


def test_the_page_names_no_host_but_this_one(http: httpx.Client) -> None:
    from bot.playground.page_routes import PAGE

    for file in PAGE.rglob("*.*"):
        served = http.get(f"/page/{file.relative_to(PAGE)}")
        assert served.status_code == 200, file
        assert served.content == file.read_bytes()
        if file.suffix in (".html", ".js", ".css"):
            words = file.read_text(encoding="utf-8")
            assert "innerHTML" not in words, file
            named = re.findall(r"""(?:src=|href=|url\(|from |import\()\s*["']?((?:https?:)?//[^"')\s]+)""", words)
            assert named == [], file
    assert http.get("/page/../server.py").status_code == 404


def test_another_site_cannot_act_here(http: httpx.Client, ws: Workspace) -> None:
    body = json.dumps({"user": "ana", "channel": GPUS, "text": "planted"})
    foreign = [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}]
    for headers in foreign:
        assert http.post("/control/act/message", content=body, headers=headers).status_code == 403
    assert ws.person("ana").sees("#gpus") == []
    own = {"Origin": str(http.base_url).rstrip("/")}
    assert http.post("/control/act/message", content=body, headers=own).status_code == 200


# what it reads


def test_each_person_sees_their_own_workspace(http: httpx.Client, ws: Workspace) -> None:
    def names(who: str) -> list[str]:
        return [c["name"] for c in state(http, who)["channels"] if c["kind"] != "im"]

    assert names("ana") == ["gpus", "random", "private-lab"]
    assert names("cy") == ["gpus", "random"]
    assert names("gus") == ["gpus"]
    assert [sum(c["kind"] == "im" for c in state(http, who)["channels"]) for who in ("ana", "cy")] == [1, 1]
    assert http.get("/control/page", params={"user": "dee"}).status_code == 409
    assert http.get("/control/page").json()["me"]["name"] == "ana"


def test_commands_come_with_the_manifests_hints(http: httpx.Client, ws: Workspace) -> None:
    assert state(http)["commands"] == [{"command": "/gpu", "description": "", "usage_hint": ""}]
    hint = {"description": "Rent GPUs", "usage_hint": "rent | help"}
    with PlaygroundServer(
        manifest={"features": {"slash_commands": [{"command": "/gpu", **hint}]}}, welcome="Try `/gpu help`"
    ) as server:
        told = httpx.get(f"{server.base_url}/control/page", trust_env=False).json()
    assert told["commands"] == [{"command": "/gpu", **hint}]
    assert told["welcome"] == "Try `/gpu help`"
    assert (told["home_tab"], told["messages_tab"]) == (False, False)


def test_what_is_unread(http: httpx.Client, ana: Person, ben: Person, web: WebClient) -> None:
    said = ben.say("#gpus", "morning @ana")
    ben.say("#gpus", "anybody?")
    ana.say("#gpus", "here")
    ben.reply(said, "in a thread")
    web.chat_postEphemeral(channel=GPUS, user=ana.id, text="only you")
    told = channel(http, "ana", "gpus")
    assert (told["unread"], told["mentions"]) == (2, 1)
    assert messages(http, "ana")[0]["unread_replies"] == 1
    last = messages(http, "ana")[-1]["ts"]
    http.post("/control/act/read", json={"user": "ana", "channel": GPUS, "ts": last}).raise_for_status()
    http.post("/control/act/read", json={"user": "ana", "channel": GPUS, "ts": said.ts}).raise_for_status()
    told = channel(http, "ana", "gpus")
    assert (told["unread"], told["mentions"], told["read"]) == (0, 0, last)
    assert channel(http, "ben", "gpus")["unread"] == 1
    reply = {"user": "ana", "channel": GPUS, "ts": last, "thread_ts": said.ts}
    http.post("/control/act/read", json=reply).raise_for_status()
    assert messages(http, "ana")[0]["unread_replies"] == 0


def test_a_long_channel_is_told_from_its_end(http: httpx.Client, ana: Person) -> None:
    for i in range(5):
        ana.say("#gpus", str(i))
    query = {"user": "ana", "channel": GPUS, "limit": "2"}
    told = http.get("/control/page/messages", params=query).json()
    assert ([m["text"] for m in told["messages"]], told["earlier"]) == (["3", "4"], 3)


# the news


def test_news_reach_whom_they_concern(server: PlaygroundServer, ana: Person, ben: Person, web: WebClient) -> None:
    with (
        httpx.Client(base_url=server.base_url, trust_env=False, timeout=10) as client,
        client.stream("GET", "/control/page/news", params={"user": "cy"}) as stream,
    ):
        lines = (line for line in stream.iter_lines() if line.startswith(("event", "data")))
        assert [next(lines), next(lines)] == ["event: hello", "data: {}"]
        web.chat_postEphemeral(channel=GPUS, user=ana.id, text="not for cy")
        ana.say("#private-lab", "not for cy")
        said = ana.say("#gpus", "for all")
        facts = (json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: "))
        # An app of another test may be taking its leave; that is news for everybody.
        fact = next(f for f in facts if f.get("channel"))
        assert fact == {"kind": "message", "channel": GPUS, "ts": said.ts, "thread_ts": None, "user": ana.id}


def test_an_open_page_does_not_hold_up_the_end() -> None:
    server = PlaygroundServer().start()
    opened, ended = threading.Event(), threading.Event()

    def watch() -> None:
        address = f"{server.base_url}/control/page/news"
        with httpx.stream("GET", address, params={"user": "ana"}, trust_env=False, timeout=20) as stream:
            for _ in stream.iter_lines():
                opened.set()
        ended.set()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    assert opened.wait(10)
    server.stop()
    assert ended.wait(5)
    with server:
        assert httpx.get(f"{server.base_url}/control/page", trust_env=False).status_code == 200


# modals and the home tab


@pytest.fixture
def stacked(app: App, connect: Connect, ana: Person) -> list[Json]:
    """Ana has two modals open, one over the other; what the app is told about them."""
    seen: list[Json] = []

    @app.command("/gpu")
    def gpu(ack: Ack, client: WebClient, command: dict[str, Any]) -> None:
        client.views_open(trigger_id=command["trigger_id"], view=modal("under", notify_on_close=True))
        ack()

    @app.action("gpu")
    def chosen(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        seen.append(body)
        client.views_push(trigger_id=body["trigger_id"], view=modal("over", notify_on_close=True))
        ack()

    @app.view_closed("under")
    def under(ack: Ack, body: dict[str, Any]) -> None:
        seen.append(body)
        ack()

    @app.view_closed("over")
    def over(ack: Ack, body: dict[str, Any]) -> None:
        seen.append(body)
        ack()

    connect(app)
    ana.command("#gpus", "/gpu")
    return seen


def test_a_choice_in_a_modal_tells_what_its_inputs_hold(http: httpx.Client, ana: Person, stacked: list[Json]) -> None:
    view = ana.modal()
    assert view is not None
    body = {"user": "ana", "view_id": view.id, "action_id": "gpu", "chosen": "a100", "values": {"hours": "12"}}
    assert http.post("/control/act/click", json=body).json()["acked"]
    values = stacked[0]["view"]["state"]["values"]
    assert values["g"]["gpu"]["selected_option"]["value"] == "a100"
    assert values["h"]["hours"]["value"] == "12"
    first, second = state(http)["modals"]
    assert second["previous_view_id"] == first["id"] == second["root_view_id"]


def test_closing_modals_is_told_to_an_app_that_asked(ana: Person, ws: Workspace, stacked: list[Json]) -> None:
    under = ana.modal()
    assert under is not None
    ana.click(under, "gpu", chosen="a100")
    over = ana.modal()
    assert over is not None
    ana.close(over)
    assert ana.modal() == under
    ana.click(under, "gpu", chosen="l4")
    again = ana.modal()
    assert again is not None
    ana.close(again, whole_stack=True)
    assert ana.modal() is None
    closed = ws.wait_for(lambda: [b for b in stacked if b["type"] == "view_closed"][2:] and stacked)
    told = [(b["view"]["callback_id"], b["is_cleared"]) for b in closed if b["type"] == "view_closed"]
    assert told[0] == ("over", False)
    assert sorted(told[1:]) == [("over", True), ("under", True)]
    with pytest.raises(PlaygroundError):
        ana.close(under)


def test_a_home_tab_that_the_manifest_leaves_off_is_refused(web: WebClient, ana: Person, ws: Workspace) -> None:
    home = {"type": "home", "blocks": [{"type": "divider"}]}
    web.views_publish(user_id=ana.id, view=home)
    ws.settings(home_tab=False)
    with pytest.raises(SlackApiError) as caught:
        web.views_publish(user_id=ana.id, view=home)
    assert caught.value.response["error"] == "not_enabled"
