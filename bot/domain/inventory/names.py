"""Names as people type them: what they were shown is read back to the very bytes."""

import re
from typing import Final

from bot.domain.inventory.request import spelled

_SHORT: Final = {"n": b"\n", "r": b"\r", "t": b"\t", "\\": b"\\"}
_ESCAPE: Final = re.compile(r"\\(?:([nrt\\])|x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")


def read_name(text: str) -> bytes:
    r"""The bytes of a path that was typed, or copied from where it was shown: there ``\n``, ``\xff`` and ``\u202e``
    stand for what cannot be seen, and ``\\`` for a backslash. Whatever else is typed stands for itself."""
    parts: list[bytes] = []
    end = 0
    for escape in _ESCAPE.finditer(text):
        parts += (_raw(text[end : escape.start()]), _meant(escape))
        end = escape.end()
    return b"".join([*parts, _raw(text[end:])])


def path_of(text: str) -> bytes:
    """A typed path as inventories spell it: ``out``, ``./out`` and ``~/out`` are below the login home."""
    bare = read_name(text).removeprefix(b"./")
    return spelled(bare.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _meant(escape: re.Match[str]) -> bytes:
    short, byte, *wide = escape.groups()
    if short:
        return _SHORT[short]
    try:
        return bytes([int(byte, 16)]) if byte else chr(int(wide[0] or wide[1], 16)).encode()
    except (ValueError, UnicodeEncodeError):
        return _raw(escape[0])


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
