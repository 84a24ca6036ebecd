"""What people do in modals and in the home tab."""

from __future__ import annotations

from typing import Any

from bot.playground import payloads
from bot.playground.acts import Acts, action_in, outcome_told
from bot.playground.blocks import interactive, read_view
from bot.playground.file_objects import file_told
from bot.playground.model import Json, Person, View
from bot.playground.playground import Playground
from bot.playground.refusals import ImpossibleError


class ViewActs:
    """The verbs of a person on views. Each raises ``ImpossibleError`` for what a client would not let them do."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground

    async def click(
        self, who: str, view_id: str, action_id: str, chosen: str | None = None, values: Json | None = None
    ) -> Json:
        """Use a button or a menu of a view; ``values`` are what stands in its inputs, by action id."""
        playground, (person, view) = self.playground, self._open_view(who, view_id)
        action = action_in(playground, view.body["blocks"], action_id, None, chosen)
        state = self._state(view, values or {}, submitted=False)
        if chosen is not None and action["type"] not in _STATELESS and action["block_id"] in state:
            kept = {k: v for k, v in action.items() if k not in ("action_id", "block_id", "action_ts")}
            state[action["block_id"]][action_id] = kept
        trigger_id = playground.callbacks.new_trigger(person.id)
        payload = payloads.view_action(playground.team, person, view, action, state, trigger_id)
        return outcome_told(await playground.delivery.once("interactive", payload)) | {"payload": payload}

    async def close(self, who: str, view_id: str, *, whole_stack: bool = False) -> None:
        """Close a modal without submitting it, alone or with all that lie under it.

        The app is told if the view asked for that (docs: reference/views/modal-views, notify_on_close).
        """
        playground, (person, view) = self.playground, self._open_view(who, view_id)
        closed = [v for v in playground.team.views.values() if v is view or (whole_stack and v.root_id == view.root_id)]
        for one in reversed([v for v in closed if v.is_open]):
            payload = payloads.view_closed(playground.team, person, one, cleared=whole_stack)
            one.is_open = False
            if one.body.get("notify_on_close"):
                playground.delivery.spawn(playground.delivery.once("interactive", payload))
        playground.journal.note("view", user=person.id, view=view.id)

    async def submit(self, who: str, view_id: str, values: Json) -> Json:
        """Submit a modal; ``values`` are what was typed or chosen, by action id.

        The acknowledgement closes it, or does what its ``response_action`` says
        (docs: interactivity/handling-user-interaction#modal-responses). ``errors``: what the app objected to.
        """
        playground, (person, view) = self.playground, self._open_view(who, view_id)
        state = self._state(view, values, submitted=True)
        trigger_id = playground.callbacks.new_trigger(person.id)
        payload = payloads.view_submission(playground.team, person, view, state, trigger_id)
        outcome = await playground.delivery.once("interactive", payload)
        told = outcome_told(outcome) | {"payload": payload, "errors": {}}
        if outcome.acked:
            told["errors"] = self._respond(person, view, outcome.ack or {})
        return told

    def _state(self, view: View, values: Json, *, submitted: bool) -> Json:
        """docs: reference/block-kit/block-elements/file-input-element: the files themselves stand in the state."""
        playground = self.playground
        state = _state(view.body["blocks"], values, submitted=submitted)
        for entry in (entry for elements in state.values() for entry in elements.values()):
            if entry["type"] == "file_input":
                files = [playground.team.files[f] for f in entry["files"] if f in playground.team.files]
                entry["files"] = [file_told(playground.team, f, playground.address) for f in files]
        return state

    def _respond(self, person: Person, view: View, ack: Json) -> Json:
        team, action = self.playground.team, ack.get("response_action")
        if action == "errors":
            errors: Json = ack.get("errors") or {}
            return errors
        if action in ("update", "push"):
            body = read_view(ack.get("view"), self.playground.file_ready)
            if action == "update":
                view.body, view.hash = body, team.new_id("hash-")
            else:
                view_id = team.new_id("V")
                team.views[view_id] = View(view_id, person.id, body, view.root_id, team.new_id("hash-"))
        else:
            for other in team.views.values():
                if other is view or (action == "clear" and other.root_id == view.root_id):
                    other.is_open = False
        self.playground.journal.note("view", user=person.id, view=view.id)
        return {}

    def seen(self, who: str) -> list[Json]:
        """The modals that a person has open, the topmost last."""
        person = Acts(self.playground).person(who)
        views = [v for v in self.playground.team.views.values() if v.user == person.id and v.is_open]
        return [payloads.view_told(self.playground.team, v) for v in views]

    def _open_view(self, who: str, view_id: str) -> tuple[Person, View]:
        person = Acts(self.playground).person(who)
        views = [*self.playground.team.views.values(), self.playground.team.homes.get(person.id)]
        for view in views:
            if view is not None and view.id == view_id and view.user == person.id and view.is_open:
                return person, view
        raise ImpossibleError(f"{person.name} has no view {view_id} open")


# They act, and hold no state.
_STATELESS = ("button", "overflow", "workflow_button")
_INITIAL = (
    "initial_value",
    "initial_option",
    "initial_options",
    "initial_date",
    "initial_time",
    "initial_date_time",
    "initial_user",
    "initial_users",
    "initial_channel",
    "initial_channels",
    "initial_conversation",
    "initial_conversations",
)


def _state(blocks: list[Json], values: Json, *, submitted: bool) -> Json:
    """The ``state.values`` of a view: every element that can hold something, filled in or not."""
    state: Json = {}
    for block in blocks:
        for element in interactive(block):
            if element["type"] in _STATELESS or "action_id" not in element:
                continue
            entry = _entry(element, values)
            if entry is None:
                entry = payloads.nothing_chosen(element)
                if submitted and block["type"] == "input" and not block.get("optional"):
                    raise ImpossibleError(f"{element['action_id']} must be filled in")
            told = {"type": element["type"], **entry}
            state.setdefault(block["block_id"], {})[element["action_id"]] = told
    return state


def _entry(element: Json, values: Json) -> Json | None:
    """What an element holds: what the person gave it (None: emptied), else what it began with."""
    action_id = element["action_id"]
    if action_id in values:
        given = values[action_id]
    else:
        first = next((element[name] for name in _INITIAL if name in element), None)
        given = _values_of(first)
    if given is None or given in ("", []):
        return None
    try:
        return payloads.chosen_value(element, given)
    except KeyError:
        raise ImpossibleError(f"{action_id} has no option {given}") from None


def _values_of(first: Any) -> Any:
    """Options by their values."""
    if isinstance(first, list):
        return [_values_of(one) for one in first]
    return first["value"] if isinstance(first, dict) else first
