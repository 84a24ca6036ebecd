"""The workspace one starts with: the default one, or one read from a JSON file."""

from __future__ import annotations

import copy

from bot.playground.model import Channel, Json, Person
from bot.playground.team import Team

DEFAULT: Json = {
    "team": {"id": "T0PLAY000", "domain": "playground"},
    "app": {"id": "A0GPUBOT0"},
    "bot": {"id": "U0GPUBOT0", "name": "gpubot", "real_name": "gpubot", "bot_id": "B0GPUBOT0"},
    "people": [
        {"id": "U0ANA0000", "name": "ana", "real_name": "Ana Ortega"},
        {"id": "U0BEN0000", "name": "ben", "real_name": "Ben Okafor"},
        {"id": "U0CY00000", "name": "cy", "real_name": "Cy Lindqvist", "is_admin": True, "is_owner": True},
        {"id": "U0GUS0000", "name": "gus", "real_name": "Gus Guest", "is_ultra_restricted": True},
        {"id": "U0DEE0000", "name": "dee", "real_name": "Dee Departed", "deleted": True},
        {
            "id": "U0OLGA000",
            "name": "olga",
            "real_name": "Olga Outside",
            "team_id": "T0OTHER00",
            "is_stranger": True,
            "tz": "America/New_York",
            "tz_label": "Eastern Standard Time",
            "tz_offset": -18000,
        },
    ],
    "channels": [
        {"id": "C0GPUS000", "name": "gpus", "members": ["gpubot", "ana", "ben", "cy", "gus", "olga"]},
        {"id": "C0RANDOM0", "name": "random", "members": ["ana", "ben", "cy"]},
        {"id": "C0LAB0000", "name": "private-lab", "kind": "group", "members": ["ana", "ben"]},
    ],
}


def team_from(seed: Json | None = None) -> Team:
    """A fresh workspace. Parts that the seed leaves out are those of the default one.

    Channel members may be ids or names; a person without an id or a channel without one is given one.
    """
    told = copy.deepcopy(DEFAULT | (seed or {}))
    team_id = told["team"]["id"]
    bot = Person(team_id=team_id, is_bot=True, **told["bot"])
    team = Team(team_id, told["team"]["domain"], bot, told["app"]["id"], people={bot.id: bot})
    for entry in told["people"]:
        add_person(team, entry)
    for entry in told["channels"]:
        add_channel(team, entry)
    return team


def add_person(team: Team, entry: Json) -> Person:
    """Add one person from their description."""
    entry = {"id": entry.get("id") or team.new_id("U"), "team_id": team.id, **entry}
    entry.setdefault("real_name", entry["name"].capitalize())
    person = Person(**entry)
    team.people[person.id] = person
    return person


def add_channel(team: Team, entry: Json) -> Channel:
    """Add one channel from its description."""
    entry = {"id": entry.get("id") or team.new_id("C"), **entry}
    entry["members"] = [member_id(team, who) for who in entry.get("members", [])]
    channel = Channel(**entry)
    team.channels[channel.id] = channel
    return channel


def member_id(team: Team, who: str) -> str:
    """A person's id from an id or a name.

    Raises:
        KeyError: nobody is called that.
    """
    person = team.person_or_none(who)
    if person is None:
        raise KeyError(who)
    return person.id
