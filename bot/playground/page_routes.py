"""Serves the page, what it reads, the news, and the files that people share on it."""

from __future__ import annotations

import functools
import json
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from bot.playground.acts import Acts
from bot.playground.control import route
from bot.playground.page_state import is_news, page_messages, page_state, viewer
from bot.playground.playground import Playground
from bot.playground.refusals import ImpossibleError
from bot.playground.sharing import keep, share

PAGE = Path(__file__).parent / "page"
# Scripts and styles from here alone; pictures also from where an app's image blocks point.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data: blob: http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {"Content-Security-Policy": _POLICY, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache"}
# A quiet connection says something now and then, so that either end notices when the other is gone.
_BREATH_S = 15.0


def page_routes(playground: Playground) -> list[BaseRoute]:
    """The page at ``/`` and at the addresses of messages, and its part of the control API."""
    return [
        Route("/", _index, methods=["GET"]),
        # chat.getPermalink gives such addresses; the page finds the message.
        Route("/archives/{rest:path}", _index, methods=["GET"]),
        Mount("/page", _Page(directory=PAGE)),
        route(playground, "/control/page", page_state, "GET"),
        route(playground, "/control/page/messages", page_messages, "GET"),
        Route("/control/page/news", functools.partial(_news, playground), methods=["GET"]),
        Route("/control/act/upload", functools.partial(_upload, playground), methods=["POST"]),
    ]


async def _index(_request: Request) -> Response:
    return FileResponse(PAGE / "index.html", headers=_HEADERS)


class _Page(StaticFiles):
    """The page's files, always asked for anew: they may change between two runs."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(_HEADERS)
        return response


async def _news(playground: Playground, request: Request) -> Response:
    """Server-sent events: ``hello`` first, then ``news`` for each journal entry that ``user`` can see."""
    try:
        person = viewer(playground, request.query_params.get("user"))
    except ImpossibleError as error:
        return JSONResponse({"error": str(error)}, 409)

    async def told() -> AsyncIterator[str]:
        seen = len(playground.journal.entries)
        yield "event: hello\ndata: {}\n\n"
        while not playground.journal.closed:
            entries = await playground.journal.after(seen, _BREATH_S)
            seen += len(entries)
            news = [e for e in entries if is_news(playground, person, e)]
            # An entry may name a file or a metadata that is no JSON; the page needs but these facts.
            facts = [{k: e.get(k) for k in ("kind", "channel", "ts", "thread_ts", "user")} for e in news]
            for fact in facts:
                yield f"event: news\ndata: {json.dumps(fact)}\n\n"
            if not facts:
                yield "event: quiet\ndata: {}\n\n"

    return StreamingResponse(told(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def _upload(playground: Playground, request: Request) -> Response:
    """A form: ``user``, ``channel``, perhaps ``text`` and ``thread_ts``, and one ``file`` or several.

    Without a channel the files are kept for a file input of a modal, and their ids told.
    """
    async with request.form() as form:
        contents = [(f.filename or "file", await f.read()) for f in form.getlist("file") if isinstance(f, UploadFile)]
        fields = {k: str(v) for k, v in form.items() if not isinstance(v, UploadFile)}
    try:
        if not fields.get("channel"):
            person = Acts(playground).person(fields["user"])
            return JSONResponse({"files": [keep(playground, person, name, content).id for name, content in contents]})
        thread_ts = fields.get("thread_ts") or None
        said = share(playground, fields["user"], fields["channel"], contents, fields.get("text", ""), thread_ts)
    except ImpossibleError as impossible:
        return JSONResponse({"error": str(impossible)}, 409)
    except KeyError as missing:
        return JSONResponse({"error": f"unknown or missing: {missing}"}, 400)
    return JSONResponse({"channel": said.channel, "ts": said.ts})
