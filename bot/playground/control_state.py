"""The control API: looking, waiting, changing the workspace, and making it misbehave."""

from __future__ import annotations

import copy
import dataclasses

from starlette.routing import Route

from bot.playground import payloads
from bot.playground.acts import Acts
from bot.playground.control import Act, route
from bot.playground.model import Json, Message
from bot.playground.playground import Playground
from bot.playground.refusals import ImpossibleError
from bot.playground.seed import add_channel, add_person, member_id
from bot.playground.settings import APP_TOKEN, BOT_TOKEN
from bot.playground.team import reactions_told
from bot.playground.trouble import Trouble
from bot.playground.view_acts import ViewActs


async def see(playground: Playground, query: Json) -> Json:
    """What ``user`` sees in ``channel``, or in its thread ``thread_ts``; perhaps only newer than ``since``."""
    acts = Acts(playground)
    person = acts.person(query["user"])
    channel = acts.channel(person, query["channel"])
    if query.get("thread_ts"):
        found = playground.team.thread_seen_by(person.id, channel.id, query["thread_ts"])
    else:
        found = playground.team.seen_by(person.id, channel.id)
    since = float(query.get("since") or 0)
    messages = [seen_told(playground, m) for m in found if float(m.ts) > since]
    return {"channel": channel.id, "messages": messages}


def seen_told(playground: Playground, message: Message) -> Json:
    """A message as the control API tells it."""
    author = playground.team.people.get(message.user)
    return {
        "channel": message.channel,
        "ts": message.ts,
        "user": message.user,
        "author": author.name if author else "slackbot",
        "text": message.text,
        "blocks": message.blocks,
        "thread_ts": message.thread_ts,
        "ephemeral": message.only_for is not None,
        "edited": message.edited is not None,
        "reactions": reactions_told(message),
        "reply_count": len(playground.team.replies(message.channel, message.ts)),
        "files": message.files,
        "metadata": message.metadata,
    }


async def views(playground: Playground, query: Json) -> Json:
    """The modals that ``user`` has open, and their home tab."""
    person = Acts(playground).person(query["user"])
    home = playground.team.homes.get(person.id)
    told = payloads.view_told(playground.team, home) if home else None
    return {"modals": ViewActs(playground).seen(query["user"]), "home": told}


async def events(playground: Playground, query: Json) -> Json:
    """Journal entries after number ``after``; waits up to ``timeout`` seconds for the first."""
    after, timeout_s = int(query.get("after") or 0), float(query.get("timeout") or 0)
    entries = await playground.journal.after(after, min(timeout_s, 60.0))
    return {"last": len(playground.journal.entries), "events": entries}


async def calls(playground: Playground, query: Json) -> Json:
    """API calls received, perhaps only those of one ``method``."""
    wanted = query.get("method")
    found = [dataclasses.asdict(c) for c in playground.journal.calls if wanted in (None, "", c.method)]
    return {"calls": found}


async def workspace(playground: Playground, _query: Json) -> Json:
    """Who and what is there, the tokens, the settings, and how many sockets the app has open."""
    team = playground.team
    return {
        "team": {"id": team.id, "domain": team.domain},
        "app_id": team.app_id,
        "bot": dataclasses.asdict(team.bot),
        "bot_token": BOT_TOKEN,
        "app_token": APP_TOKEN,
        "people": [dataclasses.asdict(p) for p in team.people.values()],
        "channels": [dataclasses.asdict(c) for c in team.channels.values()],
        "settings": dataclasses.asdict(playground.settings),
        "sockets": sum(not c.muted for c in playground.hub.connections),
        "last_event": len(playground.journal.entries),
    }


async def people(playground: Playground, body: Json) -> Json:
    """Add a person, or change the one with this ``name`` or ``id``."""
    team = playground.team
    known = team.person_or_none(body.get("id") or body["name"])
    if known is None:
        known = add_person(team, body)
    else:
        _change(known, body)
    playground.journal.note("workspace")
    return dataclasses.asdict(known)


async def channels(playground: Playground, body: Json) -> Json:
    """Add a channel, or change the one with this ``name`` or ``id``; ``members`` by id or name."""
    team = playground.team
    known = team.channel_or_none(body.get("id") or body["name"])
    if known is None:
        known = add_channel(team, body)
    else:
        if "members" in body:
            body["members"] = [member_id(team, who) for who in body["members"]]
        _change(known, body)
    playground.journal.note("workspace")
    return dataclasses.asdict(known)


def _change(known: object, body: Json) -> None:
    for name, value in body.items():
        if not hasattr(known, name):
            raise KeyError(name)
        setattr(known, name, value)


async def settings(playground: Playground, body: Json) -> Json:
    """Change the named settings; the answer is all of them."""
    playground.settings.change(body)
    playground.journal.note("workspace")
    return dataclasses.asdict(playground.settings)


async def misbehave(playground: Playground, body: Json) -> Json:
    """Put a trouble in force: the fields of ``Trouble``, ``for_s`` for an end in seconds from now."""
    for_s = body.pop("for_s", None)
    if for_s is not None:
        body["until"] = playground.now() + float(for_s)
    playground.troubles.rules.append(Trouble(**body))
    return {}


async def behave(playground: Playground, _body: Json) -> Json:
    """Lift every trouble, and let sockets in again."""
    playground.troubles.rules.clear()
    playground.hub.refuse_until = 0.0
    playground.delivery.repeat_next = 0
    return {}


async def sockets(playground: Playground, body: Json) -> Json:
    """``do``: ``drop``, ``mute``, ``disconnect`` (``reason``, ``close``) or ``refuse`` (``for_s``)."""
    hub, verb = playground.hub, body["do"]
    if verb in ("drop", "mute"):
        return {"connections": hub.drop_all(silent=verb == "mute")}
    if verb == "disconnect":
        reason = body.get("reason", "refresh_requested")
        close = bool(body.get("close", reason == "refresh_requested"))
        return {"connections": await hub.disconnect_all(reason, close=close)}
    if verb == "refuse":
        hub.refuse_until = playground.now() + float(body["for_s"])
        return {"connections": len(hub.connections)}
    raise KeyError(verb)


async def redeliver(playground: Playground, body: Json) -> Json:
    """Deliver the ``last`` event again, or the ``next`` one twice; ``new_id`` makes the copy's id another."""
    if body.get("which", "last") == "next":
        playground.delivery.repeat_next = int(body.get("times") or 1)
        return {}
    if playground.delivery.last_event is None:
        raise ImpossibleError("no event was delivered yet")
    payload = copy.deepcopy(playground.delivery.last_event)
    if body.get("new_id"):
        # facts: duplicates have also been seen under a new event id.
        payload["event_id"] = playground.team.new_id("Ev")
    playground.delivery.redeliver(payload)
    return {"event_id": payload["event_id"]}


async def reset(playground: Playground, _body: Json) -> Json:
    """Back to the seed; open sockets stay open."""
    playground.reset()
    return {}


_ROUTES: list[tuple[str, str, Act]] = [
    ("GET", "see", see),
    ("GET", "views", views),
    ("GET", "events", events),
    ("GET", "calls", calls),
    ("GET", "workspace", workspace),
    ("POST", "people", people),
    ("POST", "channels", channels),
    ("POST", "settings", settings),
    ("POST", "misbehave", misbehave),
    ("POST", "behave", behave),
    ("POST", "sockets", sockets),
    ("POST", "redeliver", redeliver),
    ("POST", "reset", reset),
]


def state_routes(playground: Playground) -> list[Route]:
    """The addresses beside people's acts."""
    return [route(playground, f"/control/{name}", act, verb) for verb, name, act in _ROUTES]
