"""Every change that others can see: it is kept, noted for watchers, and told to the app as events."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

from bot.playground import payloads
from bot.playground.delivery import Delivery
from bot.playground.file_objects import file_told, file_withheld
from bot.playground.journal import Journal
from bot.playground.model import Channel, File, Json, Message, Person
from bot.playground.settings import Settings
from bot.playground.team import Team


@dataclass
class Conversation:
    """The one way in which messages, reactions and memberships change."""

    team: Team
    settings: Settings
    journal: Journal
    delivery: Delivery
    now: Callable[[], float]
    address: Callable[[], str]

    def post(self, channel: Channel, author: Person, text: str, **more: object) -> Message:
        """Say something in a conversation; ``more`` are further fields of the message."""
        message = Message(self.team.new_ts(self.now()), channel.id, author.id, text, **more)  # type: ignore[arg-type]
        message.team_id = author.team_id
        if author.is_bot and author.bot_id:
            message.bot_id, message.app_id = author.bot_id, self.team.app_id
        if message.thread_ts is not None:
            parent = self.team.message(channel.id, message.thread_ts)
            if parent is not None and parent.is_reply:
                message.thread_ts = parent.thread_ts
        if message.only_for is not None and self.settings.ephemerals_lost:
            return message
        self.team.add(message)
        self._note("message", message)
        if message.only_for is None:
            self._tell_posted(channel, message, author)
        return message

    def change(self, message: Message, editor: Person, text: str, blocks: list[Json]) -> None:
        """Replace what a message says."""
        before = self._event_message(message)
        message.text, message.blocks = text, blocks
        message.edited = {"user": editor.id, "ts": self.team.new_ts(self.now())}
        self._note("message_changed", message)
        if message.only_for is None:
            after = {"message": self._event_message(message), "previous_message": before}
            self._tell_subtype("message_changed", message, editor, after)

    def delete(self, message: Message, by: Person) -> None:
        """Take a message away."""
        before = self._event_message(message)
        self.team.remove(message)
        self._note("message_deleted", message)
        if message.only_for is None:
            facts = {"deleted_ts": message.ts, "previous_message": before}
            self._tell_subtype("message_deleted", message, by, facts)

    def react(self, message: Message, by: Person, name: str, *, add: bool) -> None:
        """Add or take back a reaction; the caller has checked that this changes something."""
        people = message.reactions.setdefault(name, [])
        if add:
            people.append(by.id)
        else:
            people.remove(by.id)
            if not people:
                del message.reactions[name]
        kind = "reaction_added" if add else "reaction_removed"
        self._note(kind, message, name=name, by=by.id)
        event = {
            "type": kind,
            "user": by.id,
            "reaction": name,
            "item": {"type": "message", "channel": message.channel, "ts": message.ts},
            "item_user": message.user,
            "event_ts": self.team.new_ts(self.now()),
        }
        # docs: reference/events/reaction_added: for items in conversations that the app is in.
        if message.only_for is None and self._bot_in(message.channel):
            self.tell(kind, event, by)

    def join(self, channel: Channel, person: Person, inviter: Person | None = None) -> None:
        """Make somebody a member; nothing happens if they are."""
        if person.id in channel.members:
            return
        channel.members.append(person.id)
        self.journal.note("member_joined_channel", channel=channel.id, user=person.id)
        if not self._bot_in(channel.id):
            return
        event: Json = {
            "type": "member_joined_channel",
            "user": person.id,
            "channel": channel.id,
            "channel_type": "G" if channel.kind == "group" else "C",
            "team": self.team.id,
            "event_ts": self.team.new_ts(self.now()),
        }
        if inviter is not None:
            event["inviter"] = inviter.id
        self.tell("member_joined_channel", event, person)

    def tell(self, subscription: str, event: Json, actor: Person) -> None:
        """Send the app an event if it subscribed to that kind."""
        if subscription not in self.settings.subscriptions:
            return
        event_id = self.team.new_id("Ev")
        payload = payloads.event_callback(self.team, event, event_id, int(self.now()), actor.team_id)
        self.delivery.event(copy.deepcopy(payload))

    def _tell_posted(self, channel: Channel, message: Message, author: Person) -> None:
        if not self._bot_in(channel.id):
            return
        event = self._event_message(message) | {"channel": channel.id, "event_ts": message.ts}
        if author.team_id != self.team.id:
            event |= {"user_team": author.team_id, "source_team": author.team_id}
        # facts: `app_mention` and `message` both arrive for one mention; own messages arrive as well.
        self.tell(channel.subscription, event | {"channel_type": channel.kind}, author)
        # docs: reference/events/app_mention: not for direct messages, nor for what the app says itself.
        mentioned = f"<@{self.team.bot.id}>" in message.text or f"<@{self.team.bot.id}|" in message.text
        if mentioned and channel.kind != "im" and author.id != self.team.bot.id:
            self.tell("app_mention", event | {"type": "app_mention"}, author)

    def _tell_subtype(self, subtype: str, message: Message, actor: Person, facts: Json) -> None:
        channel = self.team.channels[message.channel]
        if not self._bot_in(channel.id):
            return
        ts = self.team.new_ts(self.now())
        event = {
            "type": "message",
            "subtype": subtype,
            "channel": channel.id,
            "ts": ts,
            "event_ts": ts,
            "channel_type": channel.kind,
            "hidden": True,
            **facts,
        }
        self.tell(channel.subscription, event, actor)

    def _event_message(self, message: Message) -> Json:
        told = self.team.told(message)
        if message.files:
            # docs: reference/events/message/file_share. In events the files are told as far as the app may read.
            told |= {"upload": not message.bot_id, "display_as_bot": False}
            told["files"] = [self._file_for_app(self.team.files[f]) for f in message.files]
        if not message.blocks and not message.bot_id:
            # Clients send what people type as rich text beside the plain text.
            told["blocks"] = [_rich_text(message)] if message.text else []
        return told

    def _file_for_app(self, file: File) -> Json:
        if "files:read" not in self.settings.scopes:
            return file_withheld(file)
        return file_told(self.team, file, self.address())

    def tell_file_shared(self, channel: Channel, file: File, by: Person) -> None:
        """docs: reference/events/file_shared: the id alone, to apps that subscribed to it and may read files."""
        if not self._bot_in(channel.id) or "files:read" not in self.settings.scopes:
            return
        event: Json = {
            "type": "file_shared",
            "channel_id": channel.id,
            "file_id": file.id,
            "user_id": by.id,
            "file": {"id": file.id},
            "event_ts": self.team.new_ts(self.now()),
        }
        self.tell("file_shared", event, by)

    def _bot_in(self, channel_id: str) -> bool:
        return self.team.bot.id in self.team.channels[channel_id].members

    def _note(self, kind: str, message: Message, **more: object) -> None:
        facts = {"channel": message.channel, "ts": message.ts, "thread_ts": message.thread_ts}
        self.journal.note(kind, **facts, only_for=message.only_for, user=message.user, **more)


def _rich_text(message: Message) -> Json:
    text = {"type": "text", "text": message.text}
    section = {"type": "rich_text_section", "elements": [text]}
    return {"type": "rich_text", "block_id": f"typed+{message.ts[-6:]}", "elements": [section]}
