"""The lines of a checklist in words."""

from bot.domain.checklist import Checklist, Item, Line, Verdict
from handlers.words.text import plain

_ICONS = {
    Verdict.OK: ":white_check_mark:",
    Verdict.WARN: ":warning:",
    Verdict.FAIL: ":x:",
    Verdict.UNKNOWN: ":grey_question:",
}
_ITEMS = {
    Item.PROVIDER: "Provider says running",
    Item.SSH: "SSH answers",
    Item.DATA_DISK: "Data disk is there",
    Item.DISK_WRITABLE: "Disks can be written",
}


def checklist_words(checklist: Checklist) -> str:
    """One line an item."""
    return "\n".join(line_words(line) for line in checklist.lines)


def line_words(line: Line) -> str:
    """One item: how it ended, what was seen, what to do."""
    said = _ITEMS[line.item]
    if line.verdict is Verdict.UNKNOWN:
        said = f"{said}: could not look"
    seen = f" — {plain(line.seen)}" if line.seen else ""
    return f"{_ICONS[line.verdict]} {said}{seen}"
