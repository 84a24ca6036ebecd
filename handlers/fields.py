"""Inputs of forms, within Slack's limits (docs.slack.dev, block elements): texts are cut, never refused."""

from collections.abc import Sequence
from typing import Final

from slack_sdk.models.blocks import InputBlock, Option, OptionGroup, PlainTextInputElement, StaticSelectElement
from slack_sdk.models.blocks.basic_components import DispatchActionConfig, PlainTextObject

MOST_OPTIONS: Final = 100
MOST_GROUPS: Final = 100
OPTION_TEXT: Final = 75
OPTION_VALUE: Final = 150
Choice = tuple[str, str]
"""What is shown, and the value that is sent."""


def select(
    field: str, label: str, choices: Sequence[Choice], chosen: int = 0, groups: Sequence[str] = (), hint: str = ""
) -> InputBlock:
    """A menu; a choice is told at once. ``groups`` names each choice's group, used where one list would be too long."""
    options = [_option(choice) for choice in choices]
    if len(options) <= MOST_OPTIONS:
        element = StaticSelectElement(action_id=field, options=options, initial_option=options[chosen])
    else:
        by_group: dict[str, list[Option]] = {}
        for option, group in zip(options, groups, strict=True):
            by_group.setdefault(group, []).append(option)
        listed = [
            OptionGroup(label=PlainTextObject(text=group[:OPTION_TEXT]), options=options_of[:MOST_OPTIONS])
            for group, options_of in list(by_group.items())[:MOST_GROUPS]
        ]
        element = StaticSelectElement(action_id=field, option_groups=listed, initial_option=options[chosen])
    return InputBlock(block_id=field, label=label, element=element, dispatch_action=True, hint=hint or None)


def text_input(field: str, label: str, placeholder: str, hint: str = "") -> InputBlock:
    """A line that may be left empty; what is typed is told while it is typed."""
    told = DispatchActionConfig(trigger_actions_on=["on_character_entered"])
    element = PlainTextInputElement(action_id=field, placeholder=placeholder, dispatch_action_config=told)
    return InputBlock(
        block_id=field, label=label, element=element, optional=True, dispatch_action=True, hint=hint or None
    )


def quiet_input(field: str, label: str, hint: str, longest: int) -> InputBlock:
    """A text, also of several lines, that is told when the form is sent and not before."""
    element = PlainTextInputElement(action_id=field, multiline=True, max_length=longest)
    return InputBlock(block_id=field, label=label, element=element, hint=hint)


def _option(choice: Choice) -> Option:
    text, value = choice
    shown = text if len(text) <= OPTION_TEXT else text[: OPTION_TEXT - 1] + "…"
    return Option(text=PlainTextObject(text=shown), value=value[:OPTION_VALUE])
