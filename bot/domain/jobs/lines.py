"""The last lines of an output as people may read them: colours taken out, redraws parted, cut."""

import re
from typing import Final

MOST_LINE_CHARS: Final = 300
_ESCAPE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")


def last_lines(tail: bytes, most: int, grep: str | None = None, *, is_whole: bool = False) -> tuple[str, ...]:
    """At most ``most`` lines of the end of an output, oldest first; with ``grep``, those that hold it in any case.

    ``is_whole``: ``tail`` is all there is; otherwise its first line may be a half one and is left out, unless it is
    the only one. Of a line that redraws itself the last state counts; blank lines are left out.
    """
    text = _ESCAPE.sub("", tail.decode("utf-8", "replace"))
    lines = [_last_state(line) for line in text.split("\n")]
    if not is_whole and len(lines) > 1 and any(line.strip() for line in lines[1:]):
        lines = lines[1:]
    shown = [line.rstrip() for line in lines if line.strip()]
    if grep:
        shown = [line for line in shown if grep.lower() in line.lower()]
    return tuple(_cut(line) for line in shown[-most:])


def _last_state(line: str) -> str:
    return next((state for state in reversed(line.split("\r")) if state.strip()), "")


def _cut(line: str) -> str:
    return line if len(line) <= MOST_LINE_CHARS else f"{line[:MOST_LINE_CHARS]}…"
