"""Keeps the web out: whoever acts here must be a program on this machine, or the workspace's own page."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_LOCAL = ("127.0.0.1", "localhost", "::1")


class LocalOnly:
    """Refuses what a browser sends for another site.

    The control API asks for no password, and a command typed here may run programs: a page of somebody else,
    open in the same browser, must not be able to type one. ``Host`` gives away a foreign name that points here,
    ``Origin`` a foreign page.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not _welcome(Headers(scope=scope)):
            await PlainTextResponse("only for programs and pages of this machine", 403)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _welcome(headers: Headers) -> bool:
    host, origin = headers.get("host", ""), headers.get("origin")
    if urlsplit(f"//{host}").hostname not in _LOCAL:
        return False
    return origin is None or urlsplit(origin).netloc == host
