"""`secret`: the form that takes a value, the list of names, and forgetting one. Values are never shown again."""

import json
from collections.abc import Mapping
from typing import Any, Final

from slack_sdk.models.blocks import SectionBlock
from slack_sdk.models.blocks.basic_components import MarkdownTextObject
from slack_sdk.models.views import View

from bot.domain.commands import Secret as SecretCommand
from bot.domain.commands import SecretAction
from bot.domain.redaction import MOST_CHARS
from bot.domain.secret import Secret
from bot.errors import Refused
from handlers.action_ids import ActionId, FormId, SecretField
from handlers.blocks import Message, Modal, actions, button, section
from handlers.desk import Asked, Desk
from handlers.fields import quiet_input
from handlers.forms import NOTICE, Form, Objections, Outcome, Told
from handlers.words import secrets as words
from handlers.words.errors import error_words
from handlers.words.text import unmarked

_NAME: Final = "name"


def secret(desk: Desk, asked: Asked, command: SecretCommand) -> str | Message | Modal:
    """`secret list`, `secret set NAME`, `secret remove NAME`."""
    if command.action is SecretAction.LIST or command.name is None:
        return words.listed_secrets(desk.secrets.mine(asked.actor))
    if command.action is SecretAction.REMOVE:
        desk.secrets.remove(asked.actor, command.name)
        return words.removed(command.name)
    if asked.opens_forms:
        return press(desk, asked, command.name)
    return form_button(command.name, words.offer_form(command.name))


def press(_desk: Desk, asked: Asked, name: str) -> Modal:
    """*Set NAME* on a message: the form, by the press's own trigger."""
    return Modal(_view(name, asked.place.channel))


def form_button(name: str, text: str) -> Message:
    """Words with the button that opens the form."""
    return Message(text, (section(text), *actions(button(ActionId.SECRET_FORM, words.open_label(name), name))))


def _reopen(view: Mapping[str, Any], is_late: bool) -> Message:
    return form_button(_name_of(view), words.not_opened(is_late=is_late))


def _chosen(_desk: Desk, _asked: Asked, view: Mapping[str, Any]) -> Modal:
    """Nothing in it is told while it is filled in."""
    return Modal(view)


def _submitted(desk: Desk, asked: Asked, view: Mapping[str, Any]) -> Outcome:
    """Keep the value. What is objected to says nothing of it."""
    held = view["state"]["values"].get(SecretField.VALUE, {}).get(SecretField.VALUE) or {}
    name = _name_of(view)
    try:
        desk.secrets.set(asked.actor, name, Secret(str(held.get("value") or "")))
    except Refused as refused:
        return Objections({SecretField.VALUE: unmarked(error_words(refused))})
    return Told(words.kept(name))


FORM: Final = Form(fields=(), chosen=_chosen, submitted=_submitted, reopen=_reopen)


def _name_of(view: Mapping[str, Any]) -> str:
    return str(json.loads(view.get("private_metadata") or "{}").get(_NAME) or "")


def _view(name: str, channel: str) -> dict[str, Any]:
    view = View(
        type="modal",
        callback_id=FormId.SECRET,
        title=words.TITLE,
        submit=words.SUBMIT,
        close=words.CLOSE,
        blocks=[
            quiet_input(SecretField.VALUE, name, words.HINT, MOST_CHARS),
            SectionBlock(block_id=NOTICE, text=MarkdownTextObject(text=words.what_for(name))),
        ],
        private_metadata=json.dumps({"channel": channel, _NAME: name}),
    )
    return dict(view.to_dict())
