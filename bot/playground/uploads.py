"""The bytes of files: taken at the upload address, given back to whoever may read them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from bot.playground.file_objects import mimetype
from bot.playground.playground import Playground
from bot.playground.settings import BOT_TOKEN
from bot.playground.web_api.dispatch import suffer


async def serve_upload(playground: Playground, request: Request) -> Response:
    """facts: the upload is a raw body to the absolute address, without Authorization."""
    key = request.path_params["key"]
    body = await request.body()
    record = playground.journal.call_received("upload", {"key": key, "length": len(body)})
    struck = await suffer(playground, "upload", {"key": key})
    response = struck[0] if struck else _taken(playground, key, body)
    error = None if response.status_code == 200 else "upload_failed"
    playground.journal.call_answered(record, response.status_code, error)
    return response


def _taken(playground: Playground, key: str, body: bytes) -> Response:
    file = next((f for f in playground.team.files.values() if f.upload_key == key), None)
    if file is None or file.content is not None:
        return PlainTextResponse("not found", 404)
    if len(body) != file.length:
        # docs: working-with-files#uploading: the length told in the first step must be the body's.
        return PlainTextResponse("length mismatch", 400)
    file.content = body
    return PlainTextResponse(f"OK - {len(body)}")


async def serve_file(playground: Playground, request: Request) -> Response:
    """docs: working-with-files#authentication: private addresses want a token that may read files."""
    allowed = (
        request.headers.get("authorization") == f"Bearer {BOT_TOKEN}" and "files:read" in playground.settings.scopes
    )
    return _content(playground, request) if allowed else PlainTextResponse("login required", 403)


async def serve_file_to_people(playground: Playground, request: Request) -> Response:
    """The control API's view of a file: what people see when they look at it."""
    return _content(playground, request)


def _content(playground: Playground, request: Request) -> Response:
    file = playground.team.files.get(request.path_params["file_id"])
    if file is None or file.content is None:
        return PlainTextResponse("not found", 404)
    # Whoever uploaded it may have put a script in it: a browser shows it in a box where nothing runs.
    headers = {"Content-Security-Policy": "sandbox; default-src 'none'", "X-Content-Type-Options": "nosniff"}
    return Response(file.content, media_type=mimetype(file.name), headers=headers)
