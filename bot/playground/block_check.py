"""What every Block Kit check shares: a path, the errors found, and the rules for text objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.playground.model import Json


@dataclass
class Check:
    """Collects what is wrong, each with a JSON pointer to the place, as Slack words it."""

    file_ready: Callable[[str], bool]
    errors: list[str] = field(default_factory=list)
    block_ids: set[str] = field(default_factory=set)

    def fault(self, what: str, at: str) -> None:
        """Record one fault."""
        self.errors.append(f"[ERROR] {what} [json-pointer:{at}]")

    def an_object(self, value: object, at: str) -> Json | None:
        """The value if it is a JSON object; else a fault and None."""
        if isinstance(value, dict):
            return value
        self.fault("must be an object", at)
        return None

    def items(self, value: object, at: str, least: int, most: int) -> list[Any]:
        """The value if it is a list of an allowed length; else a fault and what can be looked at."""
        if not isinstance(value, list):
            self.fault("must be an array", at)
            return []
        if len(value) < least:
            self.fault(f"must have at least {least} items", at)
        if len(value) > most:
            self.fault(f"no more than {most} items allowed", at)
        return value

    def string(self, of: Json, name: str, at: str, most: int, *, required: bool = False, least: int = 1) -> None:
        """A string field of allowed length."""
        if name not in of or of[name] is None:
            if required:
                self.fault(f"missing required field: {name}", at)
            return
        value, place = of[name], f"{at}/{name}"
        if not isinstance(value, str):
            self.fault("must be a string", place)
        elif len(value) < least:
            self.fault(f"must be more than {least - 1} characters", place)
        elif len(value) > most:
            self.fault(f"must be less than {most + 1} characters", place)

    def text(self, of: Json, name: str, at: str, most: int, *, plain: bool = False, required: bool = True) -> None:
        """A text object field (docs: reference/block-kit/composition-objects/text-object: 1 to 3000)."""
        if of.get(name) is None:
            if required:
                self.fault(f"missing required field: {name}", at)
            return
        self.text_object(of[name], f"{at}/{name}", most, plain=plain)

    def text_object(self, value: object, at: str, most: int, *, plain: bool = False) -> None:
        """A text object by itself."""
        text = self.an_object(value, at)
        if text is None:
            return
        kind = text.get("type")
        if kind not in (("plain_text",) if plain else ("plain_text", "mrkdwn")):
            self.fault(f"unsupported type: {kind}", f"{at}/type")
        if kind == "mrkdwn" and "emoji" in text:
            self.fault("emoji is only allowed in plain_text", f"{at}/emoji")
        if kind == "plain_text" and "verbatim" in text:
            self.fault("verbatim is only allowed in mrkdwn", f"{at}/verbatim")
        self.string(text, "text", at, most, required=True)

    def image(self, of: Json, at: str) -> None:
        """What image blocks and image elements share (docs: reference/block-kit/blocks/image-block)."""
        if ("image_url" in of) == ("slack_file" in of):
            self.fault("provide either image_url or slack_file", at)
        self.string(of, "image_url", at, 3000)
        self.string(of, "alt_text", at, 2000, required=True)
        if "slack_file" in of:
            file = self.an_object(of["slack_file"], f"{at}/slack_file") or {}
            # facts: an image block that refers to a file before it is processed is refused.
            named = str(file.get("id") or file.get("url") or "")
            if not self.file_ready(named):
                self.fault("invalid slack file", f"{at}/slack_file")
