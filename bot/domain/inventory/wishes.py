"""What people want watched on a lease's machine beside home and data path, and what they say can be had again."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.domain.inventory.request import Watch

MOST_PATHS: Final = 50
"""Of one lease; each is walked with every look."""
_NEVER: Final = (b"/", b"/proc", b"/sys", b"/dev", b"/run")
"""The whole system, and what the kernel only pretends to be files."""


class Treatment(StrEnum):
    """What is done with a path."""

    ADDED = "added"
    SKIPPED = "skipped"


class WhyNotWatched(StrEnum):
    """Why a path is not taken; the words for each are in `handlers.words.errors`."""

    NO_PATH = "no-path"
    """With ``..`` in it, or with a NUL."""
    SYSTEM = "system-path"
    WATCHED_ITSELF = "watched-itself"
    """It is watched by its own name, so it cannot be left out."""
    TOO_MANY = "too-many-paths"


@dataclass(frozen=True, slots=True)
class WatchedPath:
    """One path that a person named, as inventories spell it."""

    lease_id: str
    path: bytes
    treatment: Treatment
    by: str
    at: datetime


def added_paths(wishes: Iterable[WatchedPath]) -> frozenset[bytes]:
    """Those that are looked at since somebody named them."""
    return frozenset(wish.path for wish in wishes if wish.treatment is Treatment.ADDED)


def watch_with(roots: Watch, wishes: Iterable[WatchedPath]) -> Watch:
    """What is looked at: what every machine has watched, and these."""
    by_treatment: dict[Treatment, list[str]] = {treatment: [] for treatment in Treatment}
    for wish in wishes:
        by_treatment[wish.treatment].append(wish.path.decode("utf-8", "surrogateescape"))
    added = (root for root in by_treatment[Treatment.ADDED] if root not in roots.roots)
    return Watch((*roots.roots, *added), (*roots.skip, *by_treatment[Treatment.SKIPPED]))


def why_not_watched(path: bytes, treatment: Treatment, watch: Watch, wishes: int) -> WhyNotWatched | None:
    """Why ``path`` is not taken; ``watch``: what is looked at now, ``wishes``: how many paths were named before."""
    if b".." in path.split(b"/") or b"\0" in path:
        return WhyNotWatched.NO_PATH
    if path in _NEVER or path.startswith((b"/proc/", b"/sys/", b"/dev/")):
        return WhyNotWatched.SYSTEM
    if treatment is Treatment.SKIPPED and path.decode("utf-8", "surrogateescape") in watch.roots:
        return WhyNotWatched.WATCHED_ITSELF
    return WhyNotWatched.TOO_MANY if wishes >= MOST_PATHS else None
