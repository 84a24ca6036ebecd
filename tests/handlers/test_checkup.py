"""The try in a channel where time has to pass, and the words of a checkup."""

import re
from collections.abc import Iterator

import pytest

from bot.domain.checklist import Verdict
from bot.domain.checkup import Finding, Group, Kind
from bot.playground.client import Workspace
from bot.playground.server import PlaygroundServer
from handlers.checkup.asking import checkup_client
from handlers.checkup.live import LiveCheckup
from handlers.checkup.tokens import Standing
from handlers.manifest import manifest
from handlers.words.checkup import line, sentences, title
from handlers.words.checkup_lines import LINES

GPUS = "C0GPUS000"


class Clock:
    """Time that passes only while somebody waits."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def wait(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture
def server() -> Iterator[PlaygroundServer]:
    running = PlaygroundServer(manifest=manifest(), settings={"limits_on": False, "file_processing_s": 1e6})
    running.start()
    yield running
    running.stop()


@pytest.fixture
def live(server: PlaygroundServer) -> LiveCheckup:
    clock = Clock()
    bot = checkup_client(server.bot_token, server.api_url)
    app = checkup_client(server.app_token, server.api_url)
    standing = Standing("U0GPUBOT0", "A0OTHER00", bot_works=True, app_works=True)
    return LiveCheckup(bot, app, standing, GPUS, "", clock.wait, lambda: clock.now_s)


def test_a_picture_that_is_never_ready_is_said_and_deleted(live: LiveCheckup, server: PlaygroundServer) -> None:
    found = {finding.kind: finding for finding in live.findings()}
    late = found[Kind.LIVE_PICTURE_LATE]
    assert late.verdict is Verdict.WARN
    assert late.facts["reason"] == "invalid_blocks"
    assert "would not show it for 33.0 s" in sentences(late)[0]
    assert len([call for call in server.playground.journal.calls if call.method == "chat.update"]) < 15
    assert server.playground.team.files == {}
    assert server.playground.team.messages == {GPUS: []}


def test_a_connection_of_another_app_is_said(live: LiveCheckup) -> None:
    found = {finding.kind: finding for finding in live.findings()}
    assert found[Kind.TWO_APPS].verdict is Verdict.FAIL


def test_a_try_that_is_given_up_is_cleaned_up(live: LiveCheckup, server: PlaygroundServer) -> None:
    findings = live.findings()
    assert next(findings).facts["step"] == "post"
    assert len(server.playground.team.messages[GPUS]) == 1
    findings.close()  # type: ignore[attr-defined]
    assert server.playground.team.messages == {GPUS: []}


def test_a_socket_that_says_nothing_is_said(live: LiveCheckup, server: PlaygroundServer) -> None:
    with Workspace(server.base_url) as workspace:
        workspace.misbehave.refuse_sockets(60)
        found = [f for f in live.findings() if f.facts.get("step") == "socket"]
    assert [(f.kind, f.facts["reason"]) for f in found] == [(Kind.LIVE_REFUSED, "internal_error")]


def test_every_kind_and_group_has_its_words() -> None:
    assert set(LINES) == set(Kind)
    for group in Group:
        assert title(group)


def test_words_show_no_control_characters_and_no_fact_twice_filled() -> None:
    facts = {"where": "a\x1b[31m{b}\nc", "step": "write", "why": "no-archive", "detail": "{where}"}
    shown = line(Finding(Group.ARCHIVE, Kind.ARCHIVE_REFUSED, Verdict.FAIL, facts))
    assert shown.startswith("  FAIL  a [31m{b} c: writing failed: {where}  · ARCHIVE names a remote")
    assert not re.search(r"[\x00-\x1f]", shown)
