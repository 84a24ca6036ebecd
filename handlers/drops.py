"""Files dropped into a machine's thread: heard of, asked about, answered in the thread."""

from collections.abc import Iterable, Mapping
from http.client import HTTPException
from typing import Any, Final

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.models.blocks import Block

from bot.domain.drops.drop import Choice, Drop
from bot.domain.lease import Lease
from bot.domain.places import MessageRef, Place
from bot.errors import Refused, SlackBusy
from handlers.action_ids import ActionId
from handlers.answers import Answers
from handlers.blocks import Message, actions, button, section
from handlers.desk import Asked, Desk
from handlers.door import Door
from handlers.funnel import Funnel
from handlers.slack_errors import DEFAULT_WAIT_S, from_edit, from_post
from handlers.words.drops import CHOICES, drop_words, questions, told_words

Body = Mapping[str, Any]
_UNANSWERED: Final = (SlackClientError, OSError, HTTPException)
_SAID: Final = (None, "file_share", "thread_broadcast")
"""Subtypes of a message that somebody says; all others tell of one."""
_TOLD_ONCE: Final = frozenset({"not-owner", "not-member", "lease-over"})
"""Somebody else who hears one of these goes on talking there, with pictures perhaps, and is not told each time."""
_BUTTONS: Final[Mapping[Choice, ActionId]] = {
    Choice.REPLACE: ActionId.FILE_REPLACE,
    Choice.BOTH: ActionId.FILE_BOTH,
    Choice.LEAVE: ActionId.FILE_LEAVE,
}


class DropListener:
    """Hears of files. Where the setting is off it hears of none; outside of machines' threads they are none of our
    business, and nothing is kept of them."""

    def __init__(self, desk: Desk, funnel: Funnel, answers: Answers) -> None:
        self._desk, self._funnel, self._answers, self._door = desk, funnel, answers, Door(desk)

    def on_message(self, body: Body) -> None:
        """Any message that holds files."""
        event = body["event"]
        thread_ts, user = event.get("thread_ts"), str(event.get("user") or "")
        files = tuple(dict.fromkeys(_ids(event.get("files") or ())))
        if self._desk.take_files is None or not (files and thread_ts and user):
            return
        if event.get("subtype") not in _SAID or event.get("bot_id") or user == self._desk.bot_user:
            return
        thread = MessageRef(str(event["channel"]), str(thread_ts))
        # As with mentions: the same message has been seen under two event ids.
        delivery = f"dropped:{thread.channel}:{event['ts']}"
        team = str(event.get("user_team") or event.get("team") or body.get("team_id"))
        words = self._funnel.answer(lambda: self._take(user, team, thread, files, delivery), delivery)
        if words:
            self._answers.privately(Place(thread.channel, thread.ts), user, words)

    def _take(self, user: str, team: str, thread: MessageRef, files: tuple[str, ...], delivery: str) -> None:
        take = self._desk.take_files
        lease = take.lease_at(thread) if take is not None else None
        if take is None or lease is None:
            return
        try:
            actor = self._door.let_in(user, team, Place(thread.channel, thread.ts))
            take(actor, lease, files, thread, delivery)
        except Refused as refused:
            why = str(refused.facts.get("why") or refused.reason)
            is_guest = user != lease.owner and ("why" not in refused.facts or why in _TOLD_ONCE)
            if not is_guest or take.is_news(user, lease, why):
                raise


def press(desk: Desk, asked: Asked, value: str, choice: Choice) -> None:
    """An answer to what is to happen with a file; the message itself shows it to everybody."""
    if desk.take_files is None:
        raise Refused("files-off")
    drop_id, _, index = value.partition("/")
    desk.take_files.choose(asked.actor, drop_id, int(index) if index.isdigit() else -1, choice)


class SlackDropTeller:
    """Implements `bot.ports.drop_teller.DropTeller`. Thread-safe."""

    def __init__(self, client: WebClient, most_bytes: int) -> None:
        self._client, self._most_bytes = client, most_bytes

    def tell(self, drop: Drop, lease: Lease) -> MessageRef:
        """In the thread in which they were dropped."""
        payload: Any = drop_message(drop, lease, self._most_bytes).payload()
        try:
            said = self._client.chat_postMessage(channel=drop.thread.channel, thread_ts=drop.thread.ts, **payload)
        except SlackApiError as error:
            raise from_post(error) from error
        except _UNANSWERED as error:
            raise SlackBusy(DEFAULT_WAIT_S) from error
        return MessageRef(str(said["channel"]), str(said["ts"]))

    def retell(self, drop: Drop, lease: Lease, message: MessageRef) -> None:
        """Edited in place; buttons that were answered go."""
        payload: Any = {"blocks": [], **drop_message(drop, lease, self._most_bytes).payload()}
        try:
            self._client.chat_update(channel=message.channel, ts=message.ts, **payload)
        except SlackApiError as error:
            raise from_edit(error) from error
        except _UNANSWERED as error:
            raise SlackBusy(DEFAULT_WAIT_S) from error


def drop_message(drop: Drop, lease: Lease, most_bytes: int) -> Message:
    """What became of the files, and a question with three buttons for each that needs one."""
    blocks: list[Block] = [section(part) for part in told_words(drop, lease, most_bytes)]
    for index, words in questions(drop, lease):
        value = f"{drop.id}/{index}"
        blocks += [section(words), *actions(*(button(_BUTTONS[c], says, value) for c, says in CHOICES.items()))]
    return Message(drop_words(drop, lease, most_bytes), tuple(blocks))


def _ids(files: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    return (str(file["id"]) for file in files if file.get("id"))
