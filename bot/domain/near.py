"""Near names: which of the things that there are somebody perhaps meant."""

from collections.abc import Iterable
from typing import Final

from rapidfuzz import fuzz, process

MOST: Final = 3
_LONGEST: Final = 40
_LIKELY: Final = 70


def near(word: str, names: Iterable[str]) -> tuple[str, ...]:
    """Up to three of ``names`` that look like ``word``, or that it is a part of, best first."""
    typed = word[:_LONGEST].lower()
    if not typed:
        return ()
    found = process.extract(typed, list(dict.fromkeys(names)), scorer=_alike, limit=MOST, score_cutoff=_LIKELY)
    return tuple(name for name, _, _ in found)


def _alike(word: str, name: str, **_: object) -> float:
    """A typing mistake in the whole name, or one of its parts: ``fox`` is ``amber-fox``, and ``ambr-fox`` too."""
    folded = name[:_LONGEST].lower()
    parts = folded.replace("@", "-").replace("_", "-").split("-")
    return max(fuzz.ratio(word, folded), *(0.9 * fuzz.ratio(word, part) for part in parts))
