"""Which messages with files are somebody's drop, and which are none of the bot's business."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.domain.policy import Policy
from handlers.drops import DropListener
from handlers.funnel import Funnel
from tests.storage.samples import lease

CARD = MessageRef("C1", "1.0")
SHARED: dict[str, Any] = {
    "type": "message",
    "subtype": "file_share",
    "channel": "C1",
    "channel_type": "channel",
    "user": "U1",
    "ts": "1.5",
    "thread_ts": "1.0",
    "text": "look",
    "files": [{"id": "F1", "name": "a.py"}, {"id": "F2", "mode": "file_access", "file_access": "check_file_info"}],
}


class Take:
    """Notes what is taken."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, tuple[str, ...], MessageRef]] = []

    def lease_at(self, thread: MessageRef) -> object:
        return lease() if thread == CARD else None

    def __call__(
        self, actor: Actor, _lease: object, files: tuple[str, ...], thread: MessageRef, _delivery: str
    ) -> None:
        self.taken.append((actor.user, files, thread))


@pytest.fixture
def take() -> Take:
    return Take()


def hear(take: Take | None, *events: dict[str, Any]) -> None:
    """A listener hears these; nobody may be answered anything."""
    desk: Any = SimpleNamespace(
        take_files=take,
        bot_user="UBOT",
        team_id="T1",
        policy=Policy(),
        people=SimpleNamespace(actor=Actor),
        know=SimpleNamespace(note=lambda _actor: None),
    )
    answers: Any = SimpleNamespace()
    listener = DropListener(desk, Funnel(lambda: "id"), answers)
    for event in events:
        listener.on_message({"team_id": "T1", "event": event})


@pytest.mark.parametrize("subtype", ["file_share", "thread_broadcast", None])
def test_what_somebody_says_in_a_thread_with_files(take: Take, subtype: str | None) -> None:
    hear(take, SHARED | {"subtype": subtype}, SHARED | {"subtype": subtype, "event_ts": "1.6"})
    assert take.taken == [("U1", ("F1", "F2"), CARD)]


@pytest.mark.parametrize(
    "changes",
    [
        {"thread_ts": None},
        {"thread_ts": "9.9"},
        {"files": []},
        {"subtype": "message_changed"},
        {"subtype": "bot_message"},
        {"bot_id": "B1"},
        {"user": "UBOT"},
        {"user": None},
    ],
)
def test_what_is_none_of_its_business(take: Take, changes: dict[str, object]) -> None:
    hear(take, SHARED | changes)
    assert take.taken == []


def test_where_it_is_switched_off_nothing_is_heard() -> None:
    hear(None, SHARED)
