"""How a request is turned down."""

from __future__ import annotations

from bot.playground.model import Json


class RefusedError(Exception):
    """Slack answers 200 with ``ok: false``, this error code and perhaps more fields."""

    def __init__(self, error: str, **extra: object) -> None:
        super().__init__(error)
        self.error = error
        self.extra = extra

    def as_slack(self) -> Json:
        """The answer's body."""
        return {"ok": False, "error": self.error, **self.extra}


class RateLimitedError(Exception):
    """Slack answers 429 and says in Retry-After how many whole seconds to wait."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(f"retry after {retry_after_s} s")
        self.retry_after_s = retry_after_s


class ImpossibleError(Exception):
    """A person asked, over the control API, for what no Slack client would let them do."""
