"""Redaction: values of secrets taken out of what is stored and shown, each replaced by its name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

LEAST_CHARS: Final = 6
"""A shorter value could not be taken out of an output without taking half of it along."""
MOST_CHARS: Final = 3000
"""What Slack's forms take."""


@dataclass(frozen=True, slots=True, repr=False)
class Redactor:
    """Knows values by their names. It never shows them: not even in its own repr."""

    values: Mapping[str, str]

    def text(self, text: str) -> str:
        """``text`` with ``•••NAME•••`` in place of each value."""
        for value, mark in self._marks():
            text = text.replace(value, mark)
        return text

    def names_in(self, text: str) -> tuple[str, ...]:
        """Those whose values stand in ``text``."""
        return tuple(name for name, value in self.values.items() if value in text)

    def restored(self, text: str) -> str:
        """The other way round, for the machine that runs it."""
        for name, value in self.values.items():
            text = text.replace(_mark(name), value)
        return text

    def output(self, piece: bytes) -> bytes:
        """As `text`, for bytes of an output."""
        for value, mark in self._marks():
            piece = piece.replace(_bytes(value), _bytes(mark))
        return piece

    def begun_at_end(self, piece: bytes) -> int:
        """How many bytes at the end of ``piece`` may be the beginning of a value whose rest has not come yet."""
        longest = 0
        for value, _ in self._marks():
            whole = _bytes(value)
            for length in range(min(len(whole) - 1, len(piece)), longest, -1):
                if piece.endswith(whole[:length]):
                    longest = length
                    break
        return longest

    def _marks(self) -> list[tuple[str, str]]:
        """Whole values first, and of values of several lines their lines, too: the longest first, so that none is cut
        by a shorter one."""
        found = {}
        for name, value in self.values.items():
            for part in (value, *(value.split("\n") if "\n" in value else ())):
                if len(part.strip()) >= LEAST_CHARS:
                    found[part.strip()] = _mark(name)
        return sorted(found.items(), key=lambda item: -len(item[0]))


NOTHING: Final = Redactor({})


def _mark(name: str) -> str:
    return f"•••{name}•••"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
