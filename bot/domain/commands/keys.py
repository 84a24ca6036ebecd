"""``key``: a person's own public keys."""

import base64
import binascii
import re
from dataclasses import dataclass

from bot.domain.commands.arguments import ParseContext
from bot.domain.commands.refusal import RefusalCode, refused
from bot.domain.commands.text import Line
from bot.domain.commands.verbs import Verb, nearest


@dataclass(frozen=True, slots=True)
class KeyAdd:
    """``public_key`` is one line: type, base64 and perhaps a comment; whole as far as its lengths say."""

    public_key: str


@dataclass(frozen=True, slots=True)
class KeyList:
    """Show the asker's keys."""


@dataclass(frozen=True, slots=True)
class KeyRemove:
    """Remove a key by its ``number`` in the list or its ``fingerprint`` (``SHA256:…``); one is set."""

    number: int | None = None
    fingerprint: str | None = None


_ADD = "key add ssh-ed25519 AAAA… you@laptop"
_ACTIONS = ("add", "list", "remove")
_TYPES = frozenset(
    {
        "ssh-ed25519",
        "ssh-rsa",
        "ecdsa-sha2-nistp256",
        "ecdsa-sha2-nistp384",
        "ecdsa-sha2-nistp521",
        "sk-ssh-ed25519@openssh.com",
        "sk-ecdsa-sha2-nistp256@openssh.com",
    }
)
_FINGERPRINT = re.compile(r"(?i:sha256):([A-Za-z0-9+/]{43})=?")
_MOST_CHARS = 8_000
_MOST_FIELDS = 6


def parse_key(line: Line, _context: ParseContext) -> KeyAdd | KeyList | KeyRemove:
    """``key list``, ``key add ssh-ed25519 AAAA… me@laptop``, ``key remove 2``, ``key remove SHA256:…``."""
    text = line.plain
    if "PRIVATE KEY" in text:
        raise refused(RefusalCode.PRIVATE_KEY, Verb.KEY, suggestion=_ADD)
    action, rest = (*text.split(maxsplit=1), "", "")[:2]
    match action.lower():
        case "list" | "" if not rest:
            return KeyList()
        case "add":
            return KeyAdd(_read_public_key(rest))
        case "remove":
            return _read_choice(rest.strip())
        case "list":
            raise refused(RefusalCode.EXTRA_WORD, Verb.KEY, rest)
    suggestion = _ADD if action in _TYPES else ""
    raise refused(
        RefusalCode.UNKNOWN_ACTION, Verb.KEY, action, nearest=nearest(action, _ACTIONS), suggestion=suggestion
    )


def _read_public_key(text: str) -> str:
    # Joined by single spaces: a line end in an authorized_keys file would begin a second key.
    words = text.split()
    if not words:
        raise refused(RefusalCode.MISSING_KEY, Verb.KEY, suggestion=_ADD)
    key_type = words[0]
    if key_type not in _TYPES or len(words) < 2 or len(text) > _MOST_CHARS:
        raise refused(RefusalCode.BAD_KEY, Verb.KEY, key_type, suggestion=_ADD)
    if not _is_whole(words[1], key_type):
        raise refused(RefusalCode.BAD_KEY, Verb.KEY, words[1][-12:], suggestion=_ADD)
    return " ".join(words)


def _is_whole(encoded: str, key_type: str) -> bool:
    """Whether the base64 holds this type and ends where its last field does: a paste is easily cut short."""
    try:
        blob = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return False
    fields: list[bytes] = []
    while blob and len(fields) < _MOST_FIELDS:
        length = int.from_bytes(blob[:4], "big")
        fields.append(blob[4 : 4 + length])
        if len(blob) < 4 or len(fields[-1]) < length:
            return False
        blob = blob[4 + length :]
    return not blob and len(fields) > 1 and fields[0] == key_type.encode()


def _read_choice(text: str) -> KeyRemove:
    if re.fullmatch("#?[0-9]{1,4}", text):
        return KeyRemove(number=int(text.lstrip("#")))
    if found := _FINGERPRINT.fullmatch(text):
        return KeyRemove(fingerprint=f"SHA256:{found[1]}")
    raise refused(RefusalCode.BAD_KEY_CHOICE, Verb.KEY, text)
