"""Who acts: people's profiles from Slack, remembered for a short while."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.domain.people import Actor
from bot.errors import GpubotError

log = structlog.get_logger()
FRESH_S: Final = 300.0
MOST_PEOPLE: Final = 20_000
_ZONE: Final = "UTC"


class Nobody(GpubotError):
    """Slack did not tell who somebody is: nothing is done for them."""

    code = "nobody"


@dataclass(frozen=True, slots=True)
class _Seen:
    actor: Actor
    at_s: float


class People:
    """Looks people up. Who cannot be looked up is refused: a failed look-up denies."""

    def __init__(self, client: WebClient, monotonic: Callable[[], float]) -> None:
        self._client, self._monotonic = client, monotonic
        self._seen: dict[str, _Seen] = {}
        self._lock = threading.Lock()

    def actor(self, user: str, team_id: str) -> Actor:
        """The person behind a user id, as of at most `FRESH_S` seconds ago.

        Raises:
            Nobody: Slack did not answer or does not know them.
        """
        key = f"{team_id}:{user}"
        with self._lock:
            seen = self._seen.get(key)
        if seen is not None and self._monotonic() - seen.at_s < FRESH_S:
            return seen.actor
        actor = self._look_up(user, team_id)
        with self._lock:
            if len(self._seen) > MOST_PEOPLE:
                self._seen.clear()
            self._seen[key] = _Seen(actor, self._monotonic())
        return actor

    def forget(self, user: str) -> None:
        """Look them up anew next time (their profile changed)."""
        with self._lock:
            for key in [key for key in self._seen if key.endswith(f":{user}")]:
                del self._seen[key]

    def _look_up(self, user: str, team_id: str) -> Actor:
        try:
            found = self._client.users_info(user=user).get("user") or {}
        except (SlackApiError, SlackClientError, OSError) as error:
            log.warning("person.unknown", user=user, reason=type(error).__name__)
            raise Nobody(user) from error
        return Actor(
            user=user,
            team_id=str(found.get("team_id") or team_id),
            tz=str(found.get("tz") or _ZONE),
            is_guest=bool(found.get("is_restricted") or found.get("is_ultra_restricted")),
            is_deactivated=bool(found.get("deleted")),
            is_bot=bool(found.get("is_bot")),
        )
