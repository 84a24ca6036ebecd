"""A playground shared by the tests of this folder, reset for each, and a real Bolt app for those that want one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

from bot.playground.client import Person, Workspace
from bot.playground.server import PlaygroundServer
from tests.playground.gallery import cleared, gallery_at

Connect = Callable[[App], SocketModeHandler]


@pytest.fixture(scope="session")
def shared() -> Iterator[PlaygroundServer]:
    with PlaygroundServer() as running:
        yield running


@pytest.fixture
def server(shared: PlaygroundServer) -> PlaygroundServer:
    return shared


@pytest.fixture
def http(server: PlaygroundServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.base_url, trust_env=False, timeout=20) as client:
        yield client


@pytest.fixture
def ws(server: PlaygroundServer) -> Iterator[Workspace]:
    with Workspace(server.base_url) as workspace:
        workspace.reset()
        yield workspace
        workspace.reset()


@pytest.fixture
def ana(ws: Workspace) -> Person:
    return ws.person("ana")


@pytest.fixture
def ben(ws: Workspace) -> Person:
    return ws.person("ben")


@pytest.fixture
def web(server: PlaygroundServer, ws: Workspace) -> WebClient:
    """The bot's client, without retries."""
    return WebClient(token=server.bot_token, base_url=server.api_url, retry_handlers=[])


@pytest.fixture
def app(web: WebClient) -> App:
    return App(client=web)


@pytest.fixture(scope="session")
def retired() -> Iterator[list[SocketModeHandler]]:
    """Handlers that are done. Closing one takes a second, so all are closed together at the end."""
    handlers: list[SocketModeHandler] = []
    yield handlers
    with ThreadPoolExecutor(max(1, len(handlers))) as pool:
        list(pool.map(SocketModeHandler.close, handlers))


@pytest.fixture
def connect(server: PlaygroundServer, ws: Workspace, retired: list[SocketModeHandler]) -> Iterator[Connect]:
    """Connects an app over Socket Mode; returns once the server sees it."""
    handlers: list[SocketModeHandler] = []

    def go(app: App) -> SocketModeHandler:
        before = ws.sockets()
        app_client = WebClient(token=server.app_token, base_url=server.api_url)
        handler = SocketModeHandler(app, server.app_token, web_client=app_client, ping_interval=1)
        handlers.append(handler)
        handler.connect()
        ws.wait_for(lambda: ws.sockets() > before)
        return handler

    yield go
    for handler in handlers:
        handler.client.auto_reconnect_enabled = False
    # A session that waits for data holds its end up for seconds, so the server cuts it first.
    ws.misbehave.drop_sockets()
    for handler in handlers:
        handler.client.disconnect()
    retired.extend(handlers)
    ws.wait_for(lambda: ws.sockets() == 0)


@pytest.fixture(scope="module")
def gallery(shared: PlaygroundServer) -> Iterator[Any]:
    """One browser for the tests of a file."""
    with gallery_at(shared.base_url) as opened:
        yield opened


@pytest.fixture
def page(gallery: Any) -> Iterator[Any]:
    """An empty page for what a test draws; its scripts may raise nothing."""
    yield cleared(gallery)
    assert gallery.faults == []
