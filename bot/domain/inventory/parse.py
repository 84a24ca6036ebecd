"""What the inventory script printed, read. Any text gives an inventory; what is not whole is unknown."""

import base64
import binascii
import json
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final, TypeVar

from bot.domain.inventory.files import KEY_BYTES, FileState, KnownFiles
from bot.domain.inventory.inventory import (
    BlindSpot,
    GitTree,
    Inventory,
    LeftOut,
    ShownFile,
    Some,
    WhyBlind,
    WhyUnknown,
    unknown,
)

T = TypeVar("T")
_VERSION: Final = 1
_PIECE_LIMIT_BYTES: Final = 16 * 1024 * 1024
_FAULTS: Final = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)


def parse(text: str, *, at: datetime, jobs: tuple[str, ...] = ()) -> Inventory:
    """The inventory. ``at``: when it was asked for, by the bot's clock."""
    lines = list(_lines(text))
    end = lines[-1].get("end") if lines else None
    if end is None:
        is_old = any(str(line.get("error", "")).endswith("python3") for line in lines)
        cut = WhyUnknown.CUT_SHORT if lines else WhyUnknown.GARBLED
        return unknown(WhyUnknown.NO_PYTHON if is_old else cut, at, jobs)
    came = sum("list" in line or "known" in line for line in lines)
    return _read(end, at, jobs, cut=isinstance(end, dict) and end.get("lines") != came)


def parse_told(told: str, *, at: datetime, why_unknown: str | None, jobs: tuple[str, ...]) -> Inventory:
    """An inventory again from what was kept of it: `Inventory.told` and the fields of the same names."""
    if not told:
        return unknown(WhyUnknown(why_unknown or WhyUnknown.GARBLED), at, jobs)
    return _read(json.loads(told), at, jobs, cut=why_unknown == WhyUnknown.CUT_SHORT)


def parse_listing(text: str) -> tuple[FileState, ...]:
    """The files of the share that was asked for, as far as they were listed; those of a broken piece are missing."""
    found = (_file_state(entry) for piece in _pieces(text, "list") for entry in piece.split(b"\0") if entry)
    return tuple(state for state in found if state is not None)


def parse_baseline(text: str) -> KnownFiles:
    """What was there at hand-over; from a broken output, what could be read: the rest counts as a person's."""
    whole = (piece for piece in _pieces(text, "known") if len(piece) % KEY_BYTES == 0)
    return KnownFiles().with_keys(b"".join(whole))


def _lines(text: str) -> Iterator[dict[str, Any]]:
    for line in text.split("\n"):
        try:
            found = json.loads(line) if line.startswith("{") else None
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found


def _pieces(text: str, key: str) -> Iterator[bytes]:
    for line in _lines(text):
        packed = line.get(key)
        if not isinstance(packed, str):
            continue
        try:
            unpacking = zlib.decompressobj()
            piece = unpacking.decompress(base64.b64decode(packed, validate=True), _PIECE_LIMIT_BYTES)
        except (binascii.Error, zlib.error, ValueError):
            continue
        if unpacking.eof:
            yield piece


def _file_state(entry: bytes) -> FileState | None:
    words = entry.split(b" ", 4)
    try:
        size_bytes, mtime_ns, ctime_ns, inode = (int(word) for word in words[:4])
        return FileState(words[4], size_bytes, mtime_ns, ctime_ns, inode)
    except (ValueError, IndexError):
        return None


def _read(end: Any, at: datetime, jobs: tuple[str, ...], *, cut: bool) -> Inventory:
    try:
        if end["version"] != _VERSION:
            return unknown(WhyUnknown.GARBLED, at, jobs)
        return Inventory(
            taken_at=at,
            why_unknown=WhyUnknown.CUT_SHORT if cut or end["was_cut"] is not False else None,
            files=_number(end["files"]),
            size_bytes=_number(end["bytes"]),
            young=_number(end["young"]),
            newest=tuple(_shown(*entry) for entry in end["newest"]),
            biggest=tuple(_shown(*entry) for entry in end["biggest"]),
            open=_some(end["open"], _first_name),
            git=_some(end["trees"], _tree),
            blind=_some(end["blind"], lambda entry: BlindSpot(_name(entry[0]), WhyBlind(entry[1]))),
            left_out=tuple(LeftOut(_word(rule), *map(_number, sums)) for rule, sums in sorted(end["left_out"].items())),
            links=_some(end["links"], _first_name),
            special=_some(end["special"], _first_name),
            by_root=_some(end["by_root"], _first_name),
            unseen_processes=_number(end["unseen_processes"]),
            jobs=jobs,
            rest=f"{int(_word(end['rest']), 16):032x}",
            apart=tuple(FileState(_name(path), *map(_whole, state)) for path, *state in end["apart"]),
            home=_name(end["home"]),
            told=json.dumps(end, separators=(",", ":")),
        )
    except _FAULTS:
        return unknown(WhyUnknown.GARBLED, at, jobs)


def _some(found: Any, read: Callable[[Any], T]) -> Some[T]:
    first = tuple(read(entry) for entry in found["first"])
    return Some(max(_number(found["count"]), len(first)), first)


def _tree(entry: Any) -> GitTree:
    path, rule, is_touched, state = entry
    if not state:
        return GitTree(_name(path), _word(rule), bool(is_touched), was_seen=False)
    return GitTree(
        path=_name(path),
        rule=_word(rule),
        is_touched=bool(is_touched),
        was_seen=True,
        uncommitted=_number(state["uncommitted"]),
        unpushed=_number(state["unpushed"]),
        stashed=_number(state["stashed"]),
        has_remote=state["has_remote"] is True,
    )


def _shown(path: Any, size_bytes: Any, mtime_ns: Any) -> ShownFile:
    return ShownFile(_name(path), _number(size_bytes), _whole(mtime_ns))


def _first_name(entry: Any) -> bytes:
    return _name(entry[0])


def _name(text: Any) -> bytes:
    return _word(text).encode("utf-8", "surrogateescape")


def _word(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError("not a text")
    return text


def _whole(number: Any) -> int:
    if type(number) is not int:
        raise TypeError("not a whole number")
    return number


def _number(number: Any) -> int:
    if _whole(number) < 0:
        raise ValueError("a negative count")
    return _whole(number)
