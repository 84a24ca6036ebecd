"""Reactions under a question, read rather than heard of. Implements `bot.ports.answers.Signs`."""

from collections.abc import Mapping
from typing import Any, Final

import structlog
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.domain.answering import Sign
from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.domain.question import Answer
from bot.errors import SlackBusy
from handlers.data import REACTIONS
from handlers.people import Nobody, People
from handlers.slack_app import Identity, SlackAway, TokensRefused, who_am_i
from handlers.slack_errors import DEFAULT_WAIT_S, from_post, reason_of

log = structlog.get_logger()
_SKIN: Final = "::"


class SlackSigns:
    """Asks Slack. Who the bot is, it asks once."""

    def __init__(self, client: WebClient, people: People) -> None:
        self._client, self._people = client, people
        self._me: Identity | None = None

    def read(self, message: MessageRef) -> Mapping[Answer, Sign] | None:
        """Those of people, the bot's own left out; None: they can never be read.

        Raises:
            SlackBusy: not now.
        """
        me = self._identity().bot_user
        try:
            found = self._client.reactions_get(channel=message.channel, timestamp=message.ts, full=True)
        except SlackApiError as error:
            if isinstance(busy := from_post(error), SlackBusy):
                raise busy from error
            log.info("signs.unreadable", channel=message.channel, reason=reason_of(error))
            return None
        except (SlackClientError, OSError) as error:
            raise SlackBusy(DEFAULT_WAIT_S) from error
        told = (found.get("message") or {}).get("reactions") or ()
        return {REACTIONS[name]: _sign(entry, me) for entry in told if (name := _name(entry)) in REACTIONS}

    def person(self, user: str) -> Actor | None:
        """Who that is now.

        Raises:
            SlackBusy: not now.
        """
        try:
            return self._people.actor(user, self._identity().team_id)
        except Nobody:
            return None

    def _identity(self) -> Identity:
        if self._me is None:
            try:
                self._me = who_am_i(self._client)
            except (SlackAway, TokensRefused) as error:
                raise SlackBusy(DEFAULT_WAIT_S) from error
        return self._me


def _name(entry: Mapping[str, Any]) -> str:
    return str(entry.get("name")).partition(_SKIN)[0]


def _sign(entry: Mapping[str, Any], me: str) -> Sign:
    """The list of people may be cut, the count is whole: whoever is missing from the list counts for nothing."""
    users = [str(user) for user in entry.get("users") or ()]
    unnamed = max(0, int(entry.get("count") or 0) - len(users))
    return Sign(REACTIONS[_name(entry)], tuple(user for user in users if user != me), unnamed)
