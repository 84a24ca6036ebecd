"""Mentions, direct messages, clicks, reactions: what people do reaches a real Bolt app in Slack's shapes."""

from __future__ import annotations

import queue
from collections.abc import Callable
from typing import Any

import pytest
from slack_bolt import Ack, App, Respond, Say
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

from bot.playground.client import Person, PlaygroundError, Workspace

Connect = Callable[[App], SocketModeHandler]

BUTTONS = [
    {"type": "section", "text": {"type": "mrkdwn", "text": "Release *amber-fox*?"}},
    {
        "type": "actions",
        "block_id": "question",
        "elements": [
            {
                "type": "button",
                "action_id": "release.yes",
                "text": {"type": "plain_text", "text": "Release"},
                "value": "lease-1",
                "style": "danger",
            },
            {
                "type": "static_select",
                "action_id": "size",
                "options": [{"text": {"type": "plain_text", "text": "Big"}, "value": "big"}],
            },
        ],
    },
]


def record(app: App, *events: str | dict[str, str | None]) -> queue.Queue[dict[str, Any]]:
    """Collects the bodies of these events."""
    bodies: queue.Queue[dict[str, Any]] = queue.Queue()

    def put(body: dict[str, Any]) -> None:
        bodies.put(body)

    for event in events:
        app.event(event)(put)
    return bodies


def test_a_mention(app: App, connect: Connect, ana: Person) -> None:
    bodies = record(app, "app_mention")
    connect(app)
    said = ana.say("#gpus", "@gpubot status <now>")
    body = bodies.get(timeout=5)
    assert body["type"] == "event_callback"
    assert (body["team_id"], body["api_app_id"]) == ("T0PLAY000", "A0GPUBOT0")
    assert body["authorizations"][0]["user_id"] == "U0GPUBOT0"
    event = body["event"]
    assert event["text"] == "<@U0GPUBOT0> status &lt;now&gt;"
    assert (event["user"], event["channel"], event["ts"]) == (ana.id, "C0GPUS000", said.ts)
    assert event["event_ts"] == said.ts
    assert "thread_ts" not in event
    ana.reply(said, "@gpubot and here")
    assert bodies.get(timeout=5)["event"]["thread_ts"] == said.ts


def test_plain_messages_come_only_if_subscribed(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    bodies = record(app, "message", "app_mention")
    connect(app)
    ana.say("#gpus", "not for the bot")
    ws.settings(subscriptions=["app_mention", "message.channels"])
    ana.say("#gpus", "@gpubot both kinds")
    kinds = {bodies.get(timeout=5)["event"]["type"] for _ in range(2)}
    assert kinds == {"app_mention", "message"}


def test_a_direct_message(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    bodies = record(app, "message", "app_mention")
    connect(app)
    ana.dm("@gpubot status")
    event = bodies.get(timeout=5)["event"]
    assert (event["type"], event["channel_type"]) == ("message", "im")
    assert event["channel"].startswith("D")
    ana.dm("again")
    assert bodies.get(timeout=5)["event"]["text"] == "again"
    ws.settings(messages_tab=False)
    with pytest.raises(PlaygroundError):
        ana.dm("hello?")


def test_a_mention_where_the_bot_is_no_member_is_not_told(app: App, connect: Connect, ana: Person) -> None:
    bodies = record(app, "app_mention", "member_joined_channel")
    connect(app)
    ana.say("#random", "@gpubot hello")
    assert "not in this channel" in ana.sees("#random")[-1].text
    ana.invite("gpubot", "#random")
    joined = bodies.get(timeout=5)["event"]
    assert (joined["type"], joined["user"], joined["inviter"]) == ("member_joined_channel", "U0GPUBOT0", ana.id)
    ana.say("#random", "@gpubot again")
    assert bodies.get(timeout=5)["event"]["text"] == "<@U0GPUBOT0> again"


def test_what_the_bot_says_fires_no_mention(
    app: App, connect: Connect, ana: Person, ws: Workspace, web: WebClient
) -> None:
    bodies = record(app, "app_mention")
    connect(app)
    last, _ = ws.events()
    web.chat_postMessage(channel="C0GPUS000", text="I am <@U0GPUBOT0>")
    ana.say("#gpus", "@gpubot you are")
    assert bodies.get(timeout=5)["event"]["user"] == ana.id

    # Bolt would drop it anyway, so it is the server's own record of events that counts.
    assert [e["event"] for e in ws.events(last)[1] if e["kind"] == "event"] == ["app_mention"]


def test_a_button(app: App, connect: Connect, ana: Person, ben: Person, ws: Workspace, web: WebClient) -> None:
    bodies: queue.Queue[dict[str, Any]] = queue.Queue()

    @app.action("release.yes")
    def yes(ack: Ack, body: dict[str, Any], respond: Respond) -> None:
        ack()
        respond(text="for you")
        respond(text="released", replace_original=True)
        bodies.put(body)

    connect(app)
    web.chat_postMessage(channel="C0GPUS000", text="Release?", blocks=BUTTONS)
    card = ana.sees("#gpus")[0]
    assert "Release *amber-fox*?" in card.words
    assert card.buttons == [("release.yes", "Release", "lease-1")]
    assert ana.click(card, "release.yes").acked
    body = bodies.get(timeout=5)
    assert body["type"] == "block_actions"
    assert body["user"] == {"id": ana.id, "username": "ana", "name": "ana", "team_id": "T0PLAY000"}
    assert body["team"] == {"id": "T0PLAY000", "domain": "playground"}
    assert body["channel"] == {"id": "C0GPUS000", "name": "gpus"}
    assert body["container"] == {
        "type": "message",
        "message_ts": card.ts,
        "channel_id": "C0GPUS000",
        "is_ephemeral": False,
    }
    assert body["message"]["blocks"] == card.blocks
    assert body["state"] == {"values": {}}
    assert body["trigger_id"]
    action = body["actions"][0]
    assert action.pop("action_ts")
    assert action == {
        "action_id": "release.yes",
        "block_id": "question",
        "type": "button",
        "text": {"type": "plain_text", "text": "Release"},
        "value": "lease-1",
        "style": "danger",
    }
    assert [m.text for m in ben.sees("#gpus")] == ["released"]
    assert [m.text for m in ana.sees("#gpus")] == ["released", "for you"]
    with pytest.raises(PlaygroundError):
        ana.click(card, "release.yes")


def test_a_menu_tells_what_was_chosen(app: App, connect: Connect, ana: Person, web: WebClient) -> None:
    bodies: queue.Queue[dict[str, Any]] = queue.Queue()

    @app.action("size")
    def size(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        bodies.put(body)

    connect(app)
    web.chat_postMessage(channel="C0GPUS000", text="Which?", blocks=BUTTONS)
    ana.click(ana.sees("#gpus")[0], "size", chosen="big")
    body = bodies.get(timeout=5)
    assert body["actions"][0]["selected_option"]["value"] == "big"
    assert body["state"]["values"]["question"]["size"]["selected_option"]["value"] == "big"
    with pytest.raises(PlaygroundError):
        ana.click(ana.sees("#gpus")[0], "size", chosen="enormous")


def test_a_button_of_an_ephemeral_message(app: App, connect: Connect, ana: Person, ben: Person, web: WebClient) -> None:
    bodies: queue.Queue[dict[str, Any]] = queue.Queue()

    @app.action("release.yes")
    def yes(ack: Ack, body: dict[str, Any], respond: Respond) -> None:
        ack()
        respond(delete_original=True)
        bodies.put(body)

    connect(app)
    web.chat_postEphemeral(channel="C0GPUS000", user=ana.id, text="Sure?", blocks=BUTTONS)
    question = ana.sees("#gpus")[0]
    assert question.ephemeral
    with pytest.raises(PlaygroundError):
        ben.click(question, "release.yes")
    ana.click(question, "release.yes")
    body = bodies.get(timeout=5)
    assert body["container"]["is_ephemeral"]
    assert "message" not in body
    assert ana.sees("#gpus") == []


def test_reactions_come_and_go(app: App, connect: Connect, ana: Person, ws: Workspace, web: WebClient) -> None:
    bodies = record(app, "reaction_added", "reaction_removed")
    connect(app)
    ts = web.chat_postMessage(channel="C0GPUS000", text="Release?")["ts"]
    web.reactions_add(channel="C0GPUS000", timestamp=ts, name="white_check_mark")
    question = ana.sees("#gpus")[0]
    ana.react(question, "white_check_mark")
    event = bodies.get(timeout=5)["event"]
    # The bot's own seeded reaction is sent as well, but Bolt drops it.
    assert event["user"] == ana.id
    assert event["item"] == {"type": "message", "channel": "C0GPUS000", "ts": ts}
    assert (event["reaction"], event["item_user"]) == ("white_check_mark", "U0GPUBOT0")
    ana.unreact(question, "white_check_mark")
    assert bodies.get(timeout=5)["event"]["type"] == "reaction_removed"
    assert ana.sees("#gpus")[0].reactions == {"white_check_mark": ["U0GPUBOT0"]}


def test_edits_and_deletes_are_events_too(app: App, connect: Connect, ana: Person) -> None:
    subtypes = [{"type": "message", "subtype": f"message_{what}"} for what in ("changed", "deleted")]
    bodies = record(app, "message", *subtypes)
    connect(app)
    said = ana.dm("first")
    bodies.get(timeout=5)
    ana.edit(said, "second")
    changed = bodies.get(timeout=5)["event"]
    assert (changed["subtype"], changed["message"]["text"]) == ("message_changed", "second")
    assert changed["previous_message"]["text"] == "first"
    assert ana.sees_dm()[0].edited
    ana.delete(said)
    deleted = bodies.get(timeout=5)["event"]
    assert (deleted["subtype"], deleted["deleted_ts"]) == ("message_deleted", said.ts)
    assert ana.sees_dm() == []


def test_a_strangers_event_carries_their_team(app: App, connect: Connect, ws: Workspace) -> None:
    bodies = record(app, "app_mention")
    connect(app)
    ws.person("olga").say("#gpus", "@gpubot rent")
    body = bodies.get(timeout=5)
    assert (body["team_id"], body["context_team_id"]) == ("T0OTHER00", "T0PLAY000")
    assert body["event"]["user_team"] == "T0OTHER00"


def test_ephemerals_in_threads_need_an_active_thread(ana: Person, web: WebClient) -> None:
    said = ana.say("#gpus", "hello")
    web.chat_postEphemeral(channel="C0GPUS000", user=ana.id, text="psst", thread_ts=said.ts)
    assert [m.text for m in ana.thread("#gpus", said)] == ["hello"]
    web.chat_postMessage(channel="C0GPUS000", text="reply", thread_ts=said.ts)
    assert [m.text for m in ana.thread("#gpus", said)] == ["hello", "psst", "reply"]


def test_say_answers_where_it_was_asked(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    @app.event("app_mention")
    def mention(say: Say, event: dict[str, Any]) -> None:
        say(text="here", thread_ts=event["ts"])

    connect(app)
    said = ana.say("#gpus", "@gpubot where?")
    ws.wait_for(lambda: ana.find("#gpus", "here", thread=said))


def test_a_button_is_no_part_of_a_views_state(app: App, connect: Connect, ana: Person) -> None:
    bodies: queue.Queue[dict[str, Any]] = queue.Queue()
    big = {"text": {"type": "plain_text", "text": "Big"}, "value": "big"}
    menu = {"type": "static_select", "action_id": "size", "options": [big], "initial_option": big}
    quote = {"type": "button", "action_id": "quote", "value": "v", "text": {"type": "plain_text", "text": "Quote"}}
    row = {"type": "actions", "block_id": "row", "elements": [menu, quote]}

    @app.command("/gpu")
    def gpu(ack: Ack, client: WebClient, command: dict[str, Any]) -> None:
        title = {"type": "plain_text", "text": "Rent"}
        client.views_open(trigger_id=command["trigger_id"], view={"type": "modal", "title": title, "blocks": [row]})
        ack()

    @app.action("quote")
    def quoted(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        bodies.put(body)

    connect(app)
    ana.command("#gpus", "/gpu")
    modal = ana.modal()
    assert modal is not None
    ana.click(modal, "quote", chosen="v")
    state = bodies.get(timeout=5)["view"]["state"]["values"]
    assert state == {"row": {"size": {"type": "static_select", "selected_option": big}}}
