"""Each rule that Slack is strict about, through slack_sdk's own client."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.playground.client import Person, Workspace
from bot.playground.server import PlaygroundServer

GPUS, RANDOM, LAB = "C0GPUS000", "C0RANDOM0", "C0LAB0000"


@contextlib.contextmanager
def refused(error: str) -> Iterator[dict[str, Any]]:
    """The block must be refused with this error; gives the answer's fields afterwards."""
    answer: dict[str, Any] = {}
    with pytest.raises(SlackApiError) as caught:
        yield answer
    assert caught.value.response["error"] == error
    answer.update(caught.value.response.data)  # type: ignore[arg-type]


def client(server: PlaygroundServer, token: str | None) -> WebClient:
    return WebClient(token=token, base_url=server.api_url, retry_handlers=[])


def test_tokens_are_checked_for_presence_validity_and_kind(server: PlaygroundServer, ws: Workspace) -> None:
    with refused("not_authed"):
        client(server, None).auth_test()
    with refused("invalid_auth"):
        client(server, "xoxb-wrong").auth_test()
    with refused("not_allowed_token_type"):
        client(server, server.app_token).chat_postMessage(channel=GPUS, text="hi")
    with refused("not_allowed_token_type"):
        client(server, server.bot_token).apps_connections_open(app_token=server.bot_token)


def test_auth_test_tells_bolt_who_the_bot_is(web: WebClient) -> None:
    told = web.auth_test()
    assert (told["user_id"], told["bot_id"], told["team_id"]) == ("U0GPUBOT0", "B0GPUBOT0", "T0PLAY000")
    assert "chat:write" in told.headers["x-oauth-scopes"]


def test_missing_scope_says_what_is_needed_and_provided(ws: Workspace, web: WebClient) -> None:
    ws.settings(scopes=["channels:read", "im:history"])
    with refused("missing_scope") as answer:
        web.chat_postMessage(channel=GPUS, text="hi")
    assert (answer["needed"], answer["provided"]) == ("chat:write", "channels:read,im:history")
    with refused("missing_scope") as answer:
        web.conversations_history(channel=GPUS)
    assert answer["needed"] == "channels:history"


def test_app_token_needs_its_own_scope(server: PlaygroundServer, ws: Workspace) -> None:
    ws.settings(app_scopes=[])
    with refused("missing_scope"):
        client(server, server.app_token).apps_connections_open(app_token=server.app_token)


def test_unknown_method_and_required_arguments(web: WebClient) -> None:
    with refused("unknown_method"):
        web.api_call("chat.whisper")
    with refused("invalid_arguments"):
        web.api_call("chat.update", json={"channel": GPUS, "text": "x"})


def test_posting_needs_membership(web: WebClient) -> None:
    with refused("not_in_channel"):
        web.chat_postMessage(channel=RANDOM, text="hi")
    with refused("channel_not_found"):
        web.chat_postMessage(channel=LAB, text="hi")
    with refused("channel_not_found"):
        web.chat_postMessage(channel="C404", text="hi")
    with refused("not_in_channel"):
        web.reactions_add(channel=RANDOM, timestamp="1.000000", name="eyes")


def test_archived_channels_take_neither_posts_nor_edits(ws: Workspace, web: WebClient) -> None:
    ts = web.chat_postMessage(channel=GPUS, text="hi")["ts"]
    ws.change_channel("#gpus", archived=True)
    with refused("is_archived"):
        web.chat_postMessage(channel=GPUS, text="hi")
    with refused("is_inactive"):
        web.chat_update(channel=GPUS, ts=ts, text="hello")


def test_only_ones_own_messages_can_be_edited_or_deleted(ana: Person, web: WebClient) -> None:
    said = ana.say("#gpus", "hello")
    with refused("cant_update_message"):
        web.chat_update(channel=GPUS, ts=said.ts, text="bye")
    with refused("cant_delete_message"):
        web.chat_delete(channel=GPUS, ts=said.ts)
    with refused("message_not_found"):
        web.chat_update(channel=GPUS, ts="1.000000", text="bye")


def test_ephemeral_messages_are_out_of_reach_of_edits(ana: Person, web: WebClient) -> None:
    ts = web.chat_postEphemeral(channel=GPUS, user=ana.id, text="psst")["message_ts"]
    with refused("message_not_found"):
        web.chat_update(channel=GPUS, ts=ts, text="bye")


def test_edit_window(ws: Workspace, web: WebClient) -> None:
    ts = web.chat_postMessage(channel=GPUS, text="hi")["ts"]
    web.chat_update(channel=GPUS, ts=ts, text="still open")
    ws.settings(edit_window_s=-1.0)
    with refused("edit_window_closed"):
        web.chat_update(channel=GPUS, ts=ts, text="closed")


def test_text_must_be_there_and_not_too_long(web: WebClient, ana: Person) -> None:
    with refused("no_text"):
        web.api_call("chat.postMessage", json={"channel": GPUS, "text": " "})
    posted = web.chat_postMessage(channel=GPUS, text="x" * 40_001)
    assert len(posted["message"]["text"]) == 40_000
    with refused("msg_too_long"):
        web.chat_update(channel=GPUS, ts=posted["ts"], text="x" * 4_001)
    with refused("msg_too_long"):
        web.chat_postEphemeral(channel=GPUS, user=ana.id, text="x" * 40_001)


def test_ephemerals_go_to_members_only(ws: Workspace, web: WebClient) -> None:
    ws.change_channel("#gpus", members=["gpubot", "ana"])
    with refused("user_not_in_channel"):
        web.chat_postEphemeral(channel=GPUS, user=ws.person("ben").id, text="psst")


def test_edits_keep_or_drop_blocks_and_metadata_as_documented(web: WebClient) -> None:
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": "card"}}]
    metadata = {"event_type": "lease", "event_payload": {"id": 1}}
    ts = web.chat_postMessage(channel=GPUS, text="one", blocks=blocks, metadata=metadata)["ts"]
    blocks_alone = {"channel": GPUS, "ts": ts, "blocks": blocks}
    edited = web.api_call("chat.update", json=blocks_alone)["message"]
    assert edited["text"] == "one"
    assert edited["metadata"] == metadata
    assert "blocks" not in web.chat_update(channel=GPUS, ts=ts, text="two")["message"]
    assert "metadata" not in web.chat_update(channel=GPUS, ts=ts, text="two", metadata={})["message"]
    with refused("invalid_metadata_format"):
        web.chat_postMessage(channel=GPUS, text="x", metadata={"event_payload": {}})


def test_posts_are_limited_by_channel(ws: Workspace, web: WebClient) -> None:
    ws.settings(post_burst=3)
    for _ in range(3):
        web.chat_postMessage(channel=GPUS, text="hi")
    with pytest.raises(SlackApiError) as caught:
        web.chat_postMessage(channel=GPUS, text="hi")
    assert caught.value.response.status_code == 429
    assert caught.value.response.headers["Retry-After"] == "1"
    dm = web.conversations_open(users="U0ANA0000")["channel"]["id"]
    web.chat_postMessage(channel=dm, text="another channel has its own budget")
    ws.settings(limits_on=False)
    web.chat_postMessage(channel=GPUS, text="hi")


def test_edits_are_limited_for_the_whole_workspace(web: WebClient) -> None:
    ts = web.chat_postMessage(channel=GPUS, text="hi")["ts"]
    for i in range(50):
        web.chat_update(channel=GPUS, ts=ts, text=str(i))
    with pytest.raises(SlackApiError) as caught:
        web.chat_update(channel=GPUS, ts=ts, text="one too many")
    assert caught.value.response.status_code == 429
    assert 1 <= int(caught.value.response.headers["Retry-After"]) <= 60


def test_direct_messages(ws: Workspace, web: WebClient) -> None:
    ana = ws.person("ana")
    dm = web.conversations_open(users=ana.id)["channel"]["id"]
    assert web.conversations_open(users=ana.id)["channel"]["id"] == dm
    web.chat_postMessage(channel=ana.id, text="by the person's id")
    assert [m.text for m in ana.sees_dm()] == ["by the person's id"]
    with refused("user_disabled"):
        web.conversations_open(users="U0DEE0000")
    with refused("user_not_found"):
        web.conversations_open(users="U404")
    ws.settings(messages_tab=False)
    with refused("messages_tab_disabled"):
        web.chat_postMessage(channel=dm, text="hi")


def test_reactions(ws: Workspace, web: WebClient, ana: Person) -> None:
    said = ana.say("#gpus", "hello")
    item = {"channel": GPUS, "timestamp": said.ts}
    web.reactions_add(name="eyes", **item)
    with refused("already_reacted"):
        web.reactions_add(name="eyes", **item)
    ana.react(said, "eyes")
    told = web.reactions_get(**item)["message"]["reactions"]
    assert told == [{"name": "eyes", "users": ["U0GPUBOT0", ana.id], "count": 2}]
    web.reactions_remove(name="eyes", **item)
    with refused("no_reaction"):
        web.reactions_remove(name="eyes", **item)
    with refused("invalid_name"):
        web.reactions_add(name="Not A Name!", **item)
    with refused("message_not_found"):
        web.reactions_add(name="eyes", channel=GPUS, timestamp="1.000000")
    with refused("no_item_specified"):
        web.reactions_add(name="eyes", channel=GPUS, timestamp="")


def test_history_has_bounds_pages_and_metadata_on_demand(ws: Workspace, web: WebClient) -> None:
    ws.settings(scopes=["channels:history", "chat:write"])
    metadata = {"event_type": "n", "event_payload": {}}
    ts = [web.chat_postMessage(channel=GPUS, text=str(i), metadata=metadata)["ts"] for i in range(4)]

    def texts(**query: Any) -> list[str]:
        return [m["text"] for m in web.conversations_history(channel=GPUS, **query)["messages"]]

    assert texts() == ["3", "2", "1", "0"]
    assert texts(oldest=ts[1], latest=ts[3]) == ["2"]
    assert texts(oldest=ts[1], latest=ts[3], inclusive=True) == ["3", "2", "1"]
    first = web.conversations_history(channel=GPUS, limit=3)
    assert first["has_more"]
    cursor = first["response_metadata"]["next_cursor"]
    assert texts(cursor=cursor) == ["0"]
    assert "metadata" not in first["messages"][0]
    full = web.conversations_history(channel=GPUS, include_all_metadata=True)
    assert full["messages"][0]["metadata"] == metadata
    with refused("not_in_channel"):
        web.conversations_history(channel=RANDOM)


def test_threads_are_apart_from_the_channel(ws: Workspace, web: WebClient, ana: Person) -> None:
    ws.settings(scopes=["channels:history", "chat:write"])
    ts = web.chat_postMessage(channel=GPUS, text="card")["ts"]
    reply = web.chat_postMessage(channel=GPUS, text="event", thread_ts=ts)["ts"]
    nested = web.chat_postMessage(channel=GPUS, text="reply to a reply", thread_ts=reply)
    assert nested["message"]["thread_ts"] == ts
    assert [m.text for m in ana.sees("#gpus")] == ["card"]
    assert ana.sees("#gpus")[0].reply_count == 2
    told = web.conversations_replies(channel=GPUS, ts=ts)["messages"]
    assert [m["text"] for m in told] == ["card", "event", "reply to a reply"]
    assert told[0]["reply_count"] == 2
    with refused("thread_not_found"):
        web.conversations_replies(channel=GPUS, ts="1.000000")


def test_people_and_channels_are_told_as_they_are(ws: Workspace, web: WebClient) -> None:
    gus = web.users_info(user="U0GUS0000")["user"]
    assert gus["is_ultra_restricted"]
    assert gus["tz_offset"] == 3600
    dee = web.users_info(user="U0DEE0000")["user"]
    assert dee["deleted"]
    assert "tz" not in dee
    assert web.users_info(user="U0OLGA000")["user"]["team_id"] == "T0OTHER00"
    with refused("user_not_found"):
        web.users_info(user="U404")
    assert len(web.users_list()["members"]) == 7
    listed = web.conversations_list(types="public_channel,private_channel")["channels"]
    assert {c["name"]: c["is_member"] for c in listed} == {"gpus": True, "random": False}
    assert [c["id"] for c in web.users_conversations()["channels"]] == [GPUS]
    assert web.conversations_info(channel=RANDOM)["channel"]["is_member"] is False
    assert "U0ANA0000" in web.conversations_members(channel=GPUS)["members"]


def test_joining(ws: Workspace, web: WebClient) -> None:
    with refused("missing_scope"):
        web.conversations_join(channel=RANDOM)
    ws.settings(scopes=["channels:join", "chat:write"])
    web.conversations_join(channel=RANDOM)
    web.chat_postMessage(channel=RANDOM, text="hi")
    assert web.conversations_join(channel=RANDOM)["warning"] == "already_in_channel"


def test_permalinks(web: WebClient) -> None:
    ts = web.chat_postMessage(channel=GPUS, text="card")["ts"]
    link = web.chat_getPermalink(channel=GPUS, message_ts=ts)["permalink"]
    assert link.endswith(f"/archives/{GPUS}/p{ts.replace('.', '')}")


def test_forms_are_taken_like_json(web: WebClient) -> None:
    blocks = '[{"type": "divider"}]'
    told = web.api_call("chat.postMessage", data={"channel": GPUS, "text": "form", "blocks": blocks})
    assert told["message"]["blocks"][0]["type"] == "divider"
    web.api_call("api.test", params={"a": "b"})


def test_a_bot_is_looked_up_by_its_own_id_and_tells_its_app(web: WebClient, ws: Workspace) -> None:
    me = web.auth_test()
    assert web.bots_info(bot=me["bot_id"])["bot"]["app_id"] == ws.facts()["app_id"]
    with pytest.raises(SlackApiError) as caught:
        web.bots_info(bot=me["user_id"])
    assert caught.value.response["error"] == "bot_not_found"
