"""Socket Mode itself: hello, several connections, drops, disconnects, redelivery."""

from __future__ import annotations

import asyncio
import json
import queue
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import websockets
from slack_bolt import Ack, App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.playground.client import Person, Workspace
from bot.playground.server import PlaygroundServer

Connect = Callable[[App], SocketModeHandler]


def new_url(server: PlaygroundServer) -> str:
    app_client = WebClient(token=server.app_token, base_url=server.api_url, retry_handlers=[])
    return str(app_client.apps_connections_open(app_token=server.app_token)["url"])


def in_loop(work: Callable[[], Awaitable[None]]) -> None:
    async def run() -> None:
        await asyncio.wait_for(work(), 10)

    asyncio.run(run())


async def frame(socket: websockets.ClientConnection) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(await socket.recv())
    return told


def test_hello_counts_connections_and_an_eleventh_is_sent_away(server: PlaygroundServer, ws: Workspace) -> None:
    urls = [new_url(server) for _ in range(11)]

    async def work() -> None:
        sockets = [await websockets.connect(url) for url in urls[:10]]
        hellos = [await frame(s) for s in sockets]
        assert [h["num_connections"] for h in hellos] == list(range(1, 11))
        assert hellos[0]["type"] == "hello"
        assert hellos[0]["connection_info"] == {"app_id": "A0GPUBOT0"}
        eleventh = await websockets.connect(urls[10])
        assert (await frame(eleventh))["reason"] == "too_many_websockets"
        await eleventh.close()
        for socket in sockets:
            await socket.close()

    in_loop(work)
    ws.wait_for(lambda: ws.sockets() == 0)


def test_an_address_is_good_for_one_connection(server: PlaygroundServer, ws: Workspace) -> None:
    url = new_url(server)

    async def work() -> None:
        socket = await websockets.connect(url)
        await frame(socket)
        with pytest.raises(websockets.InvalidStatus):
            await websockets.connect(url)
        await socket.close()

    in_loop(work)


def test_each_payload_goes_to_one_of_several_connections(server: PlaygroundServer, ws: Workspace) -> None:
    urls = [new_url(server) for _ in range(2)]
    ana = ws.person("ana")

    async def work() -> None:
        sockets = [await websockets.connect(url) for url in urls]
        for socket in sockets:
            await frame(socket)
        for i in range(4):
            await asyncio.to_thread(ana.say, "#gpus", f"@gpubot {i}")
        got = [[await frame(s) for _ in range(2)] for s in sockets]
        texts = sorted(f["payload"]["event"]["text"][-1] for one in got for f in one)
        assert texts == ["0", "1", "2", "3"]
        envelope = got[0][0]
        assert (envelope["type"], envelope["accepts_response_payload"]) == ("events_api", False)
        assert (envelope["retry_attempt"], envelope["retry_reason"]) == (0, "")
        for socket in sockets:
            await socket.close()

    in_loop(work)


def test_pings_are_answered_and_sent(server: PlaygroundServer, ws: Workspace) -> None:
    url = new_url(server)

    async def work() -> None:
        socket = await websockets.connect(url)
        await frame(socket)
        await (await socket.ping("sdk-ping-pong:1"))
        await socket.close()

    in_loop(work)


def test_an_event_without_an_ack_comes_again_marked(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    ws.settings(ack_deadline_s=0.2, redelivery_delays_s=[0.0, 0.1])
    seen: queue.Queue[tuple[str, list[str], list[str]]] = queue.Queue()

    @app.middleware
    def note(req: Any, next: Callable[[], None]) -> None:  # noqa: A002  Bolt's name for it
        headers = req.headers
        seen.put((req.body["event_id"], headers["x-slack-retry-num"], headers.get("x-slack-retry-reason", [])))
        next()

    @app.event("app_mention", matchers=[lambda: False])
    def never() -> None:
        """Nothing handles the mention, so nothing acknowledges it."""

    connect(app)
    ana.say("#gpus", "@gpubot hello")
    tries = [seen.get(timeout=5) for _ in range(3)]
    assert len({event_id for event_id, _, _ in tries}) == 1
    assert [num for _, num, _ in tries] == [["0"], ["1"], ["2"]]
    assert tries[1][2] == ["timeout"]


def test_redelivery_on_demand(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    ids: queue.Queue[str] = queue.Queue()
    app.event("app_mention")(lambda body: ids.put(body["event_id"]))
    connect(app)
    ws.misbehave.redeliver_next_event()
    ana.say("#gpus", "@gpubot hello")
    first, second = ids.get(timeout=5), ids.get(timeout=5)
    assert first == second
    ws.misbehave.redeliver_last_event()
    assert ids.get(timeout=5) == first
    ws.misbehave.redeliver_last_event(new_id=True)
    assert ids.get(timeout=5) != first


def answering(app: App) -> None:
    @app.command("/gpu")
    def gpu(ack: Ack) -> None:
        ack("here")


def test_bolt_comes_back_after_a_drop(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    answering(app)
    connect(app)
    assert ana.command("#gpus", "/gpu").acked
    opened = len(ws.calls("apps.connections.open"))
    assert ws.misbehave.drop_sockets() == 1
    ws.wait_for(lambda: ws.sockets() == 1 and len(ws.calls("apps.connections.open")) > opened)
    assert ana.command("#gpus", "/gpu").acked


def test_bolt_comes_back_after_a_disconnect_frame(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    answering(app)
    connect(app)
    for reason in ("warning", "refresh_requested"):
        opened = len(ws.calls("apps.connections.open"))
        ws.misbehave.disconnect(reason)
        ws.wait_for(lambda: ws.calls("apps.connections.open")[opened:])  # noqa: B023  used at once
        ws.wait_for(lambda: ana.command("#gpus", "/gpu").acked)


def test_a_mute_connection_swallows_commands(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    ws.settings(ack_deadline_s=0.2)
    answering(app)
    connect(app)
    ws.misbehave.drop_sockets(silent=True)
    assert ws.sockets() == 0
    assert ana.command("#gpus", "/gpu").error == "operation_timeout"
    ws.misbehave.drop_sockets()


def test_sockets_can_be_refused_for_a_time(server: PlaygroundServer, ws: Workspace) -> None:
    url = new_url(server)
    ws.misbehave.refuse_sockets(60)
    with pytest.raises(SlackApiError):
        new_url(server)

    async def work() -> None:
        with pytest.raises(websockets.InvalidStatus):
            await websockets.connect(url)

    in_loop(work)
    ws.misbehave.stop()
    assert new_url(server)


def test_events_wait_for_an_app_that_is_away(app: App, connect: Connect, ana: Person, ws: Workspace) -> None:
    ws.settings(redelivery_delays_s=[0.0, 1.0])
    heard: queue.Queue[str] = queue.Queue()
    app.event("app_mention")(lambda event: heard.put(event["text"]))
    ana.say("#gpus", "@gpubot anybody there?")
    connect(app)
    assert "anybody there" in heard.get(timeout=5)
