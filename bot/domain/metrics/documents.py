"""Whole JSON documents of metrics, spread so that the reader of outputs understands them.

Trainers write them with an item a line (``trainer_state.json``), which is read as it comes; on one line
(``json.dump`` without ``indent``); or as one list for each metric (a Keras history).
"""

import json
from collections.abc import Mapping
from typing import Any, Final

MOST_DOCUMENT_BYTES: Final = 64 * 1024 * 1024
_MOST_DEPTH_ERRORS: Final = (ValueError, RecursionError)


def spread(document: bytes) -> bytes:
    """``document`` with one item a line; the same bytes where it is no single JSON document, or is spread already."""
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
