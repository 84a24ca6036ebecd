"""Somebody at the playground's page in Debian's Chromium, who finds things by what they are called."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

PATIENCE_MS = 30_000
"""How long something may take that a bot on a busy machine does."""


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """A browser. Skips where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("chromium is not installed")
    playwright.expect.set_options(timeout=PATIENCE_MS)
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


class Visitor:
    """One person, in a window of their own. ``faults`` are the errors that the console told."""

    def __init__(self, browser: Any, address: str, who: str, **window: Any) -> None:
        self.context = browser.new_context(locale="en-US", **window)
        self.faults: list[str] = []
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda told: self.faults.append(told.text) if told.type == "error" else None)
        self.page.goto(f"{address}/?as={who}")
        self.box = self.main.get_by_role("combobox", name=re.compile("^Message "))
        self.box.wait_for()

    # the parts of the page

    @property
    def main(self) -> Any:
        return self.page.get_by_role("main")

    @property
    def feed(self) -> Any:
        return self.page.get_by_role("feed", name=re.compile("^Messages in"))

    @property
    def thread(self) -> Any:
        return self.page.get_by_role("complementary", name="Thread")

    @property
    def dialog(self) -> Any:
        return self.page.get_by_role("dialog")

    @property
    def status(self) -> Any:
        return self.page.get_by_role("status").first

    def place(self, name: str) -> Any:
        """A conversation in the list beside."""
        return self.page.get_by_role("navigation").get_by_role("link", name=re.compile(f"^{name}, "))

    # what is said

    def message(self, *words: str) -> Any:
        """The newest message of the conversation that says all of these."""
        return saying(self.feed, *words)

    def reply(self, *words: str) -> Any:
        """The same in the thread that is open."""
        return saying(self.thread, *words)

    def card(self, name: str) -> Any:
        """A machine's card."""
        return self.message(f"{name} · ")

    # what they do

    def types(self, words: str) -> None:
        self.box.fill(words)
        self.box.press("Enter")

    def opens_thread(self, name: str) -> None:
        """The thread of a machine's card."""
        self.card(name).get_by_role("button", name=re.compile(r"^\d+ repl")).click()
        self.thread.wait_for()

    def goes_home(self) -> Any:
        """The app's home tab."""
        self.place("gpubot").click()
        self.page.get_by_role("tab", name="Home").click()
        return self.page.get_by_role("tabpanel", name="Home")

    def leave(self) -> None:
        self.context.close()


def saying(where: Any, *words: str) -> Any:
    """The newest message there that says all of these."""
    found = where.get_by_role("article")
    for one in words:
        found = found.filter(has_text=one)
    return found.last


def is_loaded(picture: Any) -> bool:
    """Whether a picture is really there."""
    return bool(picture.evaluate("async (img) => { await img.decode(); return img.naturalWidth > 0; }"))
