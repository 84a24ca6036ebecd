"""Answers for one person's eyes: ephemeral where they are, directly where that cannot be."""

from dataclasses import dataclass
from typing import Any

from slack_sdk import WebClient

from bot.domain.places import Place
from handlers.blocks import Message
from handlers.funnel import Funnel

Words = str | Message


def payload(reply: Words) -> dict[str, Any]:
    """Arguments for whatever says it: ``text``, and ``blocks`` where there are any."""
    if isinstance(reply, str):
        return {"text": reply}
    return {"text": reply.text, **({"blocks": [block.to_dict() for block in reply.blocks]} if reply.blocks else {})}


@dataclass(frozen=True, slots=True)
class Answers:
    """Says things to one person. A failure is only logged."""

    funnel: Funnel
    client: WebClient

    def privately(self, place: Place, user: str, reply: Words) -> None:
        """Where they are, if that is a channel; in their direct messages otherwise, and where Slack refuses."""
        if not place.channel:
            self.directly(user, reply)
        elif place.channel.startswith("D"):
            self.directly(place.channel, reply)
        elif not self.ephemerally(place, user, reply):
            self.directly(user, reply)

    def ephemerally(self, place: Place, user: str, reply: Words) -> bool:
        """Ephemeral in a channel or one of its threads; whether Slack took it."""
        return self.funnel.quietly(
            "reply",
            lambda: self.client.chat_postEphemeral(
                channel=place.channel, user=user, thread_ts=place.thread_ts, **payload(reply)
            ),
        )

    def directly(self, to: str, reply: Words) -> None:
        """A direct message; ``to`` is a person or their conversation with the bot."""
        self.funnel.quietly("direct", lambda: self.client.chat_postMessage(channel=to, **payload(reply)))
