"""One thread that ends what has outlived its deadline, however it is blocked."""

import heapq
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from threading import Condition, Thread
from time import monotonic


@dataclass(order=True, slots=True)
class Alarm:
    """Something that is called at ``at`` (monotonic seconds) unless it was cancelled before."""

    at: float
    number: int
    action: Callable[[], None] | None = field(compare=False)

    def cancel(self) -> None:
        """Take it back. Repeatable; a call that is under way is not waited for."""
        self.action = None


class Watchdog:
    """Alarms for any number of connections on one daemon thread, which starts with the first alarm.

    Actions must neither block nor raise: they shut a socket, and whoever is blocked on it finds out.
    """

    def __init__(self) -> None:
        self._alarms: list[Alarm] = []
        self._numbers = count()
        self._changed = Condition()
        self._thread: Thread | None = None
        self._ended = False

    def arm(self, at: float, action: Callable[[], None]) -> Alarm:
        """Call ``action`` at ``at`` (monotonic seconds)."""
        with self._changed:
            alarm = Alarm(at, next(self._numbers), action)
            heapq.heappush(self._alarms, alarm)
            if self._thread is None and not self._ended:
                self._thread = Thread(target=self._watch, name="ssh-watchdog", daemon=True)
                self._thread.start()
            if self._alarms[0] is alarm:
                self._changed.notify()
        return alarm

    @contextmanager
    def guarding(self, at: float, action: Callable[[], None]) -> Iterator[None]:
        """Call ``action`` at ``at`` unless the block ends before."""
        alarm = self.arm(at, action)
        try:
            yield
        finally:
            alarm.cancel()

    def end(self) -> None:
        """End the thread; alarms that are left are dropped."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def _watch(self) -> None:
        while (alarm := self._next_due()) is not None:
            action = alarm.action
            if action is not None:
                action()

    def _next_due(self) -> Alarm | None:
        with self._changed:
            while not self._ended:
                wait_s = self._alarms[0].at - monotonic() if self._alarms else None
                if wait_s is not None and wait_s <= 0:
                    return heapq.heappop(self._alarms)
                self._changed.wait(wait_s)
            return None
