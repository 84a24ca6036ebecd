"""What is watched on a machine, in words."""

from collections.abc import Iterator

from bot.domain.commands import WatchAction
from bot.domain.inventory.wishes import Treatment
from bot.services.watch_paths import Watched
from handlers.words.paths import path_words
from handlers.words.text import listed

_CHECKPOINTS = "What looks like a checkpoint (`*.pt`, `*.safetensors`, `*.ckpt` …) is never left out: it still counts."


def watched_words(watched: Watched) -> str:
    """All of it."""
    return "\n".join(_lines(watched))


def changed_words(watched: Watched, action: WatchAction) -> str:
    """What was done, and what is watched now."""
    match action:
        case WatchAction.ADD:
            first = (
                "From the next look on that counts as well: all that is there, since nobody saw what was there before."
            )
        case WatchAction.SKIP:
            first = f"Left out from the next look on, and named with its size where it is asked about. {_CHECKPOINTS}"
        case WatchAction.REMOVE:
            first = "Forgotten."
    return f"{first}\n{watched_words(watched)}"


def _lines(watched: Watched) -> Iterator[str]:
    always = listed([path_words(root.encode("utf-8", "surrogateescape"), 120) for root in watched.always])
    yield f"Watched on *{watched.lease.name}*: {always}, as on every machine."
    for treatment, title in (
        (Treatment.ADDED, "As well, since somebody named it"),
        (Treatment.SKIPPED, "Left out, since it can be had again"),
    ):
        wishes = [wish for wish in watched.wishes if wish.treatment is treatment]
        if wishes:
            yield f"{title}:"
        for wish in wishes:
            yield f"• {path_words(wish.path, 120)} (<@{wish.by}>)"
