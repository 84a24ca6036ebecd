"""chat.*: posting, editing, deleting, addresses of messages."""

from __future__ import annotations

import json
from dataclasses import dataclass

from bot.playground.blocks import read_blocks
from bot.playground.model import Channel, Json, Message
from bot.playground.refusals import RefusedError
from bot.playground.web_api.call import Call, method


@dataclass
class Said:
    """What a message is to say."""

    text: str
    blocks: list[Json]


@method("chat.postMessage", "chat:write")
async def chat_post_message(call: Call) -> Json:
    """docs: reference/methods/chat.postMessage."""
    channel = _target(call)
    # facts: cut at 40,000 (docs: reference/methods/chat.postMessage#truncating).
    said = _said(call)
    said.text = said.text[: call.playground.settings.post_text_limit]
    call.playground.limits.spend_post(channel.id, call.playground.now())
    message = call.playground.conversation.post(
        channel,
        call.bot,
        said.text,
        blocks=said.blocks,
        thread_ts=_thread(call),
        metadata=_metadata(call),
        broadcast=call.flag("reply_broadcast"),
    )
    return {"channel": channel.id, "ts": message.ts, "message": _told(call, message)}


@method("chat.postEphemeral", "chat:write")
async def chat_post_ephemeral(call: Call) -> Json:
    """docs: reference/methods/chat.postEphemeral."""
    channel = _target(call)
    user = call.text("user")
    said = _said(call)
    if len(said.text) > call.playground.settings.post_text_limit:
        raise RefusedError("msg_too_long")
    if user not in channel.members:
        # docs: reference/methods/chat.postEphemeral#errors.
        raise RefusedError("user_not_in_channel")
    message = call.playground.conversation.post(
        channel, call.bot, said.text, blocks=said.blocks, thread_ts=_thread(call), only_for=user
    )
    return {"message_ts": message.ts}


@method("chat.update", "chat:write")
async def chat_update(call: Call) -> Json:
    """docs: reference/methods/chat.update."""
    channel = call.joined_channel()
    if channel.archived:
        # docs: reference/methods/chat.update#errors: is_inactive, not is_archived.
        raise RefusedError("is_inactive")
    message = call.message(channel)
    if message.user != call.bot.id:
        raise RefusedError("cant_update_message")
    settings = call.playground.settings
    age_s = call.playground.now() - float(message.ts)
    if settings.edit_window_s is not None and age_s > settings.edit_window_s:
        raise RefusedError("edit_window_closed")
    said = _said_in_edit(call, message)
    if len(said.text) > settings.update_text_limit:
        raise RefusedError("msg_too_long")
    if call.args.get("metadata") is not None:
        # docs: reference/methods/chat.update: left out it is kept, an empty object removes it.
        message.metadata = _metadata(call)
    call.playground.conversation.change(message, call.bot, said.text, said.blocks)
    return {"channel": channel.id, "ts": message.ts, "text": said.text, "message": _told(call, message)}


@method("chat.delete", "chat:write")
async def chat_delete(call: Call) -> Json:
    """docs: reference/methods/chat.delete: a bot deletes its own messages only."""
    channel = call.joined_channel()
    message = call.message(channel)
    if message.user != call.bot.id:
        raise RefusedError("cant_delete_message")
    call.playground.conversation.delete(message, call.bot)
    return {"channel": channel.id, "ts": message.ts}


@method("chat.getPermalink")
async def chat_get_permalink(call: Call) -> Json:
    """docs: reference/methods/chat.getPermalink."""
    channel = call.channel()
    message = call.message(channel, "message_ts")
    path = f"/archives/{channel.id}/p{message.ts.replace('.', '')}"
    if message.is_reply:
        path += f"?thread_ts={message.thread_ts}&cid={channel.id}"
    return {"channel": channel.id, "permalink": call.playground.address + path}


def _target(call: Call) -> Channel:
    """Where to post: a conversation's id or name, or a person's id for the app's messages with them.

    Source: docs reference/methods/chat.postMessage#channels. Raises RefusedError as its list of errors says.
    """
    team = call.playground.team
    wanted = call.text("channel")
    person = team.people.get(wanted)
    if person is not None:
        if person.id == call.bot.id or person.team_id != team.id:
            raise RefusedError("channel_not_found")
        if person.deleted:
            raise RefusedError("user_disabled")
        channel = team.dm_of(person.id, call.playground.now())
    else:
        named = team.channel_named(wanted)
        call.args["channel"] = named.id if named else wanted
        channel = call.joined_channel()
    if channel.archived:
        raise RefusedError("is_archived")
    if channel.kind == "im" and not call.playground.settings.messages_tab:
        # docs: reference/methods/chat.postMessage#errors. facts: the manifest must switch the tab on.
        raise RefusedError("messages_tab_disabled")
    return channel


def _said(call: Call) -> Said:
    text = str(call.args.get("text") or "")
    blocks: list[Json] = []
    if call.args.get("blocks"):
        blocks = read_blocks(call.args["blocks"], call.playground.file_ready)
    if not text.strip() and not blocks:
        # docs: reference/methods/chat.postMessage#errors.
        raise RefusedError("no_text")
    if len(json.dumps(blocks, ensure_ascii=False)) > call.playground.settings.blocks_size_limit:
        # The error is in the docs' list without a number; the number is from slackapi/bolt-js#2509.
        raise RefusedError("msg_blocks_too_long")
    return Said(text, blocks)


def _said_in_edit(call: Call, message: Message) -> Said:
    """docs: reference/methods/chat.update: text alone removes the blocks; blocks alone keep the text."""
    said = _said(call)
    if "text" not in call.args:
        said.text = message.text
    return said


def _thread(call: Call) -> str | None:
    thread_ts = call.args.get("thread_ts")
    return str(thread_ts) if thread_ts else None


def _metadata(call: Call) -> Json | None:
    # docs: reference/methods/chat.postMessage#errors; messaging/message-metadata.
    metadata = call.parsed("metadata")
    if not metadata:
        return None
    if not isinstance(metadata, dict) or not isinstance(metadata.get("event_type"), str):
        raise RefusedError("invalid_metadata_format")
    if not isinstance(metadata.get("event_payload"), dict):
        raise RefusedError("invalid_metadata_format")
    return metadata


def _told(call: Call, message: Message) -> Json:
    told = call.playground.team.told(message)
    return told | {"metadata": message.metadata} if message.metadata else told
