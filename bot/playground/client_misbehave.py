"""The client's hand on Slack's misbehaviour."""

from __future__ import annotations

from typing import Protocol

from bot.playground.client_types import Json


class Post(Protocol):
    """Posts to the control API."""

    def __call__(self, path: str, **body: object) -> Json: ...


class Misbehave:
    """Each rule holds for ``calls`` calls, or ``for_s`` seconds, or until ``stop``.

    ``method`` is an API method, ``response_url``, ``upload`` or ``*``; ``where`` narrows it to calls with
    these arguments, such as ``{"user": ana.id}``.
    """

    def __init__(self, post: Post) -> None:
        self._post = post

    def rate_limit(
        self, method: str, *, calls: int | None = None, for_s: float | None = None, retry_after_s: int = 1
    ) -> None:
        """429 with Retry-After."""
        self._rule("rate_limit", method, calls, for_s, retry_after_s=retry_after_s)

    def break_down(
        self, method: str = "*", *, status: int = 500, calls: int | None = None, for_s: float | None = None
    ) -> None:
        """A 5xx answer; nothing is done."""
        self._rule("http_error", method, calls, for_s, status=status)

    def slow(
        self,
        method: str,
        seconds: float,
        *,
        where: Json | None = None,
        calls: int | None = None,
        for_s: float | None = None,
    ) -> None:
        """The answer, and the work, come that much later."""
        self._rule("slow", method, calls, for_s, seconds=seconds, where=where)

    def refuse(
        self,
        method: str,
        error: str,
        *,
        where: Json | None = None,
        calls: int | None = None,
        for_s: float | None = None,
    ) -> None:
        """``ok: false`` with this error; nothing is done."""
        self._rule("refuse", method, calls, for_s, error=error, where=where)

    def refuse_edits(self, *, calls: int | None = None, for_s: float | None = None) -> None:
        """``edit_window_closed`` for every edit."""
        self.refuse("chat.update", "edit_window_closed", calls=calls, for_s=for_s)

    def lose_reply(self, method: str, *, where: Json | None = None, calls: int = 1) -> None:
        """The work is done, but the connection is cut before the answer."""
        self._rule("lose_reply", method, calls, None, where=where)

    def redeliver_last_event(self, *, new_id: bool = False) -> None:
        """The last event comes again, marked as a retry; perhaps under another event id."""
        self._post("redeliver", which="last", new_id=new_id)

    def redeliver_next_event(self, times: int = 1) -> None:
        """The next event comes that many more times, although it is acknowledged."""
        self._post("redeliver", which="next", times=times)

    def drop_sockets(self, *, silent: bool = False) -> int:
        """Cut all connections without a word; ``silent``: TCP stays, nothing is heard or said any more."""
        return int(self._post("sockets", do="mute" if silent else "drop")["connections"])

    def disconnect(self, reason: str = "refresh_requested", *, close: bool | None = None) -> int:
        """Disconnect frames; ``refresh_requested`` closes as well, ``warning`` does not, unless told."""
        return int(self._post("sockets", do="disconnect", reason=reason, close=close)["connections"])

    def refuse_sockets(self, for_s: float) -> None:
        """No new connections for that long."""
        self._post("sockets", do="refuse", for_s=for_s)

    def lose_ephemerals(self, *, lost: bool = True) -> None:
        """Ephemeral messages are accepted and shown to nobody."""
        self._post("settings", ephemerals_lost=lost)

    def stop(self) -> None:
        """Behave again: lifts every rule, lets sockets in and shows ephemerals."""
        self._post("behave")
        self.lose_ephemerals(lost=False)

    def _rule(self, kind: str, method: str, calls: int | None, for_s: float | None, **facts: object) -> None:
        self._post("misbehave", kind=kind, method=method, calls=calls, for_s=for_s, **facts)
