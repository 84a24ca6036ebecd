"""bots.info."""

from __future__ import annotations

from bot.playground.model import Json
from bot.playground.refusals import RefusedError
from bot.playground.web_api.call import Call, method


@method("bots.info", "users:read")
async def bots_info(call: Call) -> Json:
    """docs: reference/methods/bots.info: by the bot's own id (B…), not its user's; it tells whose app it is."""
    wanted = call.text("bot")
    team = call.playground.team
    found = next((p for p in team.people.values() if p.is_bot and p.bot_id == wanted), None)
    if found is None:
        raise RefusedError("bot_not_found")
    return {
        "bot": {
            "id": found.bot_id,
            "deleted": found.deleted,
            "name": found.name,
            "updated": 1700000000,
            "app_id": found.app_id or team.app_id,
            "user_id": found.id,
            "icons": {},
        }
    }
