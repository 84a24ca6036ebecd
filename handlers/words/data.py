"""What became of people's data, in words: what is verified where, and what was knowingly lost by whose yes."""

from collections.abc import Iterator

from bot.domain.problem import Facts
from handlers.words.paths import files_words
from handlers.words.text import as_code, plain


def clean_words(facts: Facts, *, keeps_disk: bool = False) -> str:
    """Why nobody is asked."""
    verified = _whole(facts, "data_archived_files")
    if keeps_disk:
        besides = f", and {_verified(facts)}" if verified else ""
        return f"Nothing would be lost: its data disk is kept{besides}. The rest is released after a last look."
    if not verified:
        return "Nothing was added to it since its hand-over, so nothing can be lost: it is released after a last look."
    return f"Nothing would be lost: {_verified(facts)}. It is released after a last look."


def data_lines(facts: Facts) -> Iterator[str]:
    """For a receipt; nothing where no ``data_…`` facts are."""
    if _whole(facts, "data_archived_files"):
        yield f"Archived: {_verified(facts)}"
    by = plain(str(facts.get("data_lost_by") or ""))
    if facts.get("data_lost_unknown"):
        yield f"Lost: not known how much; <@{by}> said yes to that"
    elif _whole(facts, "data_lost_files"):
        lost = files_words(_whole(facts, "data_lost_files"), _whole(facts, "data_lost_bytes"))
        yield f"Knowingly lost: {lost}, by the yes of <@{by}>"
    elif facts.get("data_ground") == "clean":
        yield "Lost: nothing that was seen by the last look"


def _verified(facts: Facts) -> str:
    counted = files_words(_whole(facts, "data_archived_files"), _whole(facts, "data_archived_bytes"))
    place = str(facts.get("data_place") or "")
    return f"{counted} verified in {as_code(place, 200)}" if place else f"{counted} verified in the archive"


def _whole(facts: Facts, name: str) -> int:
    value = facts.get(name)
    return int(value) if isinstance(value, int | float) else 0
