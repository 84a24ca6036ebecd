"""What a machine told of the files beside a job's output, as values; any text can be read."""

import base64
import binascii
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

MOST_DOCUMENT_BYTES: Final = 16 * 1024 * 1024
MOST_NAMED: Final = 1000
LATER: Final = "later"
"""There is more of it, and no room for it this time."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file below the job's directory. ``version`` is another one whenever the file was written to."""

    path: str
    size_bytes: int
    inode: str
    version: str
    changed_ago_s: float


@dataclass(frozen=True, slots=True)
class FilePiece:
    """What was told of one file that was asked for. ``content``: the bytes from ``offset_bytes`` on, of a document the
    whole or its end; None: nothing of it was sent. ``file`` None: it cannot be read (any more)."""

    path: str
    file: FoundFile | None = None
    offset_bytes: int = 0
    content: bytes | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class FilesSeen:
    """What one poll told of a job's files. ``found`` None: nobody looked for any."""

    found: tuple[FoundFile, ...] | None = None
    pieces: tuple[FilePiece, ...] = ()

    @property
    def brings_news(self) -> bool:
        """Whether anything of them is new."""
        return any(piece.content for piece in self.pieces)


NO_FILES: Final = FilesSeen()


def read_files(line: Mapping[str, Any]) -> FilesSeen:
    """The part of a job's status that is about files; what is no such thing is passed over."""
    listed, pieces = line.get("files"), line.get("pieces")
    found = [_found(one) for one in listed[:MOST_NAMED]] if isinstance(listed, list) else None
    return FilesSeen(
        None if found is None else tuple(one for one in found if one is not None),
        tuple(piece for one in pieces if (piece := _piece(one)) is not None) if isinstance(pieces, list) else (),
    )


def _found(told: object) -> FoundFile | None:
    if not isinstance(told, dict):
        return None
    path, size, ago_s = told.get("path"), told.get("size"), told.get("changed_ago_s")
    inode, version = told.get("inode"), told.get("version")
    if not (isinstance(path, str) and path and isinstance(inode, str) and isinstance(version, str)):
        return None
    if not isinstance(size, int) or not 0 <= size < 2**63:
        return None
    is_time = isinstance(ago_s, int | float) and isfinite(ago_s)
    return FoundFile(path, size, inode, version, min(max(0.0, float(ago_s or 0)), 1e9) if is_time else 0.0)


def _piece(told: object) -> FilePiece | None:
    if not isinstance(told, dict) or not isinstance(told.get("path"), str):
        return None
    path, offset, trouble = told["path"], told.get("offset"), told.get("trouble")
    if told.get("gone") is True:
        return FilePiece(path)
    return FilePiece(
        path,
        _found(told),
        offset if isinstance(offset, int) and offset >= 0 else 0,
        _document(told["document"]) if "document" in told else _bytes(told.get("output")),
        trouble if isinstance(trouble, str) else "",
    )


def _bytes(text: object) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True) if isinstance(text, str) else None
    except (binascii.Error, ValueError):
        return None


def _document(text: object) -> bytes | None:
    packed = _bytes(text)
    if packed is None:
        return None
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(packed, MOST_DOCUMENT_BYTES)
    except zlib.error:
        return None
    return content if unpacker.eof else None
