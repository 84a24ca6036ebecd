"""Listeners of forms: opening them, what is chosen in them, and their being sent."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import structlog
from slack_bolt import Ack, App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.domain.places import Place
from handlers import rent_form, secrets
from handlers.action_ids import FormId
from handlers.answers import Answers
from handlers.blocks import Message, Modal
from handlers.desk import Asked, Desk
from handlers.door import Door
from handlers.forms import Form, Objections, Outcome, Told, View, channel_of, noticed
from handlers.funnel import Funnel
from handlers.slack_errors import reason_of
from handlers.updates import Updates
from handlers.words.rent_form import problem

Body = Mapping[str, Any]
log = structlog.get_logger()

FORMS: Final[Mapping[FormId, Form]] = {FormId.RENT: rent_form.FORM, FormId.SECRET: secrets.FORM}
_TRIGGER_OVER: Final = frozenset({"expired_trigger_id", "exchanged_trigger_id", "invalid_trigger_id"})


class FormListeners:
    """Everything that Slack sends us about forms. They have no channel of their own: theirs travels in the view."""

    def __init__(self, desk: Desk, funnel: Funnel, client: WebClient, answers: Answers) -> None:
        self._desk, self._funnel, self._client, self._answers, self._door = desk, funnel, client, answers, Door(desk)
        self._updates = Updates(self._update)

    def register(self, app: App) -> None:
        """Bind every listener."""
        for form_id, form in FORMS.items():
            app.view(form_id)(self.on_submit)
            for field in form.fields:
                app.action(field)(self.on_choice)

    def open(self, form: Modal, trigger_id: str) -> Message | None:
        """Open a form, after the ack of what asked for it; what to say where Slack does not. Never raises."""
        try:
            self._client.views_open(trigger_id=trigger_id, view=dict(form.view))
        except SlackApiError as error:
            log.warning("form.not-opened", reason=reason_of(error))
            return self._of(form.view).reopen(form.view, reason_of(error) in _TRIGGER_OVER)
        except Exception as error:
            log.warning("form.not-opened", reason=type(error).__name__, exc_info=True)
            return self._of(form.view).reopen(form.view, False)
        return None

    def on_choice(self, ack: Ack, body: Body) -> None:
        """Something was chosen or typed: the form shows what that comes to."""
        self._funnel.quietly("ack", ack)
        view, used = body["view"], body["actions"][0]
        delivery = f"choice:{view['id']}:{used.get('action_ts')}:{used['action_id']}"
        answer = self._funnel.answer(
            lambda: self._of(view).chosen(self._desk, self._asked(body, delivery), view), delivery
        )
        if answer is not None:
            shown = noticed(view, problem(answer)) if isinstance(answer, str) else answer.view
            self._updates.show(str(view["id"]), float(used.get("action_ts") or 0), shown)

    def on_submit(self, ack: Ack, body: Body) -> None:
        """A form was sent: it closes, or says beside its fields what is wrong; then the person is told."""
        view = body["view"]
        delivery = f"submit:{view['id']}:{body.get('trigger_id')}"
        outcome: Outcome | str | None = self._funnel.answer(
            lambda: self._of(view).submitted(self._desk, self._asked(body, delivery), view), delivery
        )
        self._funnel.quietly("ack", self._ack_of(ack, outcome, view))
        if isinstance(outcome, Told) and outcome.words is not None:
            self._answers.privately(Place(channel_of(view)), str(body["user"]["id"]), outcome.words)

    def _ack_of(self, ack: Ack, outcome: Outcome | str | None, view: View) -> Callable[[], object]:
        match outcome:
            case Objections(errors):
                return lambda: ack(response_action="errors", errors=dict(errors))
            case Modal(changed):
                return lambda: ack(response_action="update", view=dict(changed))
            case str(sentence):
                return lambda: ack(response_action="update", view=noticed(view, problem(sentence)))
            case _:
                return ack

    def _update(self, view_id: str, view: View) -> None:
        self._funnel.quietly("form", lambda: self._client.views_update(view_id=view_id, view=dict(view)))

    def _of(self, view: View) -> Form:
        return FORMS[FormId(view["callback_id"])]

    def _asked(self, body: Body, delivery: str) -> Asked:
        place = Place(channel_of(body["view"]))
        actor = self._door.let_look(str(body["user"]["id"]), str((body.get("team") or {}).get("id")), place)
        return Asked(actor, place, delivery, self._desk.clock(), opens_forms=True)
