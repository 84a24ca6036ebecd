"""Know people: remember where in their day somebody is, so that no reminder comes by night."""

import threading
from typing import Final

import structlog

from bot.domain.people import Actor
from bot.errors import GpubotError
from bot.ports.clock import Clock
from bot.ports.store import Store

log = structlog.get_logger()
MOST_PEOPLE: Final = 20_000


class KnowPeople:
    """Notes a zone when it is new to this process; a note that fails costs nobody their command."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._known: dict[str, str] = {}
        self._lock = threading.Lock()

    def note(self, actor: Actor) -> None:
        """The person's zone as of this command."""
        with self._lock:
            if self._known.get(actor.user) == actor.tz:
                return
        try:
            with self._store.transaction() as tx:
                tx.people.note_zone(actor.user, actor.tz, self._clock())
        except GpubotError as error:
            log.warning("zone.not-noted", code=error.code)
            return
        with self._lock:
            if len(self._known) > MOST_PEOPLE:
                self._known.clear()
            self._known[actor.user] = actor.tz
