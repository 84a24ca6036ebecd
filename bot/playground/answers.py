"""What an app answers to a command or a click: in its acknowledgement, or to the response address."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from bot.playground.blocks import read_blocks
from bot.playground.callbacks import ResponseUrl
from bot.playground.model import Json, Message
from bot.playground.playground import Playground
from bot.playground.refusals import RefusedError
from bot.playground.web_api.dispatch import cut, suffer


async def serve_response_url(playground: Playground, request: Request) -> Response:
    """docs: interactivity/handling-user-interaction#message_responses: a post to a response address."""
    key = request.path_params["key"]
    try:
        body = json.loads(await request.body())
    except ValueError:
        return PlainTextResponse("invalid_payload", 400)
    record = playground.journal.call_received("response_url", body)
    struck = await suffer(playground, "response_url", body)
    if struck is not None:
        response, error = struck[0], str(struck[1])
    else:
        response, error = _used(playground, key, body)
    playground.journal.call_answered(record, response.status_code, error or None)
    if playground.troubles.take("lose_reply", "response_url", body, playground.now()) is not None:
        await cut(request)
    return response


def _used(playground: Playground, key: str, body: Json) -> tuple[Response, str]:
    try:
        url = playground.callbacks.use_url(key)
    except RefusedError as refused:
        return JSONResponse(refused.as_slack(), 404), refused.error
    try:
        answer(playground, url, body)
    except RefusedError as refused:
        return JSONResponse(refused.as_slack(), 400), refused.error
    return PlainTextResponse("ok"), ""


def answer(playground: Playground, url: ResponseUrl, body: Json) -> Message | None:
    """Show an answer: ephemeral unless it says ``in_channel``; it may replace or delete what it was on.

    Unlike the Web API this works in channels where the bot is not a member.

    Raises:
        RefusedError: ``no_text``, ``msg_too_long`` or ``invalid_blocks``.
    """
    team, conversation = playground.team, playground.conversation
    original = team.message(url.channel, url.message_ts) if url.message_ts else None
    if _yes(body.get("delete_original")):
        if original is not None:
            conversation.delete(original, team.bot)
        return None
    text = str(body.get("text") or "")
    blocks = read_blocks(body["blocks"], playground.file_ready) if body.get("blocks") else []
    if not text.strip() and not blocks:
        raise RefusedError("no_text")
    if len(text) > playground.settings.post_text_limit:
        raise RefusedError("msg_too_long")
    if _yes(body.get("replace_original")) and original is not None:
        conversation.change(original, team.bot, text, blocks)
        return original
    return conversation.post(
        team.channels[url.channel],
        team.bot,
        text,
        blocks=blocks,
        only_for=None if body.get("response_type") == "in_channel" else url.user,
        thread_ts=str(body["thread_ts"]) if body.get("thread_ts") else None,
    )


def _yes(value: object) -> bool:
    return value is True or str(value).lower() == "true"
