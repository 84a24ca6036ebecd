"""What the client gives back: messages, command results, API calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Json = dict[str, Any]


class Button(NamedTuple):
    """A button that a message or view shows."""

    action_id: str
    text: str
    value: str | None


@dataclass(frozen=True)
class Message:
    """A message as one person sees it. ``author`` is a person's name; only they see an ``ephemeral`` one."""

    channel: str
    ts: str
    user: str
    author: str
    text: str
    blocks: list[Json] = field(default_factory=list)
    thread_ts: str | None = None
    ephemeral: bool = False
    edited: bool = False
    reactions: dict[str, list[str]] = field(default_factory=dict)
    reply_count: int = 0
    files: list[str] = field(default_factory=list)
    metadata: Json | None = None

    @property
    def words(self) -> str:
        """Everything it says: the text and all text in its blocks, a line each. For assertions."""
        return "\n".join([self.text, *words_in(self.blocks)])

    @property
    def buttons(self) -> list[Button]:
        """Its buttons, in order."""
        return buttons_in(self.blocks)

    @property
    def action_ids(self) -> list[str]:
        """The action ids of its buttons, in order."""
        return [b.action_id for b in self.buttons]


@dataclass(frozen=True)
class CommandResult:
    """What became of a slash command or a click.

    ``ack_delay_s`` is how long the acknowledgement took, ``ack`` its payload. ``error`` is what Slack showed
    instead: ``operation_timeout``, ``dispatch_failed``, ``invalid_command``, ``threads``. ``ts`` is the message
    that was shown at once.
    """

    acked: bool
    ack_delay_s: float | None
    ack: Json | None
    error: str | None
    payload: Json | None = None
    ts: str | None = None

    @property
    def words(self) -> str:
        """All text of the acknowledgement, or nothing."""
        if not self.ack:
            return ""
        return "\n".join([str(self.ack.get("text") or ""), *words_in(self.ack.get("blocks") or [])])


@dataclass(frozen=True)
class SubmitResult:
    """What became of a submitted modal; ``errors`` by block id if the app objected."""

    acked: bool
    errors: dict[str, str]
    ack: Json | None
    error: str | None


@dataclass(frozen=True)
class ApiCall:
    """A call of the Web API as the server received and answered it."""

    n: int
    method: str
    args: Json
    at: float
    ok: bool
    error: str | None
    status: int


@dataclass(frozen=True)
class View:
    """A modal or home tab."""

    id: str
    body: Json

    @property
    def title(self) -> str:
        """Its title, if it has one."""
        return str((self.body.get("title") or {}).get("text", ""))

    @property
    def words(self) -> str:
        """Title and all text in its blocks."""
        return "\n".join([self.title, *words_in(self.body.get("blocks") or [])])

    @property
    def buttons(self) -> list[Button]:
        """The buttons in its blocks, in order."""
        return buttons_in(self.body.get("blocks") or [])


def words_in(value: object) -> Iterator[str]:
    """Every text that a reader sees in blocks, in order; alternative texts of images too."""
    if isinstance(value, list):
        for entry in value:
            yield from words_in(entry)
    elif isinstance(value, dict):
        for name, entry in value.items():
            if name in ("text", "alt_text") and isinstance(entry, str):
                yield entry
            elif name != "confirm":
                yield from words_in(entry)


def buttons_in(value: object) -> list[Button]:
    """The buttons in blocks, in order."""
    found: list[Button] = []
    if isinstance(value, list):
        for entry in value:
            found += buttons_in(entry)
    elif isinstance(value, dict):
        if value.get("type") == "button":
            return [Button(value["action_id"], value["text"]["text"], value.get("value"))]
        for entry in value.values():
            found += buttons_in(entry)
    return found


def message_from(told: Json) -> Message:
    """A message from the control API's JSON."""
    reactions = {r["name"]: r["users"] for r in told["reactions"]}
    return Message(**told | {"reactions": reactions})
