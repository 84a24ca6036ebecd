"""The payloads that Slack sends to an app, field by field."""

from __future__ import annotations

from typing import Any

from bot.playground.model import Channel, Json, Message, Person, View
from bot.playground.team import Team

# docs: authentication/verifying-requests-from-slack: the old verification token, still in every payload.
_VERIFICATION = "playground-verification"


def slash_command(
    team: Team, person: Person, channel: Channel, command: str, text: str, response_url: str, trigger_id: str
) -> Json:
    """docs: interactivity/implementing-slash-commands#app_command_handling."""
    return {
        "token": _VERIFICATION,
        "team_id": person.team_id,
        "team_domain": team.domain,
        "channel_id": channel.id,
        "channel_name": channel.name_in_payload,
        "user_id": person.id,
        "user_name": person.name,
        "command": command,
        "text": text,
        "api_app_id": team.app_id,
        "is_enterprise_install": "false",
        "response_url": response_url,
        "trigger_id": trigger_id,
    }


def event_callback(team: Team, event: Json, event_id: str, event_time: int, actor_team: str) -> Json:
    """docs: apis/events-api#callback-field. ``team_id`` is where it happened, for a stranger their own."""
    return {
        "token": _VERIFICATION,
        "team_id": actor_team,
        "context_team_id": team.id,
        "context_enterprise_id": None,
        "api_app_id": team.app_id,
        "event": event,
        "type": "event_callback",
        "event_id": event_id,
        "event_time": event_time,
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": team.id,
                "user_id": team.bot.id,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": actor_team != team.id,
        "event_context": f"4-{event_id}",
    }


def _interaction(team: Team, person: Person, kind: str, trigger_id: str) -> Json:
    return {
        "type": kind,
        "user": {"id": person.id, "username": person.name, "name": person.name, "team_id": person.team_id},
        "api_app_id": team.app_id,
        "token": _VERIFICATION,
        "trigger_id": trigger_id,
        "team": {"id": person.team_id, "domain": team.domain},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def message_action(
    team: Team,
    person: Person,
    channel: Channel,
    message: Message,
    action: Json,
    response_url: str,
    trigger_id: str,
) -> Json:
    """A button of a message, pressed (docs: reference/interaction-payloads/block_actions-payload)."""
    ephemeral = message.only_for is not None
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": ephemeral,
    }
    if message.is_reply:
        container["thread_ts"] = message.thread_ts
    payload = _interaction(team, person, "block_actions", trigger_id) | {
        "container": container,
        "channel": {"id": channel.id, "name": channel.name_in_payload},
        "state": {"values": _chosen(action)},
        "response_url": response_url,
        "actions": [action],
    }
    if not ephemeral:
        # Slack does not keep ephemeral messages, so it cannot send them back.
        payload["message"] = team.told(message)
    return payload


def view_action(team: Team, person: Person, view: View, action: Json, values: Json, trigger_id: str) -> Json:
    """A button of a modal or home tab, pressed: no channel, message or response_url.

    What stands in the inputs by then comes along (docs: reference/interaction-payloads/block_actions-payload).
    """
    return _interaction(team, person, "block_actions", trigger_id) | {
        "container": {"type": "view", "view_id": view.id},
        "view": view_told(team, view, values),
        "actions": [action],
    }


def view_submission(team: Team, person: Person, view: View, values: Json, trigger_id: str) -> Json:
    """docs: reference/interaction-payloads/view-interactions-payload."""
    return _interaction(team, person, "view_submission", trigger_id) | {
        "view": view_told(team, view, values),
        "response_urls": [],
    }


def view_closed(team: Team, person: Person, view: View, *, cleared: bool) -> Json:
    """docs: reference/interaction-payloads/view-interactions-payload#view_closed: no trigger comes with it."""
    payload = _interaction(team, person, "view_closed", "") | {"view": view_told(team, view), "is_cleared": cleared}
    del payload["trigger_id"]
    return payload


def view_told(team: Team, view: View, values: Json | None = None) -> Json:
    """The view object as the API gives it (docs: reference/methods/views.open)."""
    empty: Json = {
        "private_metadata": "",
        "callback_id": "",
        "external_id": "",
        "clear_on_close": False,
        "notify_on_close": False,
        "close": None,
        "submit": None,
    }
    return {
        **empty,
        **view.body,
        "id": view.id,
        "team_id": team.id,
        "app_id": team.app_id,
        "bot_id": team.bot.bot_id,
        "app_installed_team_id": team.id,
        "root_view_id": view.root_id,
        "previous_view_id": _previous(team, view),
        "hash": view.hash,
        "state": {"values": values or {}},
    }


def _previous(team: Team, view: View) -> str | None:
    """The view that lies under this one."""
    stack = [v.id for v in team.views.values() if v.root_id == view.root_id and (v.is_open or v is view)]
    place = stack.index(view.id) if view.id in stack else 0
    return stack[place - 1] if place else None


def action_told(element: Json, block_id: str, chosen: str | None, action_ts: str) -> Json:
    """One entry of ``actions``: the element as it was used.

    Raises:
        KeyError: a select has no option of that value.
    """
    kind = str(element["type"])
    told: Json = {"action_id": element["action_id"], "block_id": block_id, "type": kind}
    if kind == "button":
        told |= {k: element[k] for k in ("text", "value", "style", "url") if k in element}
    elif chosen is not None:
        told |= chosen_value(element, chosen)
    elif kind not in ("overflow", "workflow_button"):
        # Emptied: Slack says so, rather than leaving the field out.
        told |= nothing_chosen(element)
    return told | {"action_ts": action_ts}


# What holds the choice, by kind of element (docs: reference/block-kit/block-elements/*).
_FIELDS = {
    "users_select": "selected_user",
    "channels_select": "selected_channel",
    "conversations_select": "selected_conversation",
    "datepicker": "selected_date",
    "timepicker": "selected_time",
    "datetimepicker": "selected_date_time",
    "multi_users_select": "selected_users",
    "multi_channels_select": "selected_channels",
    "multi_conversations_select": "selected_conversations",
    "file_input": "files",
}
_MANY = ("checkboxes", "multi_static_select")


def chosen_value(element: Json, chosen: Any) -> Json:
    """What a person chose or typed, in the field that this kind of element has for it.

    Raises:
        KeyError: there is no such option.
    """
    kind = str(element["type"])
    if kind in _FIELDS:
        return {_FIELDS[kind]: chosen}
    groups = element.get("option_groups") or []
    options = [*(element.get("options") or []), *(o for g in groups for o in g["options"])]
    if not options:
        return {"value": chosen}
    wanted = chosen if isinstance(chosen, list) else [chosen]
    found = [o for o in options if o["value"] in wanted]
    if len(found) != len(wanted):
        raise KeyError(chosen)
    return {"selected_options": found} if kind in _MANY else {"selected_option": found[0]}


def nothing_chosen(element: Json) -> Json:
    """An element of which nothing was chosen and nothing typed."""
    kind = str(element["type"])
    if kind in _MANY:
        return {"selected_options": []}
    if kind in _FIELDS:
        return {_FIELDS[kind]: [] if kind.startswith("multi_") or kind == "file_input" else None}
    return {"selected_option" if "select" in kind or kind == "radio_buttons" else "value": None}


def _chosen(action: Json) -> Json:
    """The state of what can hold a state: selects do, buttons do not."""
    if action["type"] == "button":
        return {}
    kept = {k: v for k, v in action.items() if k not in ("action_id", "block_id", "action_ts")}
    return {action["block_id"]: {action["action_id"]: kept}}
