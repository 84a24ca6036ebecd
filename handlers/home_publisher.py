"""The home publisher's port on Slack: ``views.publish`` within its budget, and nothing twice."""

from collections import OrderedDict
from collections.abc import Callable
from http.client import HTTPException
from threading import Lock
from typing import Final

import structlog
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.domain.home import HomeView
from bot.domain.places import MessageRef
from bot.errors import SlackBusy
from handlers.budget import Bucket
from handlers.home import home_tab
from handlers.slack_errors import DEFAULT_WAIT_S, from_post, reason_of

log = structlog.get_logger()
VIEWS_PER_MINUTE: Final = 100
"""``views.publish`` is a tier of about 100 calls a minute for the whole workspace (docs.slack.dev, rate limits)."""
AT_ONCE: Final = 20
MOST_LINKS: Final = 1000


class SlackHomes:
    """Publishes homes. Thread-safe."""

    def __init__(self, client: WebClient, monotonic: Callable[[], float]) -> None:
        self._client = client
        self._views = Bucket(VIEWS_PER_MINUTE / 60, AT_ONCE, monotonic)
        self._links: OrderedDict[MessageRef, str] = OrderedDict()
        self._lock = Lock()

    def publish(self, view: HomeView, content: str) -> str:
        """Publish it unless it looks like that already."""
        tab = home_tab(view, self._link)
        now = str(tab["private_metadata"])
        if now == content:
            return now
        self._views.take()
        try:
            self._client.views_publish(user_id=view.user, view=tab)
        except SlackApiError as error:
            refused = from_post(error)
            if isinstance(refused, SlackBusy):
                self._views.empty()
            raise refused from error
        except (SlackClientError, OSError, HTTPException) as error:
            raise SlackBusy(DEFAULT_WAIT_S) from error
        return now

    def _link(self, message: MessageRef) -> str | None:
        """A message's address, which never changes; without it the channel is named."""
        with self._lock:
            if message in self._links:
                return self._links[message]
        try:
            answer = self._client.chat_getPermalink(channel=message.channel, message_ts=message.ts)
        except (SlackApiError, SlackClientError, OSError, HTTPException) as error:
            reason = reason_of(error) if isinstance(error, SlackApiError) else type(error).__name__
            log.info("message.not-linked", channel=message.channel, reason=reason)
            return None
        link = str(answer["permalink"])
        with self._lock:
            self._links[message] = link
            while len(self._links) > MOST_LINKS:
                self._links.popitem(last=False)
        return link
