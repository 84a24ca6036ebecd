"""The stage of the tour: a workspace and a bot with short intervals in a temporary folder, and a transcript."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from bot.playground.client import Person
from bot.playground.client_types import CommandResult, Message
from bot.playground.trial import BotEndedError, Trial, noon

T = TypeVar("T")
CHANNEL = "#gpus"
# The grace is long enough for somebody to write a file in it, and short enough to watch.
SHORT = {
    "LOCAL_BOOT_S": "1",
    "LOOK_S": "1",
    "RELEASE_GRACE_S": "4",
    "IDLE_AFTER_S": "6",
    "USE_LOOK_S": "1",
    "SETTLE_S": "2",
    "PICTURE_S": "2",
}


class TourError(Exception):
    """A step of the tour was not as it should be."""


class Stage:
    """Everything that the tour plays with. ``say`` takes each line of the transcript."""

    def __init__(self, folder: Path, say: Callable[[str], None], settings: dict[str, str]) -> None:
        self.folder, self.say = folder, say
        self._trial = Trial(folder, SHORT | settings)
        self.workspace, self.log = self._trial.workspace, self._trial.log
        self._names = {person["id"]: person["name"] for person in self.workspace.facts()["people"]}
        self.workspace.change_person("ana", **noon())
        self._told: dict[tuple[str, str], str] = {}

    def bot_is_up(self) -> None:
        """Wait for the bot to be connected."""
        try:
            self.wait("the bot is connected", self._trial.is_up, 30)
        except BotEndedError as error:
            raise TourError(f"the bot ended at once:\n{error}") from error

    def close(self) -> None:
        """End the bot and the workspace."""
        self._trial.close()

    def person(self, name: str) -> Person:
        """Somebody of the workspace."""
        return self.workspace.person(name)

    def types(self, name: str, text: str) -> CommandResult:
        """Somebody types a slash command; what only they see is printed."""
        self.say(f"\n{name} types in {CHANNEL}: {text}")
        result = self.person(name).command(CHANNEL, text)
        if not result.acked:
            raise TourError(f"{text!r} was not answered: {result.error}")
        if result.words:
            self._print("gpubot, to " + name + " alone", result.words)
        return result

    def wait(self, what: str, look: Callable[[], T | None], timeout_s: float = 30) -> T:
        """Wait for ``look`` to give something.

        Raises:
            TourError: it did not; names what was waited for.
        """
        try:
            return self.workspace.wait_for(look, timeout_s)
        except TimeoutError as error:
            raise TourError(f"not seen within {timeout_s:g} s: {what}") from error

    def card(self, lease: str, words: str, timeout_s: float = 40) -> Message:
        """The lease's card once it says ``words``; printed then."""

        def look() -> Message | None:
            for message in self.person("ana").sees(CHANNEL):
                if _subject(message) == "lease" and f"*{lease}*" in message.words and words in message.words:
                    return message
            return None

        found = self.wait(f"{lease}'s card says {words!r}", look, timeout_s)
        self.show(found)
        return found

    def in_thread(self, card: Message, what: str, fits: Callable[[Message], bool], timeout_s: float = 40) -> Message:
        """A message in a card's thread; printed once it fits."""

        def look() -> Message | None:
            return next((m for m in reversed(self.thread(card)) if fits(m)), None)

        found = self.wait(what, look, timeout_s)
        self.show(found)
        return found

    def thread(self, card: Message) -> list[Message]:
        """A card's thread as the owner sees it."""
        return self.person("ana").thread(CHANNEL, card.ts)

    def question(self, card: Message, timeout_s: float = 40, after: str = "") -> Message:
        """The live question in a card's thread that is younger than ``after`` (a message id)."""

        def fits(message: Message) -> bool:
            return _subject(message) == "question" and "question_yes" in message.action_ids and message.ts > after

        return self.in_thread(card, "a question that can be answered", fits, timeout_s)

    def show(self, message: Message) -> None:
        """Print a message, unless it was printed just so before."""
        key, words = (message.channel, message.ts), _without_text(message)
        if self._told.get(key) != words:
            changed = " (changed)" if key in self._told else ""
            self._told[key] = words
            self._print(f"{message.author}{changed}", words, [b.text for b in message.buttons])

    def write_on_machine(self, beside: str, name: str) -> None:
        """Let something on the machine that holds the file ``beside`` write another one: its disks are here."""
        there = next((self.folder / "data").rglob(beside))
        there.with_name(name).write_text("late\n", encoding="utf-8")

    def save_pictures(self, folder: Path) -> list[Path]:
        """Store every picture that was uploaded; where they lie now."""
        folder.mkdir(parents=True, exist_ok=True)
        ids: list[str] = []
        for message in self.person("ana").sees(CHANNEL):
            for shown in [message, *self.thread(message)] if message.reply_count else [message]:
                ids += [*shown.files, *re.findall(r'"slack_file": \{"id": "(\w+)"', json.dumps(shown.blocks))]
        saved = []
        for number, file_id in enumerate(dict.fromkeys(ids), 1):
            path = folder / f"curve-{number}.png"
            path.write_bytes(self.workspace.file(file_id))
            saved.append(path)
        return saved

    def _print(self, who: str, words: str, buttons: list[str] | None = None) -> None:
        self.say(f"  ┌ {who}")
        for line in self._readable(words).splitlines():
            self.say(f"  │ {line}")
        if buttons:
            self.say("  │ " + "  ".join(f"[{text}]" for text in buttons))
        self.say("  └")

    def _readable(self, words: str) -> str:
        """Slack's notation as a client would show it."""
        words = re.sub(r"<!date\^[^|>]*\|([^>]*)>", r"\1", words)
        words = re.sub(r"<@(\w+)>", lambda found: f"@{self._names.get(found[1], found[1])}", words)
        return words.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("\u2060", "")


def _subject(message: Message) -> str | None:
    return ((message.metadata or {}).get("event_payload") or {}).get("subject")


def _without_text(message: Message) -> str:
    """What a client shows: the blocks where there are any, without the labels of buttons, else the text."""
    labels = {button.text for button in message.buttons}
    lines = message.words.splitlines()
    shown = lines[len(message.text.splitlines()) :] if message.blocks else lines
    return "\n".join(line for line in shown if line not in labels)


def seconds_since(start_s: float) -> float:
    """How long ago ``start_s`` (monotonic) was, to hundredths."""
    return round(time.monotonic() - start_s, 2)
