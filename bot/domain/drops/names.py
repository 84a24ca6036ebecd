"""Names of dropped files on a machine: whatever a person's computer called them, one plain name within one folder."""

import unicodedata
from collections.abc import Iterator
from datetime import datetime
from typing import Final

LONGEST_BYTES: Final = 255
"""What file systems take (NAME_MAX of Linux)."""
OURS: Final = ".gpubot"
"""How names begin that gpubot and its providers keep for themselves."""
_OTHERS_AT_MOST: Final = 100


def name_on_machine(name: str, file_id: str) -> str:
    """``name`` as one component of a path: neither ``.`` nor ``..`` nor a path, nothing that cannot be seen, nothing
    that a command would take for an option, no longer than a file system takes. A leading dot is kept (``.env``)."""
    composed = unicodedata.normalize("NFC", name.encode("utf-8", "ignore").decode("utf-8"))
    plain = "".join(_plain(letter) for letter in composed).strip()
    if not plain.strip("._ "):
        return f"file-{_bare(file_id)}"
    if plain.startswith(("-", OURS)):
        plain = f"_{plain}"
    return fitted(plain)


def fitted(name: str, mark: str = "") -> str:
    """``name`` with ``mark`` before its ending, its stem cut to what a file system takes."""
    stem, ending = _parted(name)
    room = LONGEST_BYTES - len((mark + ending).encode())
    return stem.encode()[: max(1, room)].decode("utf-8", "ignore") + mark + ending


def other_names(name: str) -> Iterator[str]:
    """``train-2.py``, ``train-3.py`` …: under which it can stand beside what is there."""
    return (fitted(name, f"-{number}") for number in range(2, _OTHERS_AT_MOST))


def name_aside(name: str, at: datetime) -> str:
    """Under which what is replaced stays, beside it: ``train.before-20261130-201500.py``."""
    return fitted(name, f".before-{at:%Y%m%d-%H%M%S}")


def part_name(drop_id: str, index: int, token: int) -> str:
    """Under which it is written; no two writers ever have the same."""
    return f"{OURS}-{drop_id}-{index}-{token}.part"


def _plain(letter: str) -> str:
    if letter in "/\\":
        return "_"
    category = unicodedata.category(letter)
    if category == "Zs":
        return " "
    return "_" if category[0] in "CZ" else letter


def _parted(name: str) -> tuple[str, str]:
    """(stem, ending): ``data`` and ``.tar.gz``; a leading dot begins no ending, and a long one is none."""
    stem, dot, last = name.rpartition(".")
    if not stem.strip(".") or len(last.encode()) > 32:
        return name, ""
    bare, inner, middle = stem.rpartition(".")
    if middle.lower() == "tar" and bare.strip("."):
        return bare, f"{inner}{middle}{dot}{last}"
    return stem, f"{dot}{last}"


def _bare(file_id: str) -> str:
    return "".join(letter for letter in file_id if letter.isascii() and letter.isalnum())[:32] or "0"
