"""The one error funnel: whatever happens in a listener becomes a sentence, and nothing leaves it."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final, TypeVar

import structlog

from bot.errors import GpubotError
from bot.ports.clock import NewId
from handlers.words.errors import error_words, unknown_error_words

T = TypeVar("T")
log = structlog.get_logger()
MOST_DELIVERIES: Final = 10_000


class Funnel:
    """Runs a listener's work. A known error is its own sentence; an unknown one has an id, shown and logged."""

    def __init__(self, new_id: NewId) -> None:
        self._new_id = new_id
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._lock = Lock()

    def answer(self, work: Callable[[], T | None], delivery: str) -> T | str | None:
        """The work's answer, or the sentence for what went wrong. Work of one delivery is done once here;
        what spends money is unique in the database besides."""
        if not self._first_time(delivery):
            log.info("delivery.again", delivery=delivery)
            return None
        try:
            return work()
        except GpubotError as error:
            log.info("listener.refused", code=error.code, reason=getattr(error, "reason", ""), delivery=delivery)
            return error_words(error)
        except Exception:
            error_id = self._new_id()[:8]
            log.exception("listener.broke", error_id=error_id, delivery=delivery)
            return unknown_error_words(error_id)

    def quietly(self, what: str, call: Callable[[], object]) -> bool:
        """Make one last call (an ack, an answer). Nothing may raise after an ack: a failure is only logged."""
        try:
            call()
        except Exception as error:
            log.warning("answer.lost", what=what, error=type(error).__name__, exc_info=True)
            return False
        return True

    def _first_time(self, delivery: str) -> bool:
        with self._lock:
            if delivery in self._seen:
                return False
            self._seen[delivery] = None
            while len(self._seen) > MOST_DELIVERIES:
                self._seen.popitem(last=False)
            return True
