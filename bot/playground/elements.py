"""The interactive elements of Block Kit, and their limits."""

from __future__ import annotations

from bot.playground.block_check import Check
from bot.playground.model import Json

# docs: reference/block-kit/block-elements/*: name of the option list's limit by type.
_OPTION_LISTS = {
    "static_select": 100,
    "multi_static_select": 100,
    "overflow": 5,
    "radio_buttons": 10,
    "checkboxes": 10,
}
_OTHERS = {
    "button",
    "external_select",
    "multi_external_select",
    "users_select",
    "multi_users_select",
    "conversations_select",
    "multi_conversations_select",
    "channels_select",
    "multi_channels_select",
    "datepicker",
    "timepicker",
    "datetimepicker",
    "plain_text_input",
    "number_input",
    "email_text_input",
    "url_text_input",
    "rich_text_input",
    "file_input",
    "workflow_button",
}
_ONLY_IN_INPUT = {"plain_text_input", "number_input", "email_text_input", "url_text_input", "file_input"}


def check_element(check: Check, value: object, at: str, action_ids: set[str], *, in_input: bool = False) -> None:
    """One element of an actions, section or input block.

    ``action_ids`` are those of the containing block, among which each must be unique
    (docs: reference/block-kit/block-elements/button-element, field action_id).
    """
    element = check.an_object(value, at)
    if element is None:
        return
    kind = element.get("type")
    if kind not in _OPTION_LISTS and kind not in _OTHERS:
        check.fault(f"unsupported type: {kind}", f"{at}/type")
        return
    if kind in _ONLY_IN_INPUT and not in_input:
        check.fault(f"unsupported type: {kind}", f"{at}/type")
    if kind == "button" and in_input:
        check.fault("unsupported type: button", f"{at}/type")
    _check_action_id(check, element, at, action_ids)
    check.text(element, "placeholder", at, 150, plain=True, required=False)
    if "confirm" in element:
        _check_confirm(check, element["confirm"], f"{at}/confirm")
    if kind == "button":
        _check_button(check, element, at)
    elif kind in _OPTION_LISTS:
        _check_options(check, element, at, _OPTION_LISTS[kind])


def _check_action_id(check: Check, element: Json, at: str, taken: set[str]) -> None:
    check.string(element, "action_id", at, 255)
    action_id = element.get("action_id")
    if isinstance(action_id, str):
        if action_id in taken:
            check.fault(f"`action_id` {action_id} already exists for another element", f"{at}/action_id")
        taken.add(action_id)


def _check_button(check: Check, button: Json, at: str) -> None:
    # docs: reference/block-kit/block-elements/button-element: text 75, value 2000, url 3000.
    check.text(button, "text", at, 75, plain=True)
    check.string(button, "value", at, 2000, least=0)
    check.string(button, "url", at, 3000)
    check.string(button, "accessibility_label", at, 75)
    if button.get("style") not in (None, "primary", "danger"):
        check.fault("must be a valid enum value", f"{at}/style")


def _check_confirm(check: Check, value: object, at: str) -> None:
    # docs: reference/block-kit/composition-objects/confirmation-dialog-object.
    confirm = check.an_object(value, at)
    if confirm is not None:
        check.text(confirm, "title", at, 100, plain=True)
        check.text(confirm, "text", at, 300)
        check.text(confirm, "confirm", at, 30, plain=True)
        check.text(confirm, "deny", at, 30, plain=True)


def _check_options(check: Check, element: Json, at: str, most: int) -> None:
    # docs: reference/block-kit/block-elements/select-menu-element: 100 options or 100 groups of 100.
    if "option_groups" in element:
        groups = check.items(element["option_groups"], f"{at}/option_groups", 1, 100)
        for i, value in enumerate(groups):
            place = f"{at}/option_groups/{i}"
            group = check.an_object(value, place)
            if group is not None:
                check.text(group, "label", place, 75, plain=True)
                _check_option_list(check, group.get("options"), f"{place}/options", 100)
        return
    _check_option_list(check, element.get("options"), f"{at}/options", most)


def _check_option_list(check: Check, value: object, at: str, most: int) -> None:
    # docs: reference/block-kit/composition-objects/option-object: text 75, value 150, description 75.
    for i, entry in enumerate(check.items(value, at, 1, most)):
        option = check.an_object(entry, f"{at}/{i}")
        if option is not None:
            check.text(option, "text", f"{at}/{i}", 75)
            check.string(option, "value", f"{at}/{i}", 150, required=True)
            check.text(option, "description", f"{at}/{i}", 75, required=False)
