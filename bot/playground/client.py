"""A client of the control API: act as people, see what they see, wait, and make Slack misbehave.

ws = Workspace(server.base_url)
ana = ws.person("ana")
result = ana.command("#gpus", "/gpu status")
card = ws.wait_for(lambda: ana.find("#gpus", "amber-fox"))
ana.click(card, "lease.release")
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from typing import Any, TypeVar

import httpx

from bot.playground.client_misbehave import Misbehave
from bot.playground.client_types import ApiCall, CommandResult, Json, Message, SubmitResult, View, message_from

T = TypeVar("T")
SOONEST_LOOK_S, LATEST_LOOK_S = 0.05, 0.5


class PlaygroundError(Exception):
    """The server refused an act: a Slack client would not have let the person do it, or it was malformed."""


class Control:
    """Requests to the control API."""

    def __init__(self, base_url: str) -> None:
        # The playground speaks plain HTTP: an empty context spares the tenth of a second that certificates take.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        # Longer than the server lets a long poll or an acknowledgement take.
        self._http = httpx.Client(
            base_url=f"{base_url.rstrip('/')}/control/", timeout=90.0, trust_env=False, verify=context
        )

    def get(self, path: str, **query: object) -> Json:
        """GET; arguments that are None are left out."""
        return _answer(self._http.get(path, params={k: str(v) for k, v in query.items() if v is not None}))

    def post(self, path: str, **body: object) -> Json:
        """POST a JSON body; arguments that are None are left out."""
        return _answer(self._http.post(path, json={k: v for k, v in body.items() if v is not None}))

    def content(self, path: str) -> bytes:
        """GET bytes."""
        response = self._http.get(path)
        response.raise_for_status()
        return response.content

    def upload(self, path: str, name: str, content: bytes, **fields: object) -> Json:
        """POST a form with a file; fields that are None are left out."""
        form = {k: str(v) for k, v in fields.items() if v is not None}
        return _answer(self._http.post(path, data=form, files={"file": (name, content)}))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()


def _answer(response: httpx.Response) -> Json:
    told: Json = response.json()
    if response.status_code != 200:
        raise PlaygroundError(told.get("error", response.text))
    return told


class Person:
    """Somebody in the workspace. Channels are ``#name`` or ids; ``dm`` is their conversation with the bot."""

    def __init__(self, control: Control, name: str, user_id: str) -> None:
        self._control, self.name, self.id = control, name, user_id

    def command(self, channel: str, text: str, *, thread: Message | str | None = None) -> CommandResult:
        """Type a slash command; returns once it is acknowledged or Slack gave up (3 s)."""
        told = self._act("command", channel=channel, text=text, thread_ts=_ts(thread))
        return _result(told)

    def say(self, channel: str, text: str, thread: Message | str | None = None, *, raw: bool = False) -> Message:
        """Post a message. ``@name`` and ``#name`` become mentions and links; ``raw`` sends the text as it is."""
        told = self._act("message", channel=channel, text=text, thread_ts=_ts(thread), raw=raw)
        return self._one(told["channel"], told["ts"], _ts(thread))

    def dm(self, text: str, thread: Message | str | None = None, *, raw: bool = False) -> Message:
        """Write to the bot directly."""
        return self.say("dm", text, thread, raw=raw)

    def reply(self, message: Message, text: str, *, raw: bool = False) -> Message:
        """Write in a message's thread."""
        return self.say(message.channel, text, message.thread_ts or message.ts, raw=raw)

    def upload(
        self, channel: str, name: str, content: bytes, text: str = "", thread: Message | str | None = None
    ) -> Message:
        """Share a file from one's own computer, with words beside it."""
        fields = {"user": self.id, "channel": channel, "text": text, "thread_ts": _ts(thread)}
        told = self._control.upload("act/upload", name, content, **fields)
        return self._one(told["channel"], told["ts"], _ts(thread))

    def click(
        self,
        message: Message | View,
        action_id: str,
        *,
        block_id: str | None = None,
        chosen: str | None = None,
        values: Json | None = None,
    ) -> CommandResult:
        """Press a button (or choose from a menu) of a message or view; returns once it is acknowledged.

        ``values`` are what stands in the inputs of a view, by action id; the others hold what they began with.
        """
        if isinstance(message, View):
            where: Json = {"view_id": message.id, "values": values}
        else:
            where = {"channel": message.channel, "ts": message.ts, "block_id": block_id}
        return _result(self._act("click", action_id=action_id, chosen=chosen, **where))

    def react(self, message: Message, name: str) -> None:
        """Add a reaction; nothing happens if it is there."""
        self._act("react", channel=message.channel, ts=message.ts, name=name.strip(":"), add=True)

    def unreact(self, message: Message, name: str) -> None:
        """Take a reaction back; nothing happens if it is not there."""
        self._act("react", channel=message.channel, ts=message.ts, name=name.strip(":"), add=False)

    def edit(self, message: Message, text: str) -> None:
        """Edit one's own message."""
        self._act("edit", channel=message.channel, ts=message.ts, text=text)

    def delete(self, message: Message) -> None:
        """Delete one's own message (an admin: anybody's), or dismiss an ephemeral one."""
        self._act("delete", channel=message.channel, ts=message.ts)

    def join(self, channel: str) -> None:
        """Join a public channel."""
        self._act("join", channel=channel)

    def invite(self, who: str, channel: str) -> None:
        """Bring somebody, or the bot, into a channel."""
        self._control.post("act/join", user=who, channel=channel, inviter=self.id)

    def open_home(self, tab: str = "home") -> None:
        """Open the app's home tab, or its ``messages`` tab."""
        self._act("home", tab=tab)

    def reload(self) -> None:
        """Reload the client, which loses ephemeral messages."""
        self._act("reload")

    def submit(self, view: View, **values: Any) -> SubmitResult:
        """Submit a modal with values by action id."""
        told = self._act("submit", view_id=view.id, values=values)
        return SubmitResult(told["acked"], told["errors"], told["ack"], told["error"])

    def close(self, view: View, *, whole_stack: bool = False) -> None:
        """Close a modal without submitting it."""
        self._act("close", view_id=view.id, all=whole_stack)

    def sees(self, channel: str, *, since: str | None = None) -> list[Message]:
        """The channel as they see it, oldest first, without what stands in threads."""
        told = self._control.get("see", user=self.id, channel=channel, since=since)
        return [message_from(m) for m in told["messages"]]

    def sees_dm(self, *, since: str | None = None) -> list[Message]:
        """Their direct messages with the bot, oldest first."""
        return self.sees("dm", since=since)

    def thread(self, channel: str, ts: str | Message) -> list[Message]:
        """A thread as they see it: the parent, then the replies."""
        told = self._control.get("see", user=self.id, channel=channel, thread_ts=_ts(ts))
        return [message_from(m) for m in told["messages"]]

    def find(self, channel: str, words: str, *, thread: str | Message | None = None) -> Message | None:
        """The newest message they see whose words contain these, or None."""
        seen = self.sees(channel) if thread is None else self.thread(channel, thread)
        return next((m for m in reversed(seen) if words in m.words), None)

    def again(self, message: Message) -> Message | None:
        """The same message as it is now, or None if it is gone."""
        seen = self.thread(message.channel, message.thread_ts or message.ts)
        seen += self.sees(message.channel)
        return next((m for m in seen if m.ts == message.ts), None)

    def modal(self) -> View | None:
        """The topmost modal they have open."""
        modals = self._control.get("views", user=self.id)["modals"]
        return View(modals[-1]["id"], modals[-1]) if modals else None

    def home(self) -> View | None:
        """The home tab as the app last published it for them."""
        home = self._control.get("views", user=self.id)["home"]
        return View(home["id"], home) if home else None

    def _act(self, act: str, **facts: object) -> Json:
        return self._control.post(f"act/{act}", user=self.id, **facts)

    def _one(self, channel: str, ts: str, thread_ts: str | None) -> Message:
        seen = self.thread(channel, thread_ts) if thread_ts else self.sees(channel)
        return next(m for m in seen if m.ts == ts)


class Workspace:
    """The whole workspace, from outside."""

    def __init__(self, base_url: str) -> None:
        self.control = Control(base_url)
        self.misbehave = Misbehave(self.control.post)

    def person(self, name: str) -> Person:
        """Somebody by name or id; KeyError if there is nobody."""
        for known in self.facts()["people"]:
            if name.removeprefix("@") in (known["name"], known["id"]):
                return Person(self.control, known["name"], known["id"])
        raise KeyError(name)

    def facts(self) -> Json:
        """Team, bot, tokens, people, channels, settings, number of open sockets."""
        return self.control.get("workspace")

    def sockets(self) -> int:
        """How many Socket Mode connections the app has open."""
        return int(self.facts()["sockets"])

    def change_person(self, name: str, **facts: object) -> None:
        """Add a person or change one: ``deleted=True``, ``is_ultra_restricted=True``, ``tz_offset=…``."""
        self.control.post("people", name=name, **facts)

    def change_channel(self, name: str, **facts: object) -> None:
        """Add a channel or change one: ``archived=True``, ``members=[…]``, ``kind="group"``."""
        self.control.post("channels", name=name.removeprefix("#"), **facts)

    def settings(self, **changes: object) -> Json:
        """Change settings by name; returns all of them."""
        return self.control.post("settings", **changes)

    def calls(self, method: str | None = None) -> list[ApiCall]:
        """The API calls that the server received, oldest first."""
        return [ApiCall(**c) for c in self.control.get("calls", method=method)["calls"]]

    def events(self, after: int = 0, timeout_s: float = 0.0) -> tuple[int, list[Json]]:
        """Journal entries after a number, and the number to ask with next; waits for the first one."""
        told = self.control.get("events", after=after, timeout=timeout_s)
        return int(told["last"]), list(told["events"])

    def file(self, file_id: str) -> bytes:
        """The content of an uploaded file."""
        return self.control.content(f"files/{file_id}")

    def wait_for(self, look: Callable[[], T | None], timeout_s: float = 10.0) -> T:
        """What ``look`` gives as soon as that is truthy. It is asked again whenever something happened.

        Raises:
            TimeoutError: it never was, within the time.
        """
        deadline = time.monotonic() + timeout_s
        last = int(self.facts()["last_event"])
        rest_s = SOONEST_LOOK_S
        while True:
            found = look()
            if found:
                return found
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise TimeoutError(f"not seen within {timeout_s} s")
            # What is waited for may not be the workspace's doing; what is, is often followed by something that is not.
            last, happened = self.events(last, min(left_s, rest_s))
            rest_s = SOONEST_LOOK_S if happened else min(2 * rest_s, LATEST_LOOK_S)

    def reset(self) -> None:
        """Back to the seed."""
        self.control.post("reset")

    def close(self) -> None:
        """Close the client's connections."""
        self.control.close()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


def _ts(message: Message | str | None) -> str | None:
    if isinstance(message, Message):
        return message.thread_ts or message.ts
    return message


def _result(told: Json) -> CommandResult:
    return CommandResult(
        told["acked"], told["ack_delay_s"], told["ack"], told["error"], told.get("payload"), told.get("ts")
    )
