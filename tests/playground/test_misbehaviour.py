"""Slack on a bad day, as asked for over the control API."""

from __future__ import annotations

import http.client
import time

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler, ServerErrorRetryHandler

from bot.playground.client import Person, Workspace
from bot.playground.server import PlaygroundServer

GPUS = "C0GPUS000"


def test_rate_limits_for_some_calls(ws: Workspace, web: WebClient) -> None:
    ws.misbehave.rate_limit("chat.postMessage", calls=2, retry_after_s=7)
    for _ in range(2):
        with pytest.raises(SlackApiError) as caught:
            web.chat_postMessage(channel=GPUS, text="hi")
        assert caught.value.response.headers["Retry-After"] == "7"
        assert caught.value.response["error"] == "ratelimited"
    web.chat_postMessage(channel=GPUS, text="hi")
    assert [c.status for c in ws.calls("chat.postMessage")] == [429, 429, 200]


def test_the_sdks_own_retries_work_against_it(ws: Workspace, server: PlaygroundServer, ana: Person) -> None:
    ws.misbehave.break_down("chat.postMessage", status=503, calls=1)
    ws.misbehave.rate_limit("chat.postMessage", calls=1)
    patient = WebClient(
        token=server.bot_token,
        base_url=server.api_url,
        retry_handlers=[RateLimitErrorRetryHandler(max_retry_count=2), ServerErrorRetryHandler(max_retry_count=2)],
    )
    patient.chat_postMessage(channel=GPUS, text="at last")
    assert [m.text for m in ana.sees("#gpus")] == ["at last"]
    assert [c.status for c in ws.calls("chat.postMessage")] == [429, 503, 200]


def test_a_method_is_slow_for_one_person_only(ws: Workspace, web: WebClient, ana: Person, ben: Person) -> None:
    ws.misbehave.slow("users.info", 0.3, where={"user": ana.id})
    started = time.monotonic()
    web.users_info(user=ben.id)
    assert time.monotonic() - started < 0.3
    started = time.monotonic()
    web.users_info(user=ana.id)
    assert time.monotonic() - started >= 0.3


def test_a_slow_method_holds_nobody_else_up(ws: Workspace, web: WebClient, server: PlaygroundServer) -> None:
    ws.misbehave.slow("chat.postMessage", 30)
    hasty = WebClient(token=server.bot_token, base_url=server.api_url, timeout=1, retry_handlers=[])
    with pytest.raises(TimeoutError):
        hasty.chat_postMessage(channel=GPUS, text="hi")
    assert web.auth_test()["ok"]


def test_edits_are_refused_until_told_otherwise(ws: Workspace, web: WebClient) -> None:
    ts = web.chat_postMessage(channel=GPUS, text="hi")["ts"]
    ws.misbehave.refuse_edits()
    with pytest.raises(SlackApiError) as caught:
        web.chat_update(channel=GPUS, ts=ts, text="hello")
    assert caught.value.response["error"] == "edit_window_closed"
    ws.misbehave.stop()
    web.chat_update(channel=GPUS, ts=ts, text="hello")


def test_a_rule_ends_with_its_time(ws: Workspace, web: WebClient) -> None:
    ws.misbehave.refuse("auth.test", "internal_error", for_s=0)
    assert web.auth_test()["ok"]


def test_a_lost_reply_leaves_the_work_done(ws: Workspace, web: WebClient, ana: Person) -> None:
    ws.misbehave.lose_reply("chat.postMessage")
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        web.chat_postMessage(channel=GPUS, text="did it arrive?")
    assert [m.text for m in ana.sees("#gpus")] == ["did it arrive?"]
    assert ws.calls("chat.postMessage")[0].ok


def test_ephemerals_can_be_lost(ws: Workspace, web: WebClient, ana: Person) -> None:
    ws.misbehave.lose_ephemerals()
    assert web.chat_postEphemeral(channel=GPUS, user=ana.id, text="psst")["ok"]
    assert ana.sees("#gpus") == []
