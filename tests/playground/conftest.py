"""A playground shared by the tests of this folder, reset for each, and a real Bolt app for those that want one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from bot.playground.client import Person, Workspace
from bot.playground.server import PlaygroundServer
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

Connect = Callable[[App], SocketModeHandler]


@pytest.fixture(scope="session")
def shared() -> Iterator[PlaygroundServer]:
    with PlaygroundServer() as running:
        yield running


@pytest.fixture
def server(shared: PlaygroundServer) -> PlaygroundServer:
    return shared


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


@pytest.fixture
def connect(server: PlaygroundServer, ws: Workspace) -> Iterator[Connect]:
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
        handler.close()
    ws.misbehave.drop_sockets()
    ws.wait_for(lambda: ws.sockets() == 0)
