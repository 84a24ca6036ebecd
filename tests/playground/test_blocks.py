"""Block Kit's limits, as the server enforces them."""

from __future__ import annotations

from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.playground.client import Workspace

GPUS = "C0GPUS000"


def plain(n: int) -> dict[str, Any]:
    return {"type": "plain_text", "text": "x" * n}


def mrkdwn(n: int) -> dict[str, Any]:
    return {"type": "mrkdwn", "text": "x" * n}


def button(**more: Any) -> dict[str, Any]:
    return {"type": "button", "text": plain(3), "action_id": "go"} | more


def actions(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "actions", "elements": list(elements)}


def section(**more: Any) -> dict[str, Any]:
    return {"type": "section", **more}


def select(n: int, length: int = 1) -> dict[str, Any]:
    options = [{"text": plain(1), "value": f"{i}".rjust(length, "0")} for i in range(n)]
    return {"type": "static_select", "action_id": "s", "placeholder": plain(1), "options": options}


def image(**more: Any) -> dict[str, Any]:
    return {"type": "image", "alt_text": "curve", "image_url": "http://127.0.0.1/x.png"} | more


GOOD = {
    "section of 3000": [section(text=mrkdwn(3000))],
    "ten fields of 1000": [section(fields=[mrkdwn(1000)] * 10)],
    "header of 150": [{"type": "header", "text": plain(150)}],
    "ten context elements": [{"type": "context", "elements": [mrkdwn(1)] * 9 + [image()]}],
    "25 buttons": [actions(*[button(action_id=str(i)) for i in range(25)])],
    "button at its limits": [actions(button(text=plain(75), value="v" * 2000, action_id="a" * 255))],
    "same action id in two blocks": [actions(button()), actions(button())],
    "50 blocks": [{"type": "divider"}] * 50,
    "100 options": [actions(select(100))],
    "image": [image(title=plain(10))],
    "rich text": [{"type": "rich_text", "elements": []}],
    "input": [{"type": "input", "label": plain(1), "element": {"type": "plain_text_input", "action_id": "i"}}],
    "confirm": [actions(button(confirm={n: plain(9) for n in ("title", "text", "confirm", "deny")}))],
}
BAD = {
    "section of 3001": [section(text=mrkdwn(3001))],
    "empty text": [section(text=mrkdwn(0))],
    "section of nothing": [section()],
    "eleven fields": [section(fields=[mrkdwn(1)] * 11)],
    "field of 2001": [section(fields=[mrkdwn(2001)])],
    "header of 151": [{"type": "header", "text": plain(151)}],
    "header in mrkdwn": [{"type": "header", "text": mrkdwn(1)}],
    "eleven context elements": [{"type": "context", "elements": [mrkdwn(1)] * 11}],
    "empty context": [{"type": "context", "elements": []}],
    "26 buttons": [actions(*[button(action_id=str(i)) for i in range(26)])],
    "button text of 76": [actions(button(text=plain(76)))],
    "button text in mrkdwn": [actions(button(text=mrkdwn(1)))],
    "button value of 2001": [actions(button(value="v" * 2001))],
    "action id of 256": [actions(button(action_id="a" * 256))],
    "same action id twice in a block": [actions(button(), button())],
    "button of unknown style": [actions(button(style="loud"))],
    "block id of 256": [{"type": "divider", "block_id": "b" * 256}],
    "same block id twice": [{"type": "divider", "block_id": "b"}] * 2,
    "51 blocks": [{"type": "divider"}] * 51,
    "101 options": [actions(select(101))],
    "option value of 151": [actions(select(1, 151))],
    "image without words": [{"type": "image", "image_url": "http://127.0.0.1/x.png"}],
    "image of nothing": [{"type": "image", "alt_text": "x"}],
    "image of a file that is not there": [{"type": "image", "alt_text": "x", "slack_file": {"id": "F404"}}],
    "unknown block": [{"type": "sparkline"}],
    "emoji in mrkdwn": [section(text=mrkdwn(1) | {"emoji": True})],
    "text input outside an input block": [actions({"type": "plain_text_input", "action_id": "i"})],
    "confirm without a title": [actions(button(confirm={n: plain(9) for n in ("text", "confirm", "deny")}))],
    "not objects": ["divider"],
}


@pytest.mark.parametrize("blocks", GOOD.values(), ids=GOOD.keys())
def test_taken(ws: Workspace, web: WebClient, blocks: list[Any]) -> None:
    web.chat_postMessage(channel=GPUS, text="x", blocks=blocks)


@pytest.mark.parametrize("blocks", BAD.values(), ids=BAD.keys())
def test_refused_with_the_place_of_the_fault(ws: Workspace, web: WebClient, blocks: list[Any]) -> None:
    with pytest.raises(SlackApiError) as caught:
        web.chat_postMessage(channel=GPUS, text="x", blocks=blocks)
    assert caught.value.response["error"] == "invalid_blocks"
    assert "json-pointer:/blocks" in caught.value.response["response_metadata"]["messages"][0]


def test_blocks_that_are_not_json(web: WebClient) -> None:
    for blocks in ("[{", '{"type": "divider"}'):
        with pytest.raises(SlackApiError) as caught:
            web.chat_postMessage(channel=GPUS, text="x", blocks=blocks)
        assert caught.value.response["error"] == "invalid_blocks_format"


def test_blocks_too_long_together(web: WebClient) -> None:
    with pytest.raises(SlackApiError) as caught:
        web.chat_postMessage(channel=GPUS, text="x", blocks=[section(text=mrkdwn(3000))] * 5)
    assert caught.value.response["error"] == "msg_blocks_too_long"


def test_ids_that_are_left_out_are_made_up(web: WebClient) -> None:
    made = web.chat_postMessage(channel=GPUS, text="x", blocks=[actions({"type": "button", "text": plain(1)})])
    block = made["message"]["blocks"][0]
    assert block["block_id"]
    assert block["elements"][0]["action_id"]
