"""What a Slack client makes of the characters that a person types."""

from __future__ import annotations

import re

from bot.playground.team import Team

# Code spans and fences: clients change nothing in there but the entities.
_CODE = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)
_URL = re.compile(r"(?<![<|\w])(https?://[^\s<>|]+)")
_MAIL = re.compile(r"(?<![\w<|:.+-])([\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,})")
# Bare hosts are linked when they end in a domain that clients know; a few stand for all of them.
_HOST = re.compile(r"(?<![\w@/.<|:-])((?:[\w-]+\.)+(?:com|org|net|io|dev|ai))(?![\w@/.>|-])")
_AT = re.compile(r"(?<![\w<])@([a-z0-9][a-z0-9._-]*[a-z0-9]|[a-z0-9])")
_HASH = re.compile(r"(?<![\w<&])#([a-z0-9][a-z0-9_-]*)")


def as_sent(team: Team, text: str, *, command: bool, entities: bool = True) -> str:
    """The text as it arrives at an app.

    ``&``, ``<`` and ``>`` are always escaped. With ``entities``, people, channels, links and addresses become
    ``<…>`` entities; a slash command names people in them, a message does not
    (docs.slack.dev: interactivity/implementing-slash-commands#escaping, messaging/formatting-message-text).
    """
    parts = _CODE.split(text)
    for i, part in enumerate(parts):
        escaped = part.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        parts[i] = escaped if i % 2 or not entities else _with_entities(team, escaped, command)
    return "".join(parts)


def _with_entities(team: Team, text: str, command: bool) -> str:
    def person(found: re.Match[str]) -> str:
        known = team.person_or_none(found[1])
        if known is None:
            return found[0]
        return f"<@{known.id}|{known.name}>" if command else f"<@{known.id}>"

    def channel(found: re.Match[str]) -> str:
        known = team.channel_named(found[1])
        return found[0] if known is None else f"<#{known.id}|{known.name}>"

    text = _URL.sub(r"<\1>", text)
    text = _MAIL.sub(r"<mailto:\1|\1>", text)
    text = _HOST.sub(r"<http://\1|\1>", text)
    return _HASH.sub(channel, _AT.sub(person, text))
