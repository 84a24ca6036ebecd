"""Socket Mode connections: tickets, the hello, acknowledgements, drops and disconnects."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.websockets import WebSocket, WebSocketDisconnect

from bot.playground.journal import Journal
from bot.playground.model import Json

# docs: apis/events-api/using-socket-mode#using-multiple-connections: up to ten.
MOST_CONNECTIONS = 10


@dataclass(eq=False)
class Connection:
    """One open WebSocket of the app."""

    id: int
    websocket: WebSocket
    muted: bool = False

    @property
    def transport(self) -> asyncio.Transport:
        """The TCP connection underneath."""
        transport: asyncio.Transport = self.websocket.scope["playground.transport"]
        return transport


@dataclass
class SocketHub:
    """All connections of the app. Each payload goes to one of them, in turn."""

    app_id: str
    now: Callable[[], float]
    journal: Journal
    connections: list[Connection] = field(default_factory=list)
    refuse_until: float = 0.0
    _tickets: set[str] = field(default_factory=set)
    _acks: dict[str, asyncio.Future[Json]] = field(default_factory=dict)
    _made: int = 0
    _turn: int = 0

    def new_ticket(self) -> str:
        """A key for one connection, as ``apps.connections.open`` hands out in its address."""
        self._made += 1
        ticket = f"ticket-{self._made}"
        self._tickets.add(ticket)
        return ticket

    async def serve(self, websocket: WebSocket) -> None:
        """Hold one connection until either side ends it."""
        ticket = websocket.query_params.get("ticket", "")
        if ticket not in self._tickets or self.now() < self.refuse_until:
            await websocket.close()
            return
        self._tickets.discard(ticket)
        await websocket.accept()
        if len(self.connections) >= MOST_CONNECTIONS:
            # Seen by users of the official SDKs: slackapi/node-slack-sdk#1654.
            await websocket.send_text(json.dumps(self._disconnect("too_many_websockets")))
            await websocket.close()
            return
        self._made += 1
        connection = Connection(self._made, websocket)
        self.connections.append(connection)
        try:
            await websocket.send_text(json.dumps(self._hello()))
            self.journal.note("socket_opened", connection=connection.id, open=len(self.connections))
            await self._listen(connection)
        finally:
            self._forget(connection)

    async def _listen(self, connection: Connection) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                text = await connection.websocket.receive_text()
                if connection.muted:
                    connection.transport.pause_reading()
                    continue
                with contextlib.suppress(ValueError):
                    self._heard(json.loads(text))

    def _heard(self, frame: object) -> None:
        if not isinstance(frame, dict):
            return
        waiting = self._acks.get(str(frame.get("envelope_id")))
        if waiting is not None and not waiting.done():
            waiting.set_result(frame)

    def _forget(self, connection: Connection) -> None:
        if connection in self.connections:
            self.connections.remove(connection)
            self.journal.note("socket_closed", connection=connection.id, open=len(self.connections))

    async def send(self, envelope: Json, deadline_s: float) -> Json | None:
        """Send an envelope over one connection and wait for its acknowledgement.

        Returns the acknowledgement's frame, or None if none came in time.

        Raises:
            NoConnectionError: the app has none open.
        """
        if not self.connections:
            raise NoConnectionError
        self._turn += 1
        connection = self.connections[self._turn % len(self.connections)]
        waiting: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._acks[envelope["envelope_id"]] = waiting
        try:
            if not connection.muted:
                await connection.websocket.send_text(json.dumps(envelope))
            return await asyncio.wait_for(waiting, deadline_s)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            # RuntimeError: the connection closed between the choice and the sending. The payload is lost.
            return None
        finally:
            del self._acks[envelope["envelope_id"]]

    def drop_all(self, *, silent: bool = False) -> int:
        """Cut every connection without a close frame; ``silent`` keeps TCP open and neither hears nor speaks."""
        dropped = list(self.connections)
        for connection in dropped:
            if silent:
                # It stays in the list: Slack does not know either that such a connection is dead.
                connection.muted = True
                connection.transport.pause_reading()
            else:
                connection.transport.abort()
                self._forget(connection)
        return len(dropped)

    async def disconnect_all(self, reason: str, *, close: bool) -> int:
        """Send every connection a disconnect frame, and then close it where asked.

        docs: apis/events-api/using-socket-mode#disconnect: ``warning`` comes some seconds before the end,
        ``refresh_requested`` with it.
        """
        told = list(self.connections)
        for connection in told:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                await connection.websocket.send_text(json.dumps(self._disconnect(reason)))
                if close:
                    self._forget(connection)
                    await connection.websocket.close()
        return len(told)

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self.connections),
            "debug_info": {
                "host": "applink-playground",
                "build_number": 1,
                "approximate_connection_time": 18060,
            },
            "connection_info": {"app_id": self.app_id},
        }

    def _disconnect(self, reason: str) -> Json:
        return {"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-playground"}}


class NoConnectionError(Exception):
    """The app holds no Socket Mode connection."""
