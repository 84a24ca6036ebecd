"""conversations.* that read: info, history, replies, list, members; users.conversations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from bot.playground.model import Channel, Json, Message
from bot.playground.refusals import RefusedError
from bot.playground.web_api.call import Call, method

_READ = ("channels:read", "groups:read", "im:read", "mpim:read")
_HISTORY = ("channels:history", "groups:history", "im:history", "mpim:history")
# docs: reference/methods/conversations.list, argument types.
_TYPES = {"public_channel": "channel", "private_channel": "group", "im": "im", "mpim": "mpim"}
T = TypeVar("T")


@method("conversations.info", *_READ)
async def conversations_info(call: Call) -> Json:
    """docs: reference/methods/conversations.info: public channels also without being a member."""
    channel = call.channel()
    call.need_scope(f"{channel.scope_family}:read")
    told = channel.as_slack(call.bot.id)
    if not call.flag("include_num_members"):
        told.pop("num_members", None)
    return {"channel": told}


@method("conversations.members", *_READ)
async def conversations_members(call: Call) -> Json:
    """docs: reference/methods/conversations.members."""
    channel = call.channel()
    call.need_scope(f"{channel.scope_family}:read")
    members, cursor = paged(call, channel.members, 100)
    return {"members": members, "response_metadata": {"next_cursor": cursor}}


@method("conversations.list", *_READ)
async def conversations_list(call: Call) -> Json:
    """docs: reference/methods/conversations.list: every public channel, others where the bot is a member."""
    return _listed(call, mine=False)


@method("users.conversations", *_READ)
async def users_conversations(call: Call) -> Json:
    """docs: reference/methods/users.conversations: where a person (by default the bot) is a member."""
    return _listed(call, mine=True)


def _listed(call: Call, *, mine: bool) -> Json:
    types = str(call.args.get("types") or "public_channel").split(",")
    if not set(types) <= set(_TYPES):
        raise RefusedError("invalid_types")
    kinds = {_TYPES[t] for t in types}
    for kind in kinds & {"channel", "group", "im"}:
        call.need_scope(f"{Channel('', '', kind).scope_family}:read")
    user = str(call.args.get("user") or call.bot.id)
    found = []
    for channel in call.playground.team.channels.values():
        visible = channel.kind == "channel" or call.bot.id in channel.members
        wanted = user in channel.members if mine else True
        hidden = channel.archived and call.flag("exclude_archived")
        if channel.kind in kinds and visible and wanted and not hidden:
            found.append(channel.as_slack(call.bot.id))
    page, cursor = paged(call, found, 100)
    return {"channels": page, "response_metadata": {"next_cursor": cursor}}


@method("conversations.history", *_HISTORY)
async def conversations_history(call: Call) -> Json:
    """docs: reference/methods/conversations.history: newest first."""
    channel = _readable(call)
    found = _between(call, call.playground.team.timeline(channel.id))
    page, cursor = paged(call, found[::-1], 100)
    return _page_told(call, page, cursor)


@method("conversations.replies", *_HISTORY)
async def conversations_replies(call: Call) -> Json:
    """docs: reference/methods/conversations.replies: the parent first, then replies, oldest first."""
    channel = _readable(call)
    team = call.playground.team
    parent = team.message(channel.id, call.text("ts"))
    if parent is None or parent.only_for is not None:
        # docs: reference/methods/conversations.replies#errors.
        raise RefusedError("thread_not_found")
    if parent.is_reply:
        return _page_told(call, [parent], "")
    replies = _between(call, team.replies(channel.id, parent.ts))
    page, cursor = paged(call, [parent, *replies], 1000)
    return _page_told(call, page, cursor)


def _readable(call: Call) -> Channel:
    channel = call.channel()
    # facts: message history scopes are by kind of conversation.
    call.need_scope(f"{channel.scope_family}:history")
    if call.bot.id not in channel.members:
        raise RefusedError("not_in_channel")
    return channel


def _between(call: Call, messages: list[Message]) -> list[Message]:
    """docs: reference/methods/conversations.history: ``inclusive`` lets oldest and latest themselves in."""
    oldest = float(call.args.get("oldest") or 0)
    latest = float(call.args.get("latest") or 0) or float("inf")
    inclusive = call.flag("inclusive")

    def inside(ts: float) -> bool:
        return oldest <= ts <= latest if inclusive else oldest < ts < latest

    return [m for m in messages if inside(float(m.ts))]


def _page_told(call: Call, page: list[Message], cursor: str) -> Json:
    told = []
    for message in page:
        entry = call.playground.team.told(message)
        if message.metadata and call.flag("include_all_metadata"):
            entry["metadata"] = message.metadata
        told.append(entry)
    answer: Json = {"messages": told, "has_more": bool(cursor), "pin_count": 0}
    if cursor:
        answer["response_metadata"] = {"next_cursor": cursor}
    return answer


def paged(call: Call, values: Sequence[T], default: int) -> tuple[list[T], str]:
    """One page and the cursor of the next (docs: apis/web-api/pagination).

    Raises:
        RefusedError: ``invalid_limit`` or ``invalid_cursor``.
    """
    limit = call.number("limit", default)
    if not 1 <= limit <= 1000:
        raise RefusedError("invalid_limit")
    cursor = str(call.args.get("cursor") or "")
    if cursor and not cursor.removeprefix("page:").isdigit():
        raise RefusedError("invalid_cursor")
    start = int(cursor.removeprefix("page:")) if cursor else 0
    end = start + limit
    return list(values[start:end]), f"page:{end}" if end < len(values) else ""
