"""users.info and users.list."""

from __future__ import annotations

from bot.playground.model import Json
from bot.playground.refusals import RefusedError
from bot.playground.web_api.call import Call, method
from bot.playground.web_api.conversations import paged


@method("users.info", "users:read")
async def users_info(call: Call) -> Json:
    """docs: reference/methods/users.info."""
    person = call.playground.team.people.get(call.text("user"))
    if person is None:
        raise RefusedError("user_not_found")
    return {"user": person.as_slack()}


@method("users.list", "users:read")
async def users_list(call: Call) -> Json:
    """docs: reference/methods/users.list: everybody, the deactivated too."""
    people = [p.as_slack() for p in call.playground.team.people.values()]
    page, cursor = paged(call, people, 1000)
    return {"members": page, "cache_ts": 1700000000, "response_metadata": {"next_cursor": cursor}}
