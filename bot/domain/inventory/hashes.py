"""Hashes that a machine told of its files, each with the state that it belongs to."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.domain.inventory.files import FileState


class HashKind(StrEnum):
    """Hashes that machines can make and destinations may share."""

    MD5 = "md5"
    SHA1 = "sha1"
    SHA256 = "sha256"


class WhyNot(StrEnum):
    """Why a machine told no hash of a file."""

    GONE = "gone"
    UNREADABLE = "unreadable"
    NOT_A_FILE = "not-a-file"
    """It has become a link, pipe or folder meanwhile."""
    CHANGING = "changing"
    """It was written to while it was read, twice."""
    FAILED = "failed"
    NOT_REACHED = "not-reached"
    """There was no time left for it, or no answer."""


@dataclass(frozen=True, slots=True)
class Hashed:
    """``state`` held before and after the content was read."""

    state: FileState
    hash: str


Answers = Mapping[bytes, Hashed | WhyNot]


def hash_request(paths: Sequence[bytes], kind: HashKind, *, within_s: float) -> bytes:
    """Stdin of the hashing script. Ask for `request.FILES_PER_SHARE` files at most at once."""
    rest = b"".join(path + b"\0" for path in paths)
    header = {"kind": kind.value, "within_s": within_s, "bytes": len(rest)}
    return json.dumps(header).encode("ascii") + b"\n" + rest


def parse_hashes(text: str, paths: Sequence[bytes]) -> Answers:
    """An answer for each of ``paths``, which are those that were asked for; any text will do."""
    answers: dict[bytes, Hashed | WhyNot] = dict.fromkeys(paths, WhyNot.NOT_REACHED)
    for line in text.split("\n"):
        if not line.startswith("["):
            continue
        try:
            number, *answer = json.loads(line)
            if type(number) is int and 0 <= number < len(paths):
                answers[paths[number]] = _answer(paths[number], answer)
        except (ValueError, TypeError, RecursionError):
            continue
    return answers


def _answer(path: bytes, answer: list[Any]) -> Hashed | WhyNot:
    if len(answer) == 1:
        return WhyNot(answer[0])
    *state, digest = answer
    if len(state) != 4 or not all(type(number) is int for number in state) or not isinstance(digest, str):
        raise ValueError("not an answer")
    return Hashed(FileState(path, *state), digest)
