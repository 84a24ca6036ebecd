"""Bytes to lines: the half line kept, redraws parted, enormous lines cut, broken bytes survived."""

import re
from typing import Final

MOST_LINE_BYTES: Final = 16 * 1024
_ESCAPE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")
# Of tqdm, of Keras and of rich: block and box characters, or rows of one mark.
_BAR_FILL: Final = re.compile(rb"%\|[^|]*\||(?:\xe2[\x94-\x96][\x80-\xbf]){2,}|[=>.]{4,}")
# Full-width marks of East Asian logs mean what the narrow ones mean.
_NARROW: Final = str.maketrans(
    "：，％（）＝；｜　【】［］／。、＋－．０１２３４５６７８９", ":,%()=;| [][]/.,+-.0123456789"
)
_GB_WORDS: Final = ("损失", "准确率", "学习率", "训练", "验证")


def whole_lines(half: str, is_cut: bool, chunk: bytes) -> tuple[bytes | None, str, bool]:
    """The whole lines that ``chunk`` completes, parted by LF and the last one without it (None: it completes none),
    and the half line that is left with whether it was cut.

    A line ends with LF, CR or backspaces: each redraw of a bar is a line. ``half`` is Latin-1, one character a byte.
    Of a line longer than ``MOST_LINE_BYTES`` only its beginning is kept. Costs time for ``chunk`` and one half line.
    """
    if b"\0" in chunk:
        chunk = chunk.replace(b"\0", b"")
    for mark in (b"\r", b"\b"):
        if mark in chunk:
            chunk = chunk.replace(mark, b"\n")
    if is_cut:  # what follows up to the line's end is not read
        first = chunk.find(b"\n")
        chunk = chunk[first:] if first >= 0 else b""
    if half:
        chunk = half.encode("latin-1") + chunk
    lines, end, rest = chunk.rpartition(b"\n")
    is_rest_cut = len(rest) > MOST_LINE_BYTES or (is_cut and not end)
    return lines if end else None, rest[:MOST_LINE_BYTES].decode("latin-1"), is_rest_cut


def text_of(line: bytes) -> str:
    """A line as text: at most ``MOST_LINE_BYTES``, without colours and byte order mark, full-width marks narrowed."""
    if len(line) > MOST_LINE_BYTES:
        line = line[:MOST_LINE_BYTES]
    text = _decoded(line)
    if "\x1b" in text:
        text = _ESCAPE.sub("", text)
    if not text.isascii():
        text = text.lstrip("\ufeff").translate(_NARROW)
    return text


def without_fill(line: bytes) -> bytes:
    """``line`` without what fills progress bars, so that all states of a bar look alike."""
    return _BAR_FILL.sub(lambda found: b"%||" if found[0][:1] == b"%" else b" ", line)


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        pass
    try:
        text = line.decode("gb18030")
    except UnicodeDecodeError:
        text = ""
    # Almost any bytes can be read as GB 18030: a word has to show that it was meant.
    return text if any(word in text for word in _GB_WORDS) else line.decode(errors="replace")
