"""What a form is to its feature: what it does while it is filled in and when it is sent, and what comes of that."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from handlers.blocks import SECTION_TEXT, Message, Modal
from handlers.desk import Asked, Desk

NOTICE: Final = "notice"
"""``block_id`` of the section in which a form says what becomes of its choices."""
_KEPT: Final = ("type", "callback_id", "title", "submit", "close")
View = Mapping[str, Any]
"""A view as Slack tells it, with what stands in its inputs."""


@dataclass(frozen=True, slots=True)
class Told:
    """The form is done with and closes; ``words`` are said to the person, None where that was done before."""

    words: str | None


@dataclass(frozen=True, slots=True)
class Objections:
    """The form stays open: plain text beside the fields (``block_id``) that are at fault."""

    errors: Mapping[str, str]


Outcome = Told | Objections | Modal
"""What becomes of a form that was sent; a `Modal` takes its place."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form. ``fields`` are the inputs whose change is told at once. Errors that no field is at fault for are
    raised by either function, and said in the form."""

    fields: tuple[str, ...]
    chosen: Callable[[Desk, Asked, View], Modal]
    submitted: Callable[[Desk, Asked, View], Outcome]
    reopen: Callable[[View, bool], Message]
    """Words with a button that opens it, where Slack did not; whether that was since its time was over."""


def noticed(view: View, words: str, metadata: str | None = None) -> dict[str, Any]:
    """The same form saying something else. Its inputs are left as they are, so that Slack keeps what stands in them."""
    text = words if len(words) <= SECTION_TEXT else words[: SECTION_TEXT - 1] + "…"
    section = {"type": "section", "block_id": NOTICE, "text": {"type": "mrkdwn", "text": text}}
    return {
        **{name: view[name] for name in _KEPT},
        "blocks": [section if block["block_id"] == NOTICE else block for block in view["blocks"]],
        "private_metadata": view["private_metadata"] if metadata is None else metadata,
    }


def channel_of(view: View) -> str:
    """Where a form was asked for; empty where that was no channel."""
    return str(json.loads(view.get("private_metadata") or "{}").get("channel") or "")
