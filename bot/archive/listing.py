"""Hashes by file name from what rclone prints; names may hold anything but NUL."""

import re
from typing import Final

SEPARATOR: Final = "//"
"""Stands between hash and name: no name and no hash holds it."""
_SPELLED: Final = re.compile("‛([‛␀-␟␡．／])|[␀-␟␡]")
_READ_BACK: Final = re.compile(rb"(?:^|(?<=\n))([0-9a-f]{32,128})  ")


def listed(output: bytes) -> dict[bytes, str]:
    """Of ``lsf --format hp``: every file that is there; an empty hash where none is told."""
    found: dict[bytes, str] = {}
    digest, *parts = output.split(SEPARATOR.encode())
    for part in parts:
        name, _, following = part.rpartition(b"\n")
        found[name] = _hash(digest)
        digest = following
    return found


def sizes(output: bytes) -> dict[bytes, int]:
    """Of ``lsf --format sp``: every file that is there, with its size in bytes."""
    found: dict[bytes, int] = {}
    size, *parts = output.split(SEPARATOR.encode())
    for part in parts:
        name, _, following = part.rpartition(b"\n")
        if size.isdigit():
            found[_decoded(name)] = int(size)
        size = following
    return found


def read_back(output: bytes) -> dict[bytes, str]:
    """Of ``hashsum --download``: those that could be read. A name that comes twice is not told from another."""
    found: dict[bytes, str] = {}
    _, *parts = _READ_BACK.split(output)
    for digest, name in zip(parts[::2], parts[1::2], strict=True):
        bare = name.removesuffix(b"\n")
        found[bare] = "" if bare in found else _hash(digest)
    return found


def _decoded(name: bytes) -> bytes:
    """Names that were not asked for one by one are told in rclone's own spelling (rclone.org, overview, encoding):
    ``␊`` for a line break, and a quote in front of what really is such a sign."""
    text = name.decode("utf-8", "surrogateescape")
    return _SPELLED.sub(_meant, text).encode("utf-8", "surrogateescape")


def _meant(sign: re.Match[str]) -> str:
    if sign[1]:
        return sign[1]
    return "\x7f" if sign[0] == "␡" else chr(ord(sign[0]) - 0x2400)


def _hash(word: bytes) -> str:
    """Words in place of a hash (ERROR, UNSUPPORTED) are none."""
    return word.decode("ascii") if re.fullmatch(rb"[0-9a-f]{32,128}", word) else ""
