"""A post without an answer: whether it may be out is told apart."""

from collections.abc import Iterator

import pytest

from bot.domain.lease import LeaseState
from bot.domain.notice import Notice, NoticeKind
from bot.domain.places import MessageRef
from bot.errors import SlackBusy, SlackUnsure
from bot.playground.client import Workspace
from bot.playground.server import PlaygroundServer
from handlers.manifest import manifest
from handlers.notifier import SlackNotifier
from handlers.slack_app import clients
from tests.domain.lifecycle.sample import handed_over

GPUS = "C0GPUS000"
NOTICE = Notice("once", NoticeKind.KEPT_ANYWAY, "lease1", facts={"by": "U1"})
CARD = MessageRef(GPUS, "1.0")


@pytest.fixture
def server() -> Iterator[PlaygroundServer]:
    with PlaygroundServer(manifest=manifest(), settings={"limits_on": False}) as server:
        yield server


def tell(server: PlaygroundServer) -> None:
    _, delivering = clients(server.bot_token, server.api_url)
    SlackNotifier(delivering, lambda: 0.0).tell(NOTICE, handed_over(LeaseState.READY), CARD)


def test_a_lost_reply_is_unsure_and_is_not_repeated(server: PlaygroundServer) -> None:
    with Workspace(server.base_url) as workspace:
        workspace.misbehave.lose_reply("chat.postMessage")
        with pytest.raises(SlackUnsure):
            tell(server)
        assert len(workspace.calls("chat.postMessage")) == 1


def test_where_nobody_answers_nothing_was_said(server: PlaygroundServer) -> None:
    server.stop()
    with pytest.raises(SlackBusy) as told:
        tell(server)
    assert not isinstance(told.value, SlackUnsure)
