"""Slack's edits and posts as budgets: what does not fit now is told to wait, so that what matters goes first."""

import threading
from collections.abc import Callable
from typing import Final

from bot.errors import SlackBusy

EDITS_PER_MINUTE: Final = 50
"""``chat.update`` is a tier of about 50 calls a minute for the whole workspace (docs.slack.dev, rate limits)."""
POSTS_PER_SECOND_AND_CHANNEL: Final = 1.0
MOST_CHANNELS: Final = 10_000


class Bucket:
    """A token bucket: ``burst`` at once, then ``per_s`` a second. Thread-safe."""

    def __init__(self, per_s: float, burst: float, monotonic: Callable[[], float]) -> None:
        self._per_s, self._burst, self._monotonic = per_s, burst, monotonic
        self._tokens, self._at = burst, monotonic()
        self._lock = threading.Lock()

    def take(self) -> None:
        """Spend one.

        Raises:
            SlackBusy: there is none; with the time until there is.
        """
        with self._lock:
            now = self._monotonic()
            self._tokens = min(self._burst, self._tokens + (now - self._at) * self._per_s)
            self._at = now
            if self._tokens < 1:
                raise SlackBusy((1 - self._tokens) / self._per_s)
            self._tokens -= 1

    def empty(self) -> None:
        """Slack said that it is enough: start from nothing."""
        with self._lock:
            self._tokens, self._at = 0.0, self._monotonic()


class Budget:
    """What the whole workspace may spend on edits, and each channel on posts."""

    def __init__(self, monotonic: Callable[[], float], edits_per_minute: float = EDITS_PER_MINUTE) -> None:
        self._monotonic = monotonic
        self.edits = Bucket(edits_per_minute / 60, max(1.0, edits_per_minute / 5), monotonic)
        self._posts: dict[str, Bucket] = {}
        self._lock = threading.Lock()

    def posts(self, channel: str) -> Bucket:
        """The channel's bucket: a few at once, then one a second."""
        with self._lock:
            if len(self._posts) > MOST_CHANNELS:
                self._posts.clear()
            if channel not in self._posts:
                self._posts[channel] = Bucket(POSTS_PER_SECOND_AND_CHANNEL, 4, self._monotonic)
            return self._posts[channel]
