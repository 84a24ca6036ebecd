"""Records printed over several lines or as rows under a header: tables, spread JSON, CSV, columns parted by blanks."""

import re
from functools import lru_cache
from typing import Final

from bot.domain.metrics.counters import EPOCH_WORDS, STEP_WORDS, TOTAL_EPOCHS, TOTAL_STEPS
from bot.domain.metrics.names import meaning
from bot.domain.metrics.shape import MetricAt, Plan
from bot.domain.metrics.state import Block, BlockKind

MOST_ITEMS: Final = 256
MOST_HEADER_MISSES: Final = 20
_TABLE_ROW: Final = re.compile(r"\s*\|\s*(?P<key>[^|]*?)\s*\|\s*(?P<value>[^|]*?)\s*\|\s*")
_TABLE_RULE: Final = re.compile(r"\s*[|+]?[-=+|:]{4,}\s*")
_JSON_ITEM: Final = re.compile(r'\s*"(?P<key>[^"]{1,80})"\s*:\s*(?P<value>[^\s,{\[][^,]*?)\s*,?\s*')
_JSON_BRACKET: Final = re.compile(r'\s*(?:"[^"]*"\s*:\s*)?(?P<open>[{\[]?)[}\]]*\s*,?\s*')
_COLUMN: Final = re.compile(r"\s*\"?(?P<name>[^\W\d][\w /().%@:-]{0,79}?)\"?\s*")

# Numbers, blanks, and the letters of nan, inf, null and None: padding and missing values are ordinary.
_ROW: Final = re.compile(rb"[-+0-9.eE, \t\"naifytulNIo]*[0-9][-+0-9.eE, \t\"naifytulNIo]*")


def opens(line: str) -> Block | None:
    """The block that begins with ``line``, with nothing in it yet, or None."""
    if line.strip() == "{":
        return Block(BlockKind.JSON)
    row = _TABLE_ROW.fullmatch(line)
    return Block(BlockKind.TABLE) if row and row["key"] else None


def take(block: Block, line: str) -> tuple[Block | None, tuple[tuple[str, str], ...] | None]:
    """Add ``line`` to ``block``.

    Returns: the block that goes on (None: ``line`` is no part of it, and still to be read), and the finished items of a
    record that ended here (None: none did).
    """
    if block.kind is BlockKind.TABLE:
        row = _TABLE_ROW.fullmatch(line)
        if row:
            return _with_item(block, row["key"], row["value"]), None
        return (Block(BlockKind.TABLE) if _TABLE_RULE.fullmatch(line) else None), block.items
    item = _JSON_ITEM.fullmatch(line)
    if item:
        return _with_item(block, item["key"], item["value"]), None
    bracket = _JSON_BRACKET.fullmatch(line)
    if bracket and line.strip():
        return Block(BlockKind.JSON), block.items
    return None, block.items


@lru_cache(maxsize=256)
def columns_of(keys: tuple[str, ...]) -> Plan:
    """Which of the values under ``keys`` mean what; ``keys`` are compared in any case."""
    found = dict.fromkeys(("epoch", "epochs", "step", "steps"), -1)
    metrics: list[MetricAt] = []
    best_step = 0
    for index, key in enumerate(keys):
        word = key.lower()
        if TOTAL_EPOCHS.fullmatch(word):
            found["epochs"] = index
        elif TOTAL_STEPS.fullmatch(word):
            found["steps"] = index
        elif word in EPOCH_WORDS:
            found["epoch"] = index
        elif STEP_WORDS.get(word, 0) > best_step:
            best_step, found["step"] = STEP_WORDS[word], index
        elif word not in STEP_WORDS and meaning(key):
            metrics.append(MetricAt(key, index))
    if keys and keys[0] == SPACED and found["epoch"] == 1 and found["epochs"] < 0:
        found["epochs"] = len(keys)
    return Plan(tuple(metrics), found["epoch"], found["epochs"], found["step"], found["steps"], is_row=True)


def header_of(line: str) -> tuple[str, ...]:
    """Column names, where ``line`` is the head of a CSV with metrics in it; else empty. Names lose their padding."""
    cells = line.split(",")
    if len(cells) < 2:
        return ()
    columns = [_COLUMN.fullmatch(cell) for cell in cells]
    names = tuple(column["name"] for column in columns if column)
    if len(names) != len(cells):
        return ()
    plan = columns_of(names)
    return names if plan.metrics and max(plan.step, plan.epoch) >= 0 else ()


def row_of(header: tuple[str, ...], line: bytes) -> list[bytes] | None:
    """The cells of a row of numbers under ``header``, or None where ``line`` is none."""
    if not _ROW.fullmatch(line):
        return None
    cells = line.split(b",")
    if b" " in line or b'"' in line or b"\t" in line:
        cells = [cell.strip(b' \t"') for cell in cells]
    return cells if len(cells) == len(header) else None


SPACED: Final = " "
"""The first of a header's names, where its columns are parted by blanks and not by commas."""
_SPACED_COLUMN: Final = re.compile(r"[A-Za-z#][\w /().%@:#-]{0,39}")
_BETWEEN: Final = re.compile(r"\t+ *|  +|(?<=Box\(P) +(?=R )")
_BAR_AFTER_HEAD: Final = re.compile(r":\s+[0-9]+%\|.*$")
_OF_A_TOTAL: Final = re.compile(rb"([0-9]+)/([0-9]+)")
_SPACED_ROW: Final = re.compile(rb"\s*[0-9]+(?:/[0-9]+)?\s+[-+0-9naif]")
_ROW_OF_ALL: Final = re.compile(rb"\s*all\s+[0-9]")
# What tables call their columns: spaCy's counters and scores, and the scores that Ultralytics prints of all classes.
_COLUMN_NAMES: Final = {
    "E": "epoch", "#": "step", "ENTS_F": "ents f1", "ENTS_P": "ents precision", "ENTS_R": "ents recall",
    "Class": "", "Box(P": "metrics/precision(B)", "R": "metrics/recall(B)", "mAP50": "metrics/mAP50(B)",
    "mAP50-95)": "metrics/mAP50-95(B)",
}  # fmt: skip


def spaced_header_of(line: str) -> tuple[str, ...]:
    """Column names, after `SPACED`, where ``line`` is the head of a table with columns parted by blanks; else empty.

    One column says where the run is, or the rows are for ``all`` classes after an epoch; one is a metric.
    """
    cells = _BETWEEN.split(_BAR_AFTER_HEAD.sub("", line).strip())
    if not 2 <= len(cells) <= MOST_ITEMS or not all(map(_SPACED_COLUMN.fullmatch, cells)):
        return ()
    names = tuple(_COLUMN_NAMES.get(cell, cell) for cell in cells)
    plan = columns_of(names)
    return (SPACED, *names) if plan.metrics and (max(plan.step, plan.epoch) >= 0 or cells[0] == "Class") else ()


def spaced_row_of(header: tuple[str, ...], line: bytes) -> list[bytes] | None:
    """The cells under a spaced ``header``, then the total of a counter that is printed as ``1/3``, or nothing."""
    if not (_SPACED_ROW if header[1] else _ROW_OF_ALL).match(line):
        return None
    cells = line.split(None, len(header))[: len(header) - 1]
    if len(cells) < len(header) - 1:
        return None
    total = b""
    if whole := _OF_A_TOTAL.fullmatch(cells[0]):
        cells[0], total = whole.groups()
    return [b"", *cells, total]


def _with_item(block: Block, key: str, value: str) -> Block:
    if len(block.items) >= MOST_ITEMS:
        return block
    return Block(block.kind, (*block.items, (key, value)))
