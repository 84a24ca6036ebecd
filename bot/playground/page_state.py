"""What the page shows: the workspace as one person sees it, and the news for them."""

from __future__ import annotations

import json

from bot.playground import payloads
from bot.playground.acts import Acts
from bot.playground.control_state import seen_told
from bot.playground.file_objects import mimetype
from bot.playground.model import Channel, Json, Message, Person
from bot.playground.playground import Playground
from bot.playground.refusals import ImpossibleError
from bot.playground.team import unique
from bot.playground.view_acts import ViewActs

# What there is to see; calls and deliveries are for the control API's readers.
_NEWS = {
    "message",
    "message_changed",
    "message_deleted",
    "reaction_added",
    "reaction_removed",
    "member_joined_channel",
    "view",
    "read",
    "reset",
    "workspace",
    "socket_opened",
    "socket_closed",
}


async def page_state(playground: Playground, query: Json) -> Json:
    """All that surrounds a conversation, for ``user``, by id or name; without one, for the first who can act."""
    team, settings = playground.team, playground.settings
    person = viewer(playground, query.get("user"))
    direct = team.dm_of(person.id, playground.now())
    home = team.homes.get(person.id)
    return {
        "team": {"id": team.id, "domain": team.domain},
        "me": _person_told(person),
        "bot": team.bot.id,
        "online": any(not c.muted for c in playground.hub.connections),
        "people": [_person_told(p) for p in team.people.values()],
        "channels": [
            _channel_told(playground, person, c) for c in _visible(playground, person) if c.kind != "im" or c is direct
        ],
        "commands": [
            {"command": c, "description": "", "usage_hint": ""} | settings.command_hints.get(c, {})
            for c in settings.commands
        ],
        "home_tab": settings.home_tab,
        "messages_tab": settings.messages_tab,
        "home": payloads.view_told(team, home) if home else None,
        "modals": ViewActs(playground).seen(person.id),
        "welcome": playground.welcome,
    }


def viewer(playground: Playground, who: str | None) -> Person:
    """Who looks: somebody by id or name, or the first who can act."""
    if who:
        return Acts(playground).person(who)
    living = (p for p in playground.team.people.values() if not p.is_bot and not p.deleted)
    first = next(living, None)
    if first is None:
        raise ImpossibleError("nobody is in this workspace")
    return first


def _visible(playground: Playground, person: Person) -> list[Channel]:
    found = []
    for channel in list(playground.team.channels.values()):
        try:
            found.append(Acts(playground).channel(person, channel.id))
        except ImpossibleError:
            continue
    return found


def _person_told(person: Person) -> Json:
    return {
        "id": person.id,
        "name": person.name,
        "real_name": person.real_name,
        "tz": person.tz,
        "is_bot": person.is_bot,
        "is_admin": person.is_admin,
        "is_guest": person.is_restricted or person.is_ultra_restricted,
        "is_stranger": person.is_stranger,
        "deleted": person.deleted,
    }


def _channel_told(playground: Playground, person: Person, channel: Channel) -> Json:
    read = playground.team.read.get(person.id, {}).get(channel.id)
    # What one wrote oneself is read; what stands in threads and ephemerals do not count, as in Slack.
    news = [m for m in playground.team.timeline(channel.id) if m.user != person.id and float(m.ts) > float(read or 0)]
    member = person.id in channel.members
    return {
        "id": channel.id,
        "name": channel.name,
        "kind": channel.kind,
        "archived": channel.archived,
        "member": member,
        "members": channel.members,
        "read": read,
        "unread": len(news) if member else 0,
        "mentions": sum(channel.kind == "im" or _names(m, person) for m in news) if member else 0,
    }


def _names(message: Message, person: Person) -> bool:
    said = message.text + json.dumps(message.blocks)
    return f"<@{person.id}" in said or "<!channel>" in said or "<!here>" in said


async def page_messages(playground: Playground, query: Json) -> Json:
    """The newest ``limit`` (200) messages that ``user`` sees in ``channel``, or in its thread ``thread_ts``."""
    acts, team = Acts(playground), playground.team
    person = acts.person(query["user"])
    channel = acts.channel(person, query["channel"])
    thread_ts = query.get("thread_ts")
    found = team.thread_seen_by(person.id, channel.id, thread_ts) if thread_ts else team.seen_by(person.id, channel.id)
    limit = int(query.get("limit") or 200)
    shown = found[-limit:]
    if thread_ts and found and shown[0] is not found[0]:
        shown = [found[0], *shown]
    marks = team.read.get(person.id, {})
    return {
        "channel": channel.id,
        "read": marks.get(f"{channel.id}/{thread_ts}" if thread_ts else channel.id),
        "earlier": len(found) - len(shown),
        "messages": [_message_told(playground, person, m, marks) for m in shown],
    }


def _message_told(playground: Playground, person: Person, message: Message, marks: dict[str, str]) -> Json:
    team = playground.team
    told = seen_told(playground, message)
    told["files"] = [
        {"id": f.id, "name": f.name, "title": f.title, "alt": f.alt_text or "", "size": f.length}
        | {"mimetype": mimetype(f.name)}
        for f in (team.files[file_id] for file_id in message.files)
    ]
    replies = team.replies(message.channel, message.ts)
    if replies:
        read = float(marks.get(f"{message.channel}/{message.ts}", 0))
        told["repliers"] = unique(m.user for m in replies)
        told["latest_reply"] = replies[-1].ts
        told["unread_replies"] = sum(m.user != person.id and float(m.ts) > read for m in replies)
    return told


def is_news(playground: Playground, person: Person, entry: Json) -> bool:
    """Whether a journal entry changes what a person sees."""
    if entry["kind"] not in _NEWS or entry.get("only_for") not in (None, person.id):
        return False
    if entry["kind"] in ("view", "read"):
        return bool(entry["user"] == person.id)
    channel = playground.team.channels.get(entry.get("channel") or "")
    if channel is None:
        return True
    try:
        Acts(playground).channel(person, channel.id)
    except ImpossibleError:
        return False
    return True
