"""Bringing payloads to the app: one try for commands and clicks, several for events."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field

from bot.playground.journal import Journal
from bot.playground.model import Json
from bot.playground.settings import Settings
from bot.playground.socket_hub import NoConnectionError, SocketHub


@dataclass(frozen=True)
class Outcome:
    """What became of a payload: ``ack`` is the acknowledgement's payload, if it had one."""

    acked: bool
    delay_s: float | None = None
    ack: Json | None = None
    connected: bool = True


@dataclass
class Delivery:
    """Wraps payloads in envelopes and minds their acknowledgements."""

    hub: SocketHub
    settings: Settings
    journal: Journal
    last_event: Json | None = None
    # How many more times the next event is delivered although it was acknowledged.
    repeat_next: int = 0
    _sent: int = 0
    _tasks: set[asyncio.Task[object]] = field(default_factory=set)

    async def once(self, kind: str, payload: Json) -> Outcome:
        """Deliver a ``slash_commands`` or ``interactive`` payload: one try, never repeated."""
        envelope = self._envelope(kind, payload, accepts=True)
        started = self._clock()
        try:
            frame = await self.hub.send(envelope, self.settings.ack_deadline_s)
        except NoConnectionError:
            self.journal.note("delivery", type=kind, acked=False, connected=False)
            return Outcome(acked=False, connected=False)
        outcome = Outcome(acked=False)
        if frame is not None:
            answer = frame.get("payload")
            outcome = Outcome(True, self._clock() - started, answer if isinstance(answer, dict) else None)
        self.journal.note("delivery", type=kind, acked=outcome.acked, connected=True, delay_s=outcome.delay_s)
        return outcome

    def event(self, payload: Json) -> None:
        """Deliver an event in the background, again while nobody acknowledges it.

        docs: apis/events-api#retries: three more times: nearly at once, after a minute, after five.
        """
        self.last_event = payload
        self.journal.note("event", event=payload["event"]["type"], event_id=payload["event_id"])
        again, self.repeat_next = self.repeat_next, 0
        self.spawn(self._try_event(payload, again))

    def redeliver(self, payload: Json, attempt: int = 1) -> None:
        """Deliver an event once more, marked as a retry although it may have been acknowledged."""
        self.spawn(self._send_event(payload, attempt, "timeout"))

    async def _try_event(self, payload: Json, again: int) -> None:
        acked = await self._send_event(payload, 0, "")
        for attempt, delay_s in enumerate(self.settings.redelivery_delays_s, start=1):
            if acked and attempt > again:
                return
            if not acked:
                await asyncio.sleep(delay_s)
            acked = await self._send_event(payload, attempt, "timeout") or acked

    async def _send_event(self, payload: Json, attempt: int, reason: str) -> bool:
        envelope = self._envelope("events_api", payload, accepts=False)
        envelope |= {"retry_attempt": attempt, "retry_reason": reason}
        connected, frame = True, None
        try:
            frame = await self.hub.send(envelope, self.settings.ack_deadline_s)
        except NoConnectionError:
            connected = False
        self.journal.note(
            "delivery",
            type="events_api",
            event=payload["event"]["type"],
            event_id=payload["event_id"],
            attempt=attempt,
            acked=frame is not None,
            connected=connected,
        )
        return frame is not None

    def spawn(self, work: Coroutine[object, object, object]) -> None:
        """Run something in the background until it ends or the server stops."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Give up what is still to be delivered."""
        for task in list(self._tasks):
            task.cancel()

    def _envelope(self, kind: str, payload: Json, *, accepts: bool) -> Json:
        # docs: apis/events-api/using-socket-mode#events.
        self._sent += 1
        return {
            "envelope_id": f"envelope-{self._sent}",
            "payload": payload,
            "type": kind,
            "accepts_response_payload": accepts,
        }

    def _clock(self) -> float:
        return asyncio.get_running_loop().time()
