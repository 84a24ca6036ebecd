"""Slack's budgets: posts by channel, other methods by the minute."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

from bot.playground.refusals import RateLimitedError
from bot.playground.settings import Settings


@dataclass
class Limits:
    """Counts calls and refuses those over budget; a refused call is not counted."""

    settings: Settings
    _tokens: dict[str, tuple[float, float]] = field(default_factory=dict)
    _recent: dict[str, deque[float]] = field(default_factory=dict)

    def spend_post(self, channel: str, now: float) -> None:
        """One post in a channel: about one a second, with a burst allowance.

        Source: docs.slack.dev apis/web-api/rate-limits (posting messages).

        Raises:
            RateLimitedError: the channel's allowance is used up.
        """
        rate, burst = self.settings.posts_per_second, float(self.settings.post_burst)
        if not self.settings.limits_on or rate <= 0:
            return
        tokens, since = self._tokens.get(channel, (burst, now))
        tokens = min(burst, tokens + max(0.0, now - since) * rate)
        if tokens < 1:
            self._tokens[channel] = (tokens, now)
            raise RateLimitedError(max(1, math.ceil((1 - tokens) / rate)))
        self._tokens[channel] = (tokens - 1, now)

    def spend_call(self, method: str, now: float) -> None:
        """One call of a budgeted method, for the whole workspace.

        Source: docs.slack.dev apis/web-api/rate-limits (tiers; per method, workspace and app).

        Raises:
            RateLimitedError: this minute's calls are used up.
        """
        allowed = self.settings.calls_per_minute.get(method)
        if not self.settings.limits_on or allowed is None:
            return
        recent = self._recent.setdefault(method, deque())
        while recent and recent[0] <= now - 60:
            recent.popleft()
        if len(recent) >= allowed:
            wait_s = recent[0] + 60 - now if recent else 60.0
            raise RateLimitedError(max(1, math.ceil(wait_s)))
        recent.append(now)
