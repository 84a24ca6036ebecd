"""The greeting of a channel that the bot was brought into."""

from threading import Event
from typing import Final

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.errors import SlackBusy
from handlers.desk import Desk
from handlers.slack_errors import from_post
from handlers.words.greeting import NOT_HERE, WELCOME

TRIES: Final = 3
LONGEST_WAIT_S: Final = 30.0


def greeting(desk: Desk, channel: str) -> str | None:
    """What to say in a channel; None where it was said before."""
    if not desk.welcome.is_due(channel):
        return None
    return WELCOME if desk.policy.allows_channel(channel) else NOT_HERE


def post(client: WebClient, channel: str, text: str) -> None:
    """Say it. Slack's *not now* is waited for; what may be out already is not repeated."""
    for left in reversed(range(TRIES)):
        try:
            client.chat_postMessage(channel=channel, text=text, unfurl_links=False, unfurl_media=False)
            return
        except SlackApiError as error:
            busy = from_post(error)
            if not isinstance(busy, SlackBusy) or not left:
                raise
            Event().wait(min(busy.retry_after_s, LONGEST_WAIT_S))
