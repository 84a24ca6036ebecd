"""views.*: modals and the home tab."""

from __future__ import annotations

from bot.playground import payloads
from bot.playground.blocks import read_view
from bot.playground.model import Json, View
from bot.playground.refusals import RefusedError
from bot.playground.web_api.call import Call, method


@method("views.open")
async def views_open(call: Call) -> Json:
    """docs: reference/methods/views.open. facts: the trigger must be younger than 3 s."""
    body = read_view(call.args.get("view"), call.playground.file_ready)
    if body["type"] != "modal":
        raise RefusedError("invalid_arguments")
    user = call.playground.callbacks.use_trigger(call.args.get("trigger_id"))
    return _opened(call, user, body, None)


@method("views.push")
async def views_push(call: Call) -> Json:
    """docs: reference/methods/views.push: a modal over the one that is open."""
    body = read_view(call.args.get("view"), call.playground.file_ready)
    user = call.playground.callbacks.use_trigger(call.args.get("trigger_id"))
    below = next((v for v in reversed(call.playground.team.views.values()) if v.user == user and v.is_open), None)
    if below is None:
        raise RefusedError("not_found")
    return _opened(call, user, body, below.root_id)


@method("views.update")
async def views_update(call: Call) -> Json:
    """docs: reference/methods/views.update: by view_id or external_id, refused if ``hash`` is out of date."""
    body = read_view(call.args.get("view"), call.playground.file_ready)
    views = call.playground.team.views.values()
    wanted, external = call.args.get("view_id"), call.args.get("external_id")
    view = next((v for v in views if v.id == wanted or (external and v.body.get("external_id") == external)), None)
    if view is None or not view.is_open:
        raise RefusedError("not_found")
    if call.args.get("hash") not in (None, "", view.hash):
        raise RefusedError("hash_conflict")
    view.body, view.hash = body, call.playground.team.new_id("hash-")
    call.playground.journal.note("view", user=view.user, view=view.id)
    return {"view": payloads.view_told(call.playground.team, view)}


@method("views.publish")
async def views_publish(call: Call) -> Json:
    """docs: reference/methods/views.publish: a person's home tab."""
    team = call.playground.team
    if not call.playground.settings.home_tab:
        # docs: reference/methods/views.publish#errors: the manifest must switch the tab on.
        raise RefusedError("not_enabled")
    body = read_view(call.args.get("view"), call.playground.file_ready)
    if body["type"] != "home":
        raise RefusedError("invalid_arguments")
    user = call.text("user_id")
    if user not in team.people:
        raise RefusedError("invalid_arguments")
    view_id = team.new_id("V")
    view = team.homes.setdefault(user, View(view_id, user, body, view_id, ""))
    view.body, view.hash = body, team.new_id("hash-")
    call.playground.journal.note("view", user=user, view=view.id)
    return {"view": payloads.view_told(team, view)}


def _opened(call: Call, user: str, body: Json, root: str | None) -> Json:
    team = call.playground.team
    view_id = team.new_id("V")
    view = View(view_id, user, body, root or view_id, team.new_id("hash-"))
    team.views[view.id] = view
    call.playground.journal.note("view", user=user, view=view.id)
    return {"view": payloads.view_told(team, view)}
