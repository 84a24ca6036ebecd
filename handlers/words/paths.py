"""Names of files and sizes, as people can read them: nothing in a name acts, nothing of it is swallowed."""

import unicodedata
from typing import Final

from handlers.words.text import escaped

LONGEST: Final = 280
_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", "`": "\\x60"}


def path_words(path: bytes, longest: int = LONGEST) -> str:
    """A path as inline code. What cannot be seen, or would act, is shown by its number: ``\\n``, ``\\xff``,
    ``\\u202e``. Of one that is too long the end is kept, which tells files apart."""
    shown = path_shown(path)
    kept = shown if len(shown) <= longest else shown[1 - longest :]
    while len(escaped(kept)) > 2 * longest:  # each of ``<>&`` takes up to five characters
        kept = kept[len(kept) // 8 + 1 :]
    return f"`{escaped(kept)}`" if kept == shown else f"`…{escaped(kept)}`"


def path_shown(path: bytes) -> str:
    """All of a path in characters that can be seen, as in `path_words`, for a file that nothing formats."""
    return "".join(_readable(letter) for letter in path.decode("utf-8", "surrogateescape"))


def size_words(size_bytes: int) -> str:
    """``12 B``, ``3.4 kB``, ``1.2 GB``: powers of a thousand, as disks are sold."""
    size, units = float(size_bytes), ("B", "kB", "MB", "GB", "TB")
    for unit in units:
        if size < 999.5 or unit == units[-1]:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 99.5 else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError


def files_words(count: int, size_bytes: int | None = None) -> str:
    """``1 file``, ``1,204 files, 3.4 GB``."""
    counted = "1 file" if count == 1 else f"{count:,} files"
    return counted if size_bytes is None else f"{counted}, {size_words(size_bytes)}"


def _readable(letter: str) -> str:
    if letter in _SHORT:
        return _SHORT[letter]
    code = ord(letter)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if letter == " " or unicodedata.category(letter)[0] not in "CZ":
        return letter
    if code < 0x80:  # above it ``\\x`` stands for a byte that is no UTF-8
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
