"""Updates of open forms: for each form one at a time, so that the newest is what stands in the end."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

Update = Callable[[str, Mapping[str, Any]], object]
"""Makes a view (by its id) show another body. Never raises."""
MOST_VIEWS: Final = 1_000


@dataclass(slots=True)
class _Open:
    """One form: the moment of the newest choice that was answered, what is still to be shown, who is showing it."""

    newest: float = 0.0
    waiting: Mapping[str, Any] | None = None
    is_busy: bool = False


class Updates:
    """Typing brings a choice a letter, answered by several threads. Two updates under way could overtake each other,
    so that the cost of an older choice would stand there for good; and no thread should wait for another's."""

    def __init__(self, update: Update) -> None:
        self._update = update
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._lock = Lock()

    def show(self, view_id: str, at: float, view: Mapping[str, Any]) -> None:
        """Show the answer to a choice made ``at``; by whoever is updating this form just now, else at once. Answers
        to older choices are dropped."""
        with self._lock:
            form = self._open.setdefault(view_id, _Open())
            self._open.move_to_end(view_id)
            while len(self._open) > MOST_VIEWS:
                self._open.popitem(last=False)
            if at < form.newest:
                return
            form.newest, form.waiting = at, view
            if form.is_busy:
                return
            form.is_busy = True
        while (next_view := self._next(form)) is not None:
            self._update(view_id, next_view)

    def _next(self, form: _Open) -> Mapping[str, Any] | None:
        with self._lock:
            view, form.waiting = form.waiting, None
            form.is_busy = view is not None
            return view
