"""One call to Slack and what came of it: the answer, or a reason that can be told."""

from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler
from slack_sdk.web import SlackResponse

from handlers.slack_errors import reason_of

AWAY = "no-answer"
"""The reason where there is no answer of Slack's."""
_TIMEOUT_S = 10
_WAITS_FOR_LIMITS = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """``reason`` is empty where Slack did what was asked; else its own word, or `AWAY` with the ``detail``."""

    body: SlackResponse | None
    reason: str = ""
    detail: str = ""

    @property
    def ok(self) -> bool:
        """Slack did what was asked."""
        return not self.reason

    def get(self, *path: str) -> Any:
        """A value deep in the answer; None where it is not."""
        value: Any = self.body.data if self.body is not None else None
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def text(self, *path: str) -> str:
        """The same as text."""
        value = self.get(*path)
        return value if isinstance(value, str) else ""

    def header(self, wanted: str) -> str | None:
        """A header of the answer, refusals included."""
        headers = self.body.headers if self.body is not None else {}
        for name, value in headers.items():
            if name.lower() == wanted:
                return str(value[0] if isinstance(value, list) and value else value)
        return None


def checkup_client(token: str, base_url: str) -> WebClient:
    """Patient with Slack's limits, since nothing waits for it; a broken connection is told and not tried again."""
    url = base_url if base_url.endswith("/") else f"{base_url}/"
    retry = RateLimitErrorRetryHandler(max_retry_count=_WAITS_FOR_LIMITS)
    return WebClient(token=token, base_url=url, timeout=_TIMEOUT_S, retry_handlers=[retry])


def ask(call: Callable[..., SlackResponse], **arguments: Any) -> Answer:
    """Make the call; never raises for what happened at Slack or on the way."""
    try:
        return Answer(call(**arguments))
    except SlackApiError as error:
        body = error.response if isinstance(error.response, SlackResponse) else None
        if body is not None and body.status_code >= 500:
            return Answer(body, AWAY, f"HTTP {body.status_code}")
        return Answer(body, reason_of(error) or "unknown")
    except (SlackClientError, OSError, HTTPException, ValueError) as error:
        # of an unreadable answer only that it was one: it may be anybody's page
        detail = str(getattr(error, "reason", "") or error) if isinstance(error, OSError) else type(error).__name__
        return Answer(None, AWAY, detail)
