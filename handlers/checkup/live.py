"""The try in a real channel: everything that the bot does to messages, done once, compared, and cleaned up."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from slack_sdk import WebClient

from bot.domain.checklist import Verdict
from bot.domain.checkup import Finding, Group, Kind
from handlers.blocks import Message, picture, section
from handlers.checkup.asking import Answer, ask
from handlers.checkup.sample import png
from handlers.checkup.socket import see_hello
from handlers.checkup.tokens import Standing
from handlers.notifier import EVENT_TYPE
from handlers.words.checkup import (
    LIVE_ALT_TEXT,
    LIVE_EDITED,
    LIVE_EPHEMERAL,
    LIVE_PICTURE_TEXT,
    LIVE_POSTED,
)

Wait = Callable[[float], object]
PICTURE_WITHIN_S: Final = 30.0
_WAITS_LONGER_BY_S: Final = 0.5
_REACTION: Final = "eyes"
_NOT_READY: Final = frozenset({"invalid_blocks", "invalid_slack_file"})
_GONE: Final = frozenset({"message_not_found", "file_not_found", "file_deleted"})


@dataclass
class LiveCheckup:
    """``channel``: an id, or a name with ``#``; ``user``: who sees the ephemeral message, if anybody."""

    bot: WebClient
    app: WebClient | None
    standing: Standing
    channel: str
    user: str
    wait: Wait
    monotonic: Callable[[], float] = time.monotonic
    _ts: str = field(default="", init=False)
    _file: str = field(default="", init=False)

    def findings(self) -> Iterator[Finding]:
        """A step a line. Whatever happens meanwhile, what was posted is deleted."""
        try:
            yield from self._message()
            yield from self._ephemeral()
            yield self._person()
            if self.app is not None and self.standing.app_works:
                yield see_hello(self.app, self.standing.app_id)
        finally:
            # Deleted also where nobody takes the findings any more (Ctrl-C).
            cleaned = tuple(self._clean_up())
        yield from cleaned

    def _message(self) -> Iterator[Finding]:
        message = Message(LIVE_POSTED, (section(LIVE_POSTED),))
        metadata = {"event_type": EVENT_TYPE, "event_payload": {"subject": "checkup", "id": "checkup"}}
        posted = self._say(self.bot.chat_postMessage, message, metadata=metadata)
        if posted.ok:
            # Known before anything is told: whoever stops listening then leaves nothing behind either.
            self.channel, self._ts = posted.text("channel"), posted.text("ts")
        yield self._about("post", "chat.postMessage", posted)
        if not posted.ok:
            return
        yield from self._changed("post", LIVE_POSTED, posted)
        yield self._found_again()
        edited = self._edit(Message(LIVE_EDITED, (section(LIVE_EDITED),)))
        yield self._about("edit", "chat.update", edited)
        if edited.ok:
            yield from self._changed("edit", LIVE_EDITED, edited)
        yield from self._reaction()
        yield from self._picture(can_edit=edited.ok)

    def _found_again(self) -> Finding:
        """What the bot does after a crash in the instant of posting."""
        page = ask(
            self.bot.conversations_history,
            channel=self.channel,
            oldest=self._ts,
            latest=self._ts,
            inclusive=True,
            limit=1,
            include_all_metadata=True,
        )
        if not page.ok:
            return self._about("find", "conversations.history", page)
        found = next((m for m in page.get("messages") or () if m.get("ts") == self._ts), None)
        if found is None or (found.get("metadata") or {}).get("event_type") != EVENT_TYPE:
            what = "the message" if found is None else "its metadata"
            return _finding(Kind.LIVE_NOT_FOUND, Verdict.FAIL, what=what)
        return self._about("find", "conversations.history", page)

    def _reaction(self) -> Iterator[Finding]:
        where = {"channel": self.channel, "timestamp": self._ts, "name": _REACTION}
        put = ask(self.bot.reactions_add, **where)
        yield self._about("react", "reactions.add", put)
        if put.ok:
            yield self._about("unreact", "reactions.remove", ask(self.bot.reactions_remove, **where))

    def _picture(self, *, can_edit: bool) -> Iterator[Finding]:
        uploaded = ask(
            self.bot.files_upload_v2,
            content=png(),
            filename="gpubot-check.png",
            title="gpubot-check",
            alt_txt=LIVE_ALT_TEXT,
        )
        self._file = str((uploaded.get("files") or [{}])[0].get("id") or "")
        yield self._about("upload", "files.completeUploadExternal", uploaded)
        if not uploaded.ok:
            return
        if can_edit:
            yield self._picture_shown()

    def _picture_shown(self) -> Finding:
        """Slack processes a file after its upload; a message may show it only then, and there is no event for it."""
        begun, pause_s = self.monotonic(), 0.0
        blocks = (section(LIVE_PICTURE_TEXT), picture(self._file, LIVE_ALT_TEXT))
        while True:
            shown = self._edit(Message(LIVE_PICTURE_TEXT, blocks))
            took_s = self.monotonic() - begun
            if shown.ok:
                return _finding(Kind.LIVE_PICTURE, took_s=took_s)
            if shown.reason not in _NOT_READY:
                return self._about("show", "chat.update", shown)
            if took_s > PICTURE_WITHIN_S:
                return _finding(Kind.LIVE_PICTURE_LATE, Verdict.WARN, took_s=took_s, reason=shown.reason)
            # Longer each time: edits are the workspace's budget, and a running bot needs them.
            pause_s += _WAITS_LONGER_BY_S
            self.wait(pause_s)

    def _ephemeral(self) -> Iterator[Finding]:
        if self.user and self._ts:
            said = self._say(self.bot.chat_postEphemeral, Message(LIVE_EPHEMERAL), user=self.user)
            yield self._about("ephemeral", "chat.postEphemeral", said)

    def _person(self) -> Finding:
        return self._about("look-up", "users.info", ask(self.bot.users_info, user=self.user or self.standing.bot_user))

    def _clean_up(self) -> Iterator[Finding]:
        if self._ts:
            yield self._deleted("message", ask(self.bot.chat_delete, channel=self.channel, ts=self._ts))
        if self._file:
            yield self._deleted("picture", ask(self.bot.files_delete, file=self._file))

    def _deleted(self, what: str, answer: Answer) -> Finding:
        if answer.ok or answer.reason in _GONE:
            return _finding(Kind.LIVE_STEP, step=f"delete-{what}")
        facts = {"what": what, "channel": self.channel, "reason": answer.reason}
        return _finding(Kind.LIVE_LEFT_BEHIND, Verdict.WARN, **facts)

    def _edit(self, message: Message) -> Answer:
        return self._say(self.bot.chat_update, message, ts=self._ts)

    def _say(self, call: Callable[..., Any], message: Message, **more: Any) -> Answer:
        return ask(call, channel=self.channel, **message.payload(), **more)

    def _about(self, step: str, method: str, answer: Answer) -> Finding:
        if answer.ok:
            return _finding(Kind.LIVE_STEP, step=step)
        facts = {"method": method, "channel": self.channel, "reason": answer.reason, "detail": answer.detail}
        return _finding(Kind.LIVE_REFUSED, Verdict.FAIL, step=step, **facts)

    def _changed(self, step: str, said: str, answer: Answer) -> Iterator[Finding]:
        came = answer.text("message", "text")
        if came != said:
            yield _finding(Kind.LIVE_TEXT_CHANGED, Verdict.WARN, step=step, said=said, came=came)


def _finding(kind: Kind, verdict: Verdict = Verdict.OK, **facts: str | float) -> Finding:
    return Finding(Group.LIVE, kind, verdict, facts)
