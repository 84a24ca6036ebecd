"""The keys that Slack hands out with a payload: trigger ids and response addresses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.playground.refusals import RefusedError
from bot.playground.settings import Settings


@dataclass
class ResponseUrl:
    """Where an app may answer one interaction; ``message_ts`` is the message it was on, if any."""

    key: str
    user: str
    channel: str
    message_ts: str | None
    expires_at: float
    uses_left: int


@dataclass
class Callbacks:
    """Hands out keys and honours them within their rules."""

    settings: Settings
    now: Callable[[], float]
    _triggers: dict[str, tuple[str, float]] = field(default_factory=dict)
    _urls: dict[str, ResponseUrl] = field(default_factory=dict)

    def new_trigger(self, user: str) -> str:
        """A key that opens one modal for this person, soon."""
        trigger = f"{len(self._triggers) + 1}.1000.playground"
        self._triggers[trigger] = (user, self.now() + self.settings.trigger_lifetime_s)
        return trigger

    def use_trigger(self, trigger: object) -> str:
        """The person whom a trigger belongs to.

        Source: docs interactivity/handling-user-interaction#modal_responses (3 seconds, once),
        reference/methods/views.open#errors.

        Raises:
            RefusedError: ``invalid_trigger_id``, ``expired_trigger_id`` or ``exchanged_trigger_id``.
        """
        if not isinstance(trigger, str) or trigger not in self._triggers:
            raise RefusedError("invalid_trigger_id")
        user, expires_at = self._triggers[trigger]
        if expires_at < 0:
            raise RefusedError("exchanged_trigger_id")
        if self.now() > expires_at:
            raise RefusedError("expired_trigger_id")
        self._triggers[trigger] = (user, -1.0)
        return user

    def new_url(self, user: str, channel: str, message_ts: str | None = None) -> str:
        """The key of a response address."""
        key = f"r{len(self._urls) + 1}"
        expires_at = self.now() + self.settings.response_url_lifetime_s
        uses = self.settings.response_url_uses
        self._urls[key] = ResponseUrl(key, user, channel, message_ts, expires_at, uses)
        return key

    def url(self, key: str) -> ResponseUrl:
        """A response address by its key, without using it."""
        return self._urls[key]

    def use_url(self, key: str) -> ResponseUrl:
        """One use of a response address.

        Source: docs interactivity/handling-user-interaction#message_responses (5 times, 30 minutes).

        Raises:
            RefusedError: ``used_url`` or ``expired_url``.
        """
        url = self._urls.get(key)
        if url is None or self.now() > url.expires_at:
            raise RefusedError("expired_url")
        if url.uses_left <= 0:
            raise RefusedError("used_url")
        url.uses_left -= 1
        return url
