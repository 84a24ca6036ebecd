"""The HTTP and WebSocket server, in a thread of its own or in the foreground."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import socket
import threading
from collections.abc import AsyncIterator, Callable

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from bot.playground.answers import serve_response_url
from bot.playground.control import act_routes
from bot.playground.control_state import state_routes
from bot.playground.local_only import LocalOnly
from bot.playground.model import Json
from bot.playground.page_routes import page_routes
from bot.playground.playground import Playground
from bot.playground.settings import APP_TOKEN, BOT_TOKEN
from bot.playground.uploads import serve_file, serve_file_to_people, serve_upload
from bot.playground.web_api.dispatch import serve_method


def build_app(playground: Playground, started: Callable[[], None] = lambda: None) -> ASGIApp:
    """The application around one workspace; ``started`` is called once it runs."""

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        playground.journal.closed = False
        playground.open_doors()
        started()
        yield
        playground.delivery.stop()
        playground.journal.wake()

    async def link(websocket: WebSocket) -> None:
        await playground.hub.serve(websocket)

    def bound(handler: Callable[..., object]) -> Callable[..., object]:
        return functools.partial(handler, playground)

    routes = [
        Route("/api/{method}", bound(serve_method), methods=["GET", "POST"]),
        Route("/response/{key}", bound(serve_response_url), methods=["POST"]),
        Route("/upload/{key}", bound(serve_upload), methods=["POST"]),
        Route("/files/{file_id}/{name}", bound(serve_file), methods=["GET"]),
        Route("/control/files/{file_id}", bound(serve_file_to_people), methods=["GET"]),
        WebSocketRoute("/link/", link),
        *act_routes(playground),
        *state_routes(playground),
        *page_routes(playground),
    ]
    return _WithTransport(LocalOnly(Starlette(routes=routes, lifespan=lifespan)))


class _WithTransport:
    """Lets handlers reach the TCP connection, which ASGI hides: abrupt ends need it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["playground.transport"] = getattr(getattr(send, "__self__", None), "transport", None)
        await self.app(scope, receive, send)


class PlaygroundServer:
    """A workspace served on 127.0.0.1 from a thread.

    ``with PlaygroundServer() as server: …``, or ``start`` and ``stop``. After a stop it can be started again, on
    the same port, with what was said kept, or with ``fresh=True`` from the seed.
    """

    bot_token = BOT_TOKEN
    app_token = APP_TOKEN

    def __init__(
        self,
        port: int = 0,
        *,
        seed: Json | None = None,
        manifest: Json | None = None,
        settings: Json | None = None,
        welcome: str = "",
    ) -> None:
        """Port 0 takes a free one. ``settings`` are fields of ``Settings``, over the manifest's.

        ``welcome`` is what the page says to a newcomer, as mrkdwn.
        """
        self.port = port
        self.playground = Playground(seed, manifest, settings, welcome=welcome)
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def base_url(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def api_url(self) -> str:
        """What slack_sdk's clients take as ``base_url``."""
        return f"{self.base_url}/api/"

    def start(self, *, fresh: bool = False) -> PlaygroundServer:
        """Serve; returns once requests are answered."""
        if self._thread is not None:
            raise RuntimeError("already started")
        if fresh:
            self.playground.reset()
        listening = self.listen()
        up = threading.Event()

        def started() -> None:
            self._loop = asyncio.get_running_loop()
            up.set()

        self._server = self.server(started)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listening]}, name="playground", daemon=True
        )
        self._thread.start()
        if not up.wait(10):
            raise RuntimeError("the playground did not start")
        return self

    def stop(self) -> None:
        """Stop serving and cut what is open. Repeatable."""
        if self._server is None or self._thread is None:
            return
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._cut_all)
        self._server.should_exit = True
        self._thread.join(10)
        self._server = self._thread = self._loop = None

    def _cut_all(self) -> None:
        self.playground.hub.drop_all()
        self.playground.journal.closed = True
        self.playground.journal.wake()

    def listen(self) -> socket.socket:
        """Bind the port; connections queue from here on."""
        # Named as TCP, or asyncio would leave Nagle's delay on, which costs 40 ms a request.
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", self.port))
        listening.listen(128)
        self.port = listening.getsockname()[1]
        self.playground.address = self.base_url
        return listening

    def server(self, started: Callable[[], None] = lambda: None) -> uvicorn.Server:
        """The uvicorn server, not yet running."""
        config = uvicorn.Config(
            build_app(self.playground, started),
            http="h11",
            ws="websockets-sansio",
            ws_ping_interval=10.0,
            ws_ping_timeout=10.0,
            proxy_headers=False,
            log_level="critical",
            timeout_graceful_shutdown=1,
        )
        return uvicorn.Server(config)

    def __enter__(self) -> PlaygroundServer:
        return self.start()

    def __exit__(self, *_exc: object) -> None:
        self.stop()
