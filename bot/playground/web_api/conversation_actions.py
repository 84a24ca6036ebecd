"""conversations.* that change something: open and join."""

from __future__ import annotations

from bot.playground.model import Json
from bot.playground.refusals import RefusedError
from bot.playground.web_api.call import Call, method


@method("conversations.open", "im:write", "mpim:write", "channels:manage", "groups:write")
async def conversations_open(call: Call) -> Json:
    """docs: reference/methods/conversations.open: the direct messages with one person."""
    team = call.playground.team
    if call.args.get("channel"):
        channel = call.channel()
        if channel.kind != "im":
            raise RefusedError("method_not_supported_for_channel_type")
        return {"no_op": True, "already_open": True, "channel": {"id": channel.id}}
    users = call.args.get("users") or ""
    names = users if isinstance(users, list) else [u.strip() for u in str(users).split(",") if u.strip()]
    if not names:
        raise RefusedError("users_list_not_supplied")
    if len(names) > 1:
        # Group direct messages are not part of this workspace.
        raise RefusedError("too_many_users")
    person = team.people.get(names[0])
    if person is None:
        raise RefusedError("user_not_found")
    if person.is_bot:
        raise RefusedError("cannot_dm_bot")
    if person.deleted:
        raise RefusedError("user_disabled")
    call.need_scope("im:write")
    channel = team.dm_of(person.id, call.playground.now())
    return {"channel": channel.as_slack(call.bot.id) if call.flag("return_im") else {"id": channel.id}}


@method("conversations.join", "channels:join")
async def conversations_join(call: Call) -> Json:
    """docs: reference/methods/conversations.join: public channels only."""
    channel = call.channel()
    if channel.kind != "channel":
        raise RefusedError("method_not_supported_for_channel_type")
    if channel.archived:
        raise RefusedError("is_archived")
    already = call.bot.id in channel.members
    call.playground.conversation.join(channel, call.bot)
    told: Json = {"channel": channel.as_slack(call.bot.id)}
    return told | {"warning": "already_in_channel"} if already else told
