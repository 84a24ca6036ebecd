"""What people do in modals and in the home tab."""

from __future__ import annotations

from bot.playground import payloads
from bot.playground.acts import Acts, action_in, outcome_told
from bot.playground.blocks import read_view
from bot.playground.model import Json, Person, View
from bot.playground.playground import Playground
from bot.playground.refusals import ImpossibleError


class ViewActs:
    """The verbs of a person on views. Each raises ``ImpossibleError`` for what a client would not let them do."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground

    async def click(self, who: str, view_id: str, action_id: str, chosen: str | None = None) -> Json:
        """Use a button or a menu of a view."""
        playground, (person, view) = self.playground, self._open_view(who, view_id)
        action = action_in(playground, view.body["blocks"], action_id, None, chosen)
        trigger_id = playground.callbacks.new_trigger(person.id)
        payload = payloads.view_action(playground.team, person, view, action, trigger_id)
        return outcome_told(await playground.delivery.once("interactive", payload)) | {"payload": payload}

    async def submit(self, who: str, view_id: str, values: Json) -> Json:
        """Submit a modal; ``values`` are what was typed or chosen, by action id.

        The acknowledgement closes it, or does what its ``response_action`` says
        (docs: interactivity/handling-user-interaction#modal-responses). ``errors``: what the app objected to.
        """
        playground, (person, view) = self.playground, self._open_view(who, view_id)
        state = _state(view.body["blocks"], values)
        trigger_id = playground.callbacks.new_trigger(person.id)
        payload = payloads.view_submission(playground.team, person, view, state, trigger_id)
        outcome = await playground.delivery.once("interactive", payload)
        told = outcome_told(outcome) | {"payload": payload, "errors": {}}
        if outcome.acked:
            told["errors"] = self._respond(person, view, outcome.ack or {})
        return told

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


def _state(blocks: list[Json], values: Json) -> Json:
    """The ``state.values`` of a submission: every input, filled in or not."""
    state: Json = {}
    for block in blocks:
        if block.get("type") != "input":
            continue
        element = block["element"]
        action_id, kind = element["action_id"], element["type"]
        entry: Json = {"type": kind}
        given = values.get(action_id, element.get("initial_value"))
        initial = element.get("initial_option")
        if given is not None:
            try:
                entry |= payloads.chosen_value(element, given)
            except KeyError:
                raise ImpossibleError(f"{action_id} has no option {given}") from None
        elif initial is not None:
            entry["selected_option"] = initial
        else:
            entry["selected_option" if "select" in kind else "value"] = None
            if not block.get("optional"):
                raise ImpossibleError(f"{action_id} must be filled in")
        state[block["block_id"]] = {action_id: entry}
    return state
