"""Block Kit: what Slack accepts as blocks of a message or a view, and what it adds to them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from bot.playground.block_check import Check
from bot.playground.elements import check_element
from bot.playground.model import Json
from bot.playground.refusals import RefusedError

# Accepted without a look inside: they are not what a bot of this kind builds.
_LOOSE = {"rich_text", "markdown", "video", "file", "table", "context_actions"}


def read_blocks(value: object, file_ready: Callable[[str], bool]) -> list[Json]:
    """The blocks of a message, checked and completed with the ids that Slack makes up.

    Raises:
        RefusedError: ``invalid_blocks_format`` or ``invalid_blocks``, with Slack's kind of messages.
    """
    # docs: reference/block-kit/blocks: 50 blocks in a message.
    return _read(value, file_ready, 50, "invalid_blocks")


def read_view(value: object, file_ready: Callable[[str], bool]) -> Json:
    """A modal or home view, checked and completed.

    Raises:
        RefusedError: ``invalid_arguments`` with messages (docs: reference/methods/views.open#errors).
    """
    view = _parsed(value, "invalid_arguments")
    if not isinstance(view, dict):
        raise RefusedError("invalid_arguments", response_metadata={"messages": ["[ERROR] must be an object"]})
    check = Check(file_ready)
    # docs: reference/views/modal-views: title, submit, close 24; private_metadata 3000; callback_id 255.
    if view.get("type") not in ("modal", "home"):
        check.fault("must be a valid enum value", "/view/type")
    modal = view.get("type") == "modal"
    check.text(view, "title", "/view", 24, plain=True, required=modal)
    check.text(view, "submit", "/view", 24, plain=True, required=False)
    check.text(view, "close", "/view", 24, plain=True, required=False)
    check.string(view, "private_metadata", "/view", 3000, least=0)
    check.string(view, "callback_id", "/view", 255, least=0)
    has_input = any(isinstance(b, dict) and b.get("type") == "input" for b in view.get("blocks") or [])
    if modal and has_input and not view.get("submit"):
        check.fault("missing required field: submit", "/view/submit")
    if check.errors:
        raise RefusedError("invalid_arguments", response_metadata={"messages": check.errors})
    return view | {"blocks": _read(view.get("blocks"), file_ready, 100, "invalid_arguments")}


def _parsed(value: object, error: str) -> Any:
    """Slack takes blocks and views as JSON text in forms, and as they are in JSON bodies."""
    if not isinstance(value, str):
        return copy.deepcopy(value)
    try:
        return json.loads(value)
    except ValueError:
        raise RefusedError(error) from None


def _read(value: object, file_ready: Callable[[str], bool], most: int, error: str) -> list[Json]:
    blocks = _parsed(value, "invalid_blocks_format" if error == "invalid_blocks" else error)
    check = Check(file_ready)
    if not isinstance(blocks, list):
        raise RefusedError("invalid_blocks_format" if error == "invalid_blocks" else error)
    for i, block in enumerate(check.items(blocks, "/blocks", 0, most)):
        _check_block(check, block, f"/blocks/{i}")
    if check.errors:
        raise RefusedError(error, errors=check.errors, response_metadata={"messages": check.errors})
    for i, block in enumerate(blocks):
        _complete(block, i)
    return blocks


def _check_block(check: Check, value: object, at: str) -> None:
    block = check.an_object(value, at)
    if block is None:
        return
    check.string(block, "block_id", at, 255)
    block_id = block.get("block_id")
    if isinstance(block_id, str):
        # docs: reference/block-kit/blocks: block_id is unique in a message.
        if block_id in check.block_ids:
            check.fault(f"`block_id` {block_id} already exists for another block", f"{at}/block_id")
        check.block_ids.add(block_id)
    kind = block.get("type")
    rule = _RULES.get(str(kind))
    if rule is not None:
        rule(check, block, at)
    elif kind not in _LOOSE:
        check.fault(f"unsupported type: {kind}", f"{at}/type")


def _section(check: Check, block: Json, at: str) -> None:
    # docs: reference/block-kit/blocks/section-block: text 3000, fields 10 of 2000, one of them required.
    if block.get("text") is None and not block.get("fields"):
        check.fault("must have either text or fields", at)
    check.text(block, "text", at, 3000, required=False)
    if "fields" in block:
        for i, text in enumerate(check.items(block["fields"], f"{at}/fields", 1, 10)):
            check.text_object(text, f"{at}/fields/{i}", 2000)
    accessory = block.get("accessory")
    if isinstance(accessory, dict) and accessory.get("type") == "image":
        check.image(accessory, f"{at}/accessory")
    elif accessory is not None:
        check_element(check, accessory, f"{at}/accessory", set())


def _header(check: Check, block: Json, at: str) -> None:
    # docs: reference/block-kit/blocks/header-block: plain_text of 150.
    check.text(block, "text", at, 150, plain=True)


def _divider(_check: Check, _block: Json, _at: str) -> None:
    # docs: reference/block-kit/blocks/divider-block: nothing but a block_id.
    return


def _context(check: Check, block: Json, at: str) -> None:
    # docs: reference/block-kit/blocks/context-block: 10 images and texts.
    for i, element in enumerate(check.items(block.get("elements"), f"{at}/elements", 1, 10)):
        if isinstance(element, dict) and element.get("type") == "image":
            check.image(element, f"{at}/elements/{i}")
        else:
            check.text_object(element, f"{at}/elements/{i}", 3000)


def _actions(check: Check, block: Json, at: str) -> None:
    # docs: reference/block-kit/blocks/actions-block: 25 elements.
    action_ids: set[str] = set()
    for i, element in enumerate(check.items(block.get("elements"), f"{at}/elements", 1, 25)):
        check_element(check, element, f"{at}/elements/{i}", action_ids)


def _image(check: Check, block: Json, at: str) -> None:
    # docs: reference/block-kit/blocks/image-block: alt_text 2000, title plain_text of 2000.
    check.image(block, at)
    check.text(block, "title", at, 2000, plain=True, required=False)


def _input(check: Check, block: Json, at: str) -> None:
    # docs: reference/block-kit/blocks/input-block: label and hint are plain_text of 2000.
    check.text(block, "label", at, 2000, plain=True)
    check.text(block, "hint", at, 2000, plain=True, required=False)
    check_element(check, block.get("element"), f"{at}/element", set(), in_input=True)


_RULES: dict[str, Callable[[Check, Json, str], None]] = {
    "section": _section,
    "header": _header,
    "divider": _divider,
    "context": _context,
    "actions": _actions,
    "image": _image,
    "input": _input,
}


def interactive(block: Json) -> list[Json]:
    """The elements of a block that a person can use."""
    found = [*(block.get("elements") or []), block.get("accessory"), block.get("element")]
    return [e for e in found if isinstance(e, dict) and e.get("type") not in ("image", "mrkdwn", "plain_text")]


def _complete(block: Json, i: int) -> None:
    """Make up the ids that the app left out, as Slack does in what it stores and sends back."""
    block.setdefault("block_id", f"made+{i}")
    if block["type"] in ("section", "actions", "input"):
        for k, element in enumerate(interactive(block)):
            element.setdefault("action_id", f"made+{i}+{k}")
