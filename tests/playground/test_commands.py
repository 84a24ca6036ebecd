"""Slash commands, response addresses and modals, with a real Bolt app on the other side."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from slack_bolt import Ack, App, Respond
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.playground.client import Person, PlaygroundError, Workspace

Connect = Callable[[App], SocketModeHandler]


def test_the_ack_is_shown_to_the_typist_alone(app: App, connect: Connect, ana: Person, ben: Person) -> None:
    @app.command("/gpu")
    def gpu(ack: Ack, command: dict[str, Any]) -> None:
        ack(text=f"you said {command['text']}")

    connect(app)
    result = ana.command("#gpus", "/gpu status")
    assert result.acked
    assert result.ack_delay_s is not None
    assert result.ack_delay_s < 1
    assert result.words == "you said status"
    assert [(m.text, m.ephemeral) for m in ana.sees("#gpus")] == [("you said status", True)]
    assert ben.sees("#gpus") == []
    ana.reload()
    assert ana.sees("#gpus") == []


def test_an_in_channel_ack_shows_the_command_too(app: App, connect: Connect, ana: Person, ben: Person) -> None:
    @app.command("/gpu")
    def gpu(ack: Ack) -> None:
        ack(text="for all", response_type="in_channel")

    connect(app)
    ana.command("#gpus", "/gpu status")
    assert [(m.author, m.text) for m in ben.sees("#gpus")] == [("ana", "/gpu status"), ("gpubot", "for all")]


def test_payload_is_slacks(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    seen: list[dict[str, Any]] = []

    @app.command("/gpu")
    def gpu(ack: Ack, body: dict[str, Any]) -> None:
        seen.append(body)
        ack()

    connect(app)
    ana.command("#gpus", "/gpu status @ben in #gpus a&b <x> https://x.org/y z.com me@z.org @nobody `@ben &`")
    ana.command("#private-lab", "/gpu")
    ana.command("dm", "/gpu")
    ws.settings(commands={"/gpu": False})
    ana.command("#gpus", "/gpu @ben")
    assert seen[0]["text"] == (
        "status <@U0BEN0000|ben> in <#C0GPUS000|gpus> a&amp;b &lt;x&gt; <https://x.org/y> "
        "<http://z.com|z.com> <mailto:me@z.org|me@z.org> @nobody `@ben &amp;`"
    )
    for name, value in {
        "team_id": "T0PLAY000",
        "team_domain": "playground",
        "channel_id": "C0GPUS000",
        "channel_name": "gpus",
        "user_id": "U0ANA0000",
        "user_name": "ana",
        "command": "/gpu",
        "api_app_id": "A0GPUBOT0",
        "is_enterprise_install": "false",
    }.items():
        assert seen[0][name] == value
    assert [s["channel_name"] for s in seen[1:3]] == ["privategroup", "directmessage"]
    assert seen[3]["text"] == "@ben"


def test_commands_work_where_the_bot_is_no_member(app: App, connect: Connect, ana: Person) -> None:
    @app.command("/gpu")
    def gpu(ack: Ack) -> None:
        ack(text="here too")

    connect(app)
    assert ana.command("#random", "/gpu").acked
    assert ana.sees("#random")[0].text == "here too"


def test_an_unacknowledged_command_times_out(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    ws.settings(ack_deadline_s=0.2)
    release = threading.Event()

    @app.command("/gpu")
    def gpu(ack: Ack) -> None:
        release.wait(5)
        ack("too late")

    connect(app)
    result = ana.command("#gpus", "/gpu")
    release.set()
    assert (result.acked, result.error) == (False, "operation_timeout")
    assert "operation_timeout" in ana.sees("#gpus")[-1].text
    assert ana.sees("#gpus")[-1].ephemeral


def test_a_command_without_a_connected_app_fails_at_once(ana: Person) -> None:
    result = ana.command("#gpus", "/gpu status")
    assert result.error == "dispatch_failed"
    assert "dispatch_failed" in ana.sees("#gpus")[-1].words


def test_commands_that_slack_does_not_send(ana: Person, ws: Workspace) -> None:
    said = ana.say("#gpus", "hello")
    assert ana.command("#gpus", "/gpu status", thread=said).error == "threads"
    assert ana.command("#gpus", "/gnu status").error == "invalid_command"
    with pytest.raises(PlaygroundError):
        ws.person("dee").command("#gpus", "/gpu status")
    with pytest.raises(PlaygroundError):
        ws.person("gus").command("#random", "/gpu status")


def test_a_strangers_command_carries_their_team(app: App, connect: Connect, ws: Workspace) -> None:
    teams: list[str] = []

    @app.command("/gpu")
    def gpu(ack: Ack, body: dict[str, Any]) -> None:
        teams.append(body["team_id"])
        ack()

    connect(app)
    ws.person("olga").command("#gpus", "/gpu")
    assert teams == ["T0OTHER00"]


def test_response_url_five_times_and_no_more(app: App, connect: Connect, ana: Person, ben: Person) -> None:
    statuses: list[int] = []
    done = threading.Event()

    @app.command("/gpu")
    def gpu(ack: Ack, respond: Respond) -> None:
        ack()
        statuses.append(respond(text="to all", response_type="in_channel").status_code)
        statuses.extend(respond(text=f"{i}").status_code for i in range(5))
        done.set()

    connect(app)
    ana.command("#random", "/gpu")
    assert done.wait(5)
    assert statuses == [200] * 5 + [404]
    assert [m.text for m in ana.sees("#random")] == ["to all", "0", "1", "2", "3"]
    assert [m.text for m in ben.sees("#random")] == ["to all"]


def test_response_url_is_strict(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    @app.command("/gpu")
    def gpu(ack: Ack) -> None:
        ack()

    connect(app)
    url = (ana.command("#gpus", "/gpu").payload or {})["response_url"]
    assert httpx.post(url, json={"text": ""}).json()["error"] == "no_text"
    assert httpx.post(url, json={"blocks": [{"type": "nonsense"}]}).json()["error"] == "invalid_blocks"
    assert httpx.post(url, content=b"{").status_code == 400
    ws.settings(response_url_lifetime_s=-1.0)
    url = (ana.command("#gpus", "/gpu").payload or {})["response_url"]
    assert httpx.post(url, json={"text": "late"}).json()["error"] == "expired_url"


MODAL = {
    "type": "modal",
    "callback_id": "rent",
    "title": {"type": "plain_text", "text": "Rent a GPU"},
    "submit": {"type": "plain_text", "text": "Rent"},
    "private_metadata": "m" * 3000,
    "blocks": [
        {
            "type": "input",
            "block_id": "length",
            "label": {"type": "plain_text", "text": "How long"},
            "element": {"type": "plain_text_input", "action_id": "duration"},
        }
    ],
}


def test_a_modal_is_opened_refused_and_submitted(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    @app.command("/gpu")
    def gpu(ack: Ack, client: WebClient, command: dict[str, Any]) -> None:
        client.views_open(trigger_id=command["trigger_id"], view=MODAL)
        ack()

    @app.view("rent")
    def rent(ack: Ack, view: dict[str, Any], client: WebClient, body: dict[str, Any]) -> None:
        duration = view["state"]["values"]["length"]["duration"]["value"]
        if duration != "4h":
            ack(response_action="errors", errors={"length": "Say it like 4h"})
            return
        ack()
        client.chat_postMessage(channel=body["user"]["id"], text=f"rented for {duration}")

    connect(app)
    ana.command("#gpus", "/gpu rent")
    modal = ana.modal()
    assert modal is not None
    assert "How long" in modal.words
    assert ana.submit(modal, duration="soon").errors == {"length": "Say it like 4h"}
    assert ana.submit(modal, duration="4h").errors == {}
    assert ana.modal() is None
    assert ws.wait_for(lambda: [m.text for m in ana.sees_dm()]) == ["rented for 4h"]


def test_triggers_are_young_and_used_once(
    app: App, connect: Connect, ana: Person, ws: Workspace, web: WebClient
) -> None:
    @app.command("/gpu")
    def gpu(ack: Ack) -> None:
        ack()

    def error(trigger_id: str) -> str:
        with pytest.raises(SlackApiError) as caught:
            web.views_open(trigger_id=trigger_id, view=MODAL)
        return str(caught.value.response["error"])

    connect(app)
    trigger = (ana.command("#gpus", "/gpu").payload or {})["trigger_id"]
    web.views_open(trigger_id=trigger, view=MODAL)
    assert error(trigger) == "exchanged_trigger_id"
    assert error("1.2.3") == "invalid_trigger_id"
    ws.settings(trigger_lifetime_s=-1.0)
    assert error((ana.command("#gpus", "/gpu").payload or {})["trigger_id"]) == "expired_trigger_id"


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": {"type": "plain_text", "text": "x" * 25}},
        {"private_metadata": "m" * 3001},
        {"blocks": [{"type": "divider"}] * 101},
        {"type": "drawer"},
        {"submit": None},
    ],
    ids=lambda wrong: str(next(iter(wrong))),
)
def test_views_have_limits(web: WebClient, ws: Workspace, wrong: dict[str, Any]) -> None:
    with pytest.raises(SlackApiError) as caught:
        web.views_open(trigger_id="1.2.3", view=MODAL | wrong)
    assert caught.value.response["error"] == "invalid_arguments"


def test_the_home_tab(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "Your leases"}}

    @app.event("app_home_opened")
    def opened(event: dict[str, Any], client: WebClient) -> None:
        client.views_publish(user_id=event["user"], view={"type": "home", "blocks": [section]})

    connect(app)
    ana.open_home()
    home = ws.wait_for(ana.home)
    assert "Your leases" in home.words
