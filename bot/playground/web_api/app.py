"""api.test, auth.test, apps.connections.open."""

from __future__ import annotations

from bot.playground.model import Json
from bot.playground.refusals import RefusedError
from bot.playground.web_api.call import Call, method


@method("api.test", caller="none")
async def api_test(call: Call) -> Json:
    """docs: reference/methods/api.test: echoes, and fails when asked to with ``error``."""
    if call.args.get("error"):
        raise RefusedError(str(call.args["error"]), args=call.args)
    return {"args": call.args}


@method("auth.test", caller="any")
async def auth_test(call: Call) -> Json:
    """docs: reference/methods/auth.test. facts: Bolt needs user_id, bot_id and team_id."""
    team = call.playground.team
    if call.caller == "app":
        return {"app_name": team.bot.name, "app_id": team.app_id}
    return {
        "url": call.playground.address + "/",
        "team": team.domain,
        "user": team.bot.name,
        "team_id": team.id,
        "user_id": team.bot.id,
        "bot_id": team.bot.bot_id,
        "is_enterprise_install": False,
    }


@method("apps.connections.open", "connections:write", caller="app")
async def apps_connections_open(call: Call) -> Json:
    """docs: reference/methods/apps.connections.open: an address for one connection."""
    playground = call.playground
    if playground.now() < playground.hub.refuse_until:
        raise RefusedError("internal_error")
    host = playground.address.removeprefix("http://")
    ticket = playground.hub.new_ticket()
    return {"url": f"ws://{host}/link/?ticket={ticket}&app_id={playground.team.app_id}"}
