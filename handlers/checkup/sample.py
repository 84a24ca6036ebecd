"""A small picture for the try, made of nothing but zlib: 64 by 32 points of one colour."""

import struct
import zlib
from typing import Final

_WIDTH: Final = 64
_HEIGHT: Final = 32
_COLOUR: Final = bytes((29, 43, 54))


def png() -> bytes:
    """The picture (PNG, 8 bits a channel, no alpha)."""
    header = struct.pack(">IIBBBBB", _WIDTH, _HEIGHT, 8, 2, 0, 0, 0)
    rows = (b"\0" + _COLOUR * _WIDTH) * _HEIGHT
    parts = (_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(rows)), _chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
