"""reactions.*."""

from __future__ import annotations

import re

from bot.playground.model import Json, Message
from bot.playground.refusals import RefusedError
from bot.playground.team import reactions_told
from bot.playground.web_api.call import Call, method

_NAME = re.compile(r"[a-z0-9_+'-]+(::skin-tone-[2-6])?")
# facts: reactions.get may cut the list of people; docs: the count is right all the same, `full` gives all.
_PEOPLE_TOLD = 50


@method("reactions.add", "reactions:write")
async def reactions_add(call: Call) -> Json:
    """docs: reference/methods/reactions.add."""
    name, message = _name(call), _item(call)
    if call.playground.team.channels[message.channel].archived:
        raise RefusedError("is_archived")
    if call.bot.id in message.reactions.get(name, ()):
        raise RefusedError("already_reacted")
    call.playground.conversation.react(message, call.bot, name, add=True)
    return {}


@method("reactions.remove", "reactions:write")
async def reactions_remove(call: Call) -> Json:
    """docs: reference/methods/reactions.remove: only one's own."""
    name, message = _name(call), _item(call)
    if call.bot.id not in message.reactions.get(name, ()):
        raise RefusedError("no_reaction")
    call.playground.conversation.react(message, call.bot, name, add=False)
    return {}


@method("reactions.get", "reactions:read")
async def reactions_get(call: Call) -> Json:
    """docs: reference/methods/reactions.get. facts: it has no times."""
    message = _item(call)
    told = call.playground.team.told(message)
    if message.reactions:
        told["reactions"] = reactions_told(message)
        if not call.flag("full"):
            for entry in told["reactions"]:
                entry["users"] = entry["users"][:_PEOPLE_TOLD]
    return {"type": "message", "channel": message.channel, "message": told}


def _name(call: Call) -> str:
    name = call.text("name").strip(":")
    if not _NAME.fullmatch(name):
        raise RefusedError("invalid_name")
    return name


def _item(call: Call) -> Message:
    if not call.args.get("channel") or not call.args.get("timestamp"):
        raise RefusedError("no_item_specified")
    return call.message(call.joined_channel(), "timestamp")
