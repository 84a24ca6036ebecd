"""What happened, in order, for those who wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.playground.model import Json


@dataclass
class ApiCall:
    """One call of the Web API as it was received and answered."""

    n: int
    method: str
    args: Json
    at: float
    ok: bool = False
    error: str | None = None
    status: int = 0


@dataclass
class Journal:
    """A growing list of entries; readers wait for those after a number they have seen."""

    now: Callable[[], float]
    entries: list[Json] = field(default_factory=list)
    calls: list[ApiCall] = field(default_factory=list)
    # The server is going down: whoever follows the journal lets go.
    closed: bool = False
    _waiting: list[asyncio.Future[None]] = field(default_factory=list)

    def note(self, kind: str, **facts: object) -> None:
        """Append an entry and wake whoever waits."""
        self.entries.append({"n": len(self.entries) + 1, "kind": kind, "at": self.now(), **facts})
        self.wake()

    def wake(self) -> None:
        """Let everyone who waits look again."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def call_received(self, method: str, args: Json) -> ApiCall:
        """Open the record of an API call; ``call_answered`` closes it."""
        call = ApiCall(len(self.calls) + 1, method, args, self.now())
        self.calls.append(call)
        return call

    def call_answered(self, call: ApiCall, status: int, error: str | None) -> None:
        """Close the record of an API call."""
        call.status, call.error, call.ok = status, error, status == 200 and error is None
        self.note("api_call", method=call.method, ok=call.ok, error=error, call=call.n)

    async def after(self, n: int, timeout_s: float) -> list[Json]:
        """The entries after number ``n``; waits up to ``timeout_s`` for the first of them."""
        if n >= len(self.entries):
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await asyncio.wait([future], timeout=timeout_s)
            if future in self._waiting:
                self._waiting.remove(future)
        return self.entries[n:]
