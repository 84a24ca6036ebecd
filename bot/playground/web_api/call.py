"""One call of a method: its arguments, the rules all methods share, and the table of methods."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from bot.playground.model import Channel, Json, Message, Person
from bot.playground.playground import Playground
from bot.playground.refusals import RefusedError

TokenKind = Literal["bot", "app", "any", "none"]


@dataclass
class Call:
    """A call whose token has been checked."""

    playground: Playground
    method: str
    args: Json
    caller: str

    @property
    def bot(self) -> Person:
        """Who calls."""
        return self.playground.team.bot

    def need_scope(self, *any_of: str) -> None:
        """The token holds one of the scopes.

        Source: docs reference/methods/<any>#errors; ``needed`` and ``provided`` as Slack answers.

        Raises:
            RefusedError: ``missing_scope``.
        """
        granted = self.playground.settings.app_scopes if self.caller == "app" else self.granted
        if not set(any_of) & set(granted):
            raise RefusedError("missing_scope", needed=any_of[0], provided=",".join(granted))

    @property
    def granted(self) -> list[str]:
        """The bot token's scopes."""
        return self.playground.settings.scopes

    def text(self, name: str) -> str:
        """A required argument.

        Raises:
            RefusedError: ``invalid_arguments`` (docs: reference/methods/<any>#errors).
        """
        value = self.args.get(name)
        if value is None or value == "":
            missing = f"[ERROR] missing required field: {name}"
            raise RefusedError("invalid_arguments", response_metadata={"messages": [missing]})
        return str(value)

    def flag(self, name: str) -> bool:
        """A boolean argument: JSON's, or the ``1`` and ``true`` of forms."""
        return str(self.args.get(name, "")).lower() in ("1", "true")

    def number(self, name: str, default: int) -> int:
        """A whole number.

        Raises:
            RefusedError: ``invalid_arguments``.
        """
        try:
            return int(self.args.get(name) or default)
        except (TypeError, ValueError):
            raise RefusedError("invalid_arguments") from None

    def parsed(self, name: str) -> Any:
        """An argument that forms carry as JSON text.

        Raises:
            RefusedError: ``invalid_arguments``.
        """
        value = self.args.get(name)
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError:
            raise RefusedError("invalid_arguments") from None

    def channel(self, name: str = "channel") -> Channel:
        """The conversation with this id, if the bot may know of it.

        Source: docs reference/methods/conversations.info#errors; private ones are not found by outsiders.

        Raises:
            RefusedError: ``channel_not_found``.
        """
        found = self.playground.team.channels.get(str(self.args.get(name) or ""))
        if found is None or (found.kind != "channel" and self.bot.id not in found.members):
            raise RefusedError("channel_not_found")
        return found

    def joined_channel(self, name: str = "channel") -> Channel:
        """A conversation that the bot is a member of.

        Source: docs reference/methods/chat.postMessage#errors. facts: posting elsewhere fails.

        Raises:
            RefusedError: ``channel_not_found`` or ``not_in_channel``.
        """
        channel = self.channel(name)
        if self.bot.id not in channel.members:
            raise RefusedError("not_in_channel")
        return channel

    def message(self, channel: Channel, name: str = "ts") -> Message:
        """A lasting message: ephemeral ones are out of the API's reach.

        Source: docs reference/methods/chat.update#errors, chat.postEphemeral (its ts is no use here).

        Raises:
            RefusedError: ``message_not_found``.
        """
        found = self.playground.team.message(channel.id, self.text(name))
        if found is None or found.only_for is not None:
            raise RefusedError("message_not_found")
        return found


Handler = Callable[[Call], Awaitable[Json]]


@dataclass(frozen=True)
class Method:
    """A method with the kind of token (whose it is) and the scopes that it takes."""

    handler: Handler
    caller: TokenKind
    scopes: tuple[str, ...]


METHODS: dict[str, Method] = {}


def method(name: str, *scopes: str, caller: TokenKind = "bot") -> Callable[[Handler], Handler]:
    """Register a handler; any one of the scopes is enough."""

    def register(handler: Handler) -> Handler:
        METHODS[name] = Method(handler, caller, scopes)
        return handler

    return register
