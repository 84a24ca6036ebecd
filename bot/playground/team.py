"""The state of the workspace: who is there, which conversations, what was said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.playground.model import Channel, File, Json, Message, Person, View


@dataclass
class Team:
    """Everything that a restart may keep. Knows nothing of sockets, requests or rules of the API."""

    id: str
    domain: str
    bot: Person
    app_id: str
    people: dict[str, Person] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    messages: dict[str, list[Message]] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    homes: dict[str, View] = field(default_factory=dict)
    # Person -> conversation (or "conversation/thread") -> time stamp of the last message that they have read.
    read: dict[str, dict[str, str]] = field(default_factory=dict)
    _last_ts: int = 0
    _last_id: int = 0

    def new_ts(self, now: float) -> str:
        """A time stamp that no other message has, never smaller than the last one."""
        self._last_ts = max(int(now * 1_000_000), self._last_ts + 100)
        return f"{self._last_ts // 1_000_000}.{self._last_ts % 1_000_000:06d}"

    def new_id(self, prefix: str) -> str:
        """An identifier that nothing else here has."""
        self._last_id += 1
        return f"{prefix}0NEW{self._last_id:05d}"

    def person_or_none(self, who: str) -> Person | None:
        """A person by id or name, with or without ``@``."""
        who = who.removeprefix("@")
        if who in self.people:
            return self.people[who]
        return next((p for p in self.people.values() if p.name == who), None)

    def channel_named(self, name: str) -> Channel | None:
        """A public or private channel by name, with or without ``#``."""
        name = name.removeprefix("#")
        return next((c for c in self.channels.values() if c.kind != "im" and c.name == name), None)

    def channel_or_none(self, which: str) -> Channel | None:
        """A conversation by id or name."""
        return self.channels.get(which) or self.channel_named(which)

    def dm_of(self, user: str, now: float) -> Channel:
        """The direct messages between a person and the bot; opened if they were not."""
        for channel in self.channels.values():
            if channel.kind == "im" and user in channel.members:
                return channel
        channel = Channel(self.new_id("D"), "", "im", [user, self.bot.id], created=int(now))
        self.channels[channel.id] = channel
        return channel

    def add(self, message: Message) -> Message:
        """Keep a message."""
        self.messages.setdefault(message.channel, []).append(message)
        return message

    def message(self, channel: str, ts: str) -> Message | None:
        """A message by channel and time stamp, ephemeral ones included."""
        return next((m for m in self.messages.get(channel, ()) if m.ts == ts), None)

    def remove(self, message: Message) -> None:
        """Forget a message."""
        self.messages[message.channel].remove(message)

    def replies(self, channel: str, thread_ts: str) -> list[Message]:
        """The lasting replies in a thread, oldest first, without its parent."""
        return [m for m in self.messages.get(channel, ()) if m.thread_ts == thread_ts and _lasting_reply(m)]

    def timeline(self, channel: str) -> list[Message]:
        """What stands in the channel itself for everybody, oldest first."""
        return [m for m in self.messages.get(channel, ()) if m.only_for is None and (not m.is_reply or m.broadcast)]

    def seen_by(self, user: str, channel: str) -> list[Message]:
        """The timeline with that person's own ephemeral messages in it."""
        own = [m for m in self.messages.get(channel, ()) if m.only_for == user and not m.is_reply]
        return sorted([*self.timeline(channel), *own], key=lambda m: m.ts)

    def thread_seen_by(self, user: str, channel: str, thread_ts: str) -> list[Message]:
        """A thread as a person sees it: parent, replies, and their ephemerals if the thread is active.

        docs.slack.dev reference/methods/chat.postEphemeral: ephemerals in threads are only shown if there is
        already an active thread.
        """
        parent = self.message(channel, thread_ts)
        replies = self.replies(channel, thread_ts)
        own = [m for m in self.messages.get(channel, ()) if m.only_for == user and m.thread_ts == thread_ts and replies]
        return sorted([*([parent] if parent else []), *replies, *own], key=lambda m: m.ts)

    def told(self, message: Message) -> Json:
        """The message object as the API and events give it (docs: reference/events/message)."""
        author = self.people.get(message.user)
        told: Json = {"type": "message", "user": message.user, "text": message.text, "ts": message.ts}
        told["team"] = message.team_id or self.id
        if message.subtype:
            told["subtype"] = message.subtype
        if message.bot_id:
            told |= {"bot_id": message.bot_id, "app_id": message.app_id}
            told["bot_profile"] = {
                "id": message.bot_id,
                "app_id": message.app_id,
                "name": author.name if author else "",
                "deleted": False,
                "updated": 1700000000,
                "team_id": self.id,
            }
        else:
            told["client_msg_id"] = f"00000000-0000-4000-8000-{int(message.ts.replace('.', '')) % 10**12:012d}"
        if message.blocks:
            told["blocks"] = message.blocks
        if message.edited:
            told["edited"] = message.edited
        if message.files:
            told["files"] = [{"id": f} for f in message.files]
        told |= self._thread_facts(message)
        if message.reactions:
            told["reactions"] = reactions_told(message)
        return told

    def _thread_facts(self, message: Message) -> Json:
        if message.is_reply:
            parent = self.message(message.channel, message.thread_ts or "")
            return {"thread_ts": message.thread_ts, "parent_user_id": parent.user if parent else ""}
        replies = self.replies(message.channel, message.ts)
        if not replies:
            return {}
        writers = unique(m.user for m in replies)
        return {
            "thread_ts": message.ts,
            "reply_count": len(replies),
            "reply_users_count": len(writers),
            "latest_reply": replies[-1].ts,
            "reply_users": writers,
            "is_locked": False,
            "subscribed": False,
        }


def reactions_told(message: Message) -> list[Json]:
    """Reactions as Slack lists them."""
    return [{"name": n, "users": list(u), "count": len(u)} for n, u in message.reactions.items()]


def unique(values: Iterable[str]) -> list[str]:
    """The values in order, each once."""
    return list(dict.fromkeys(values))


def _lasting_reply(message: Message) -> bool:
    return message.is_reply and message.only_for is None
