"""Block Kit within Slack's limits (docs.slack.dev, block kit reference): text is cut, never refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ConfirmObject,
    ContextBlock,
    DividerBlock,
    HeaderBlock,
    ImageBlock,
    MarkdownTextObject,
    SectionBlock,
)
from slack_sdk.models.blocks.basic_components import SlackFile

from handlers.action_ids import ActionId

SECTION_TEXT = 3000
HEADER_TEXT = 150
MOST_BLOCKS = 50
MOST_VIEW_BLOCKS = 100
BUTTON_TEXT = 75
ALT_TEXT = 2000


@dataclass(frozen=True, slots=True)
class Message:
    """What is posted: ``text`` is for notifications and screen readers, ``blocks`` for everybody else."""

    text: str
    blocks: Sequence[Block] = field(default_factory=tuple)

    def payload(self) -> dict[str, object]:
        """Arguments for ``chat.postMessage`` and its relatives. No link previews: names are not pages."""
        shown = [block.to_dict() for block in self.blocks[:MOST_BLOCKS]]
        return {"text": self.text, "unfurl_links": False, "unfurl_media": False, **({"blocks": shown} if shown else {})}


@dataclass(frozen=True, slots=True)
class Modal:
    """A form, as ``views.open`` takes it."""

    view: Mapping[str, Any]


Reply = str | Message | Modal
"""What a person is answered: words, words with buttons, or a form, which opens only where a trigger came along."""


def section(text: str) -> Block:
    """Words."""
    return SectionBlock(text=MarkdownTextObject(text=_cut(text, SECTION_TEXT)))


def header(text: str) -> Block:
    """A title; plain text."""
    return HeaderBlock(text=_cut(text, HEADER_TEXT))


def divider() -> Block:
    """A line between two parts."""
    return DividerBlock()


def context(text: str) -> Block:
    """Small print."""
    return ContextBlock(elements=[MarkdownTextObject(text=_cut(text, SECTION_TEXT))])


def picture(file_id: str, alt_text: str) -> Block:
    """A picture that was uploaded; ``alt_text`` says what is on it."""
    return ImageBlock(slack_file=SlackFile(id=file_id), alt_text=_cut(alt_text, ALT_TEXT))


def actions(*buttons: ButtonElement) -> tuple[Block, ...]:
    """A row of buttons; nothing where there are none."""
    return (ActionsBlock(elements=list(buttons)),) if buttons else ()


def button(
    action: ActionId, text: str, value: str, style: str | None = None, confirm: ConfirmObject | None = None
) -> ButtonElement:
    """One button; ``style`` is ``primary`` or ``danger``."""
    return ButtonElement(text=_cut(text, BUTTON_TEXT), action_id=action, value=value, style=style, confirm=confirm)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
