"""Whole JSON documents of metrics, spread so that the reader of outputs understands them.

Trainers write them with an item a line (``trainer_state.json``), which is read as it comes; on one line
(``json.dump`` without ``indent``); or as one list for each metric (a Keras history).
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

MOST_DOCUMENT_BYTES: Final = 64 * 1024 * 1024
HEAD_BYTES: Final = 256 * 1024
"""So much of its beginning tells whether a document is a list of records."""
_LARGE_BYTES: Final = 1024 * 1024
_MOST_DEPTH_ERRORS: Final = (ValueError, RecursionError)
# Blanks are gone through from their beginning alone, which keeps it linear.
_RECORD: Final = re.compile(rb"(?:,|(?<![\s,]))\s*(\{[^{}]*\})")
_TWO_RECORDS: Final = re.compile(rb"\{[^{}]+\}\s*,\s*\{[^{}]+\}")


class Records:
    """A list of records, as large as it may be, a record a line: piece by piece, and without making objects of it."""

    def __init__(self, *, is_tail: bool = False) -> None:
        """``is_tail``: the beginning is missing, so that the first piece begins with half a record."""
        self._half = b""
        self._is_tail = is_tail

    def spread(self, piece: bytes) -> bytes:
        """What ``piece`` completes. What stands around the records stays as it is."""
        text = self._half + piece
        end = text.rfind(b"}") + 1
        if not end and len(text) > _LARGE_BYTES:
            end = len(text)
        self._half, text = text[end:], text[:end]
        if self._is_tail and text:
            text, self._is_tail = text[max(0, text.find(b"{")) :], False
        return _RECORD.sub(lambda found: b"\n" + b" ".join(found[1].split()) + b"\n", text)

    def rest(self) -> bytes:
        """What stands behind the last record, when there is no more."""
        return self._half + b"\n"


def has_records(head: bytes) -> bool:
    """Whether a document that begins so is a list of records, or holds one."""
    return _TWO_RECORDS.search(head[:HEAD_BYTES]) is not None


def spread_tail(tail: bytes) -> bytes:
    """The end of a list of records, a record a line."""
    records = Records(is_tail=True)
    return records.spread(tail) + records.rest()


def spread(document: bytes) -> bytes:
    """``document`` with one item a line; the same bytes where it is no single JSON document, or is spread already."""
    if len(document) > _LARGE_BYTES and has_records(document):
        records = Records()
        return records.spread(document) + records.rest()
    stripped = document.strip()
    if not stripped.startswith((b"{", b"[")) or stripped.count(b"\n") > 2:
        return document
    try:
        value = json.loads(stripped)
    except _MOST_DEPTH_ERRORS:
        return document
    history = _history(value)
    try:
        return (history or json.dumps(value, indent=1, ensure_ascii=False)).encode("utf-8", "replace") + b"\n"
    except _MOST_DEPTH_ERRORS:
        return document


def _history(value: Any) -> str:
    """A list for each metric, one value an epoch, as a table with a head; empty where it is something else."""
    if isinstance(value, Mapping) and isinstance(value.get("history"), Mapping):
        value = value["history"]
    if not isinstance(value, Mapping):
        return ""
    columns = {str(name): cells for name, cells in value.items() if isinstance(cells, list) and len(cells) > 1}
    lengths = {len(cells) for cells in columns.values()}
    if len(lengths) != 1 or not all(_is_number(cell) for cells in columns.values() for cell in cells):
        return ""
    epochs = columns.pop("epoch", list(range(1, lengths.pop() + 1)))
    rows = zip(epochs, *columns.values(), strict=True)
    return "\n".join([",".join(["epoch", *columns]), *(",".join(map(str, row)) for row in rows)])


def _is_number(cell: Any) -> bool:
    return cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool))
