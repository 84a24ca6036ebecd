"""People's public keys, checked before they are put on a machine."""

import base64
import binascii
import hashlib
from enum import StrEnum
from typing import Final, NamedTuple

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_ssh_public_key

from bot.errors import Refused

TYPES: Final = frozenset(
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
MIN_RSA_BITS: Final = 2048
MAX_COMMENT_CHARACTERS: Final = 100
_MOST_CHARACTERS: Final = 20_000
_MOST_PIECES: Final = 64
_PRIVATE_SIGNS: Final = ("PRIVATE KEY", "PuTTY-User-Key-File", "b3BlbnNzaC1rZXktdjE", "AGE-SECRET-KEY")
"""The third is how an OpenSSH private key goes on when its first line was not copied."""


class ReadKey(NamedTuple):
    """``line`` is ``type base64``; ``fingerprint`` is OpenSSH's ``SHA256:…``; ``comment`` is printable, maybe empty."""

    line: str
    fingerprint: str
    comment: str


class KeyFault(StrEnum):
    """The reasons of `PublicKeyRefused`, and the facts that come with them."""

    PRIVATE_KEY = "private-key"
    """It is a private key, which has been shown now: it should be replaced."""
    NOT_A_KEY = "not-a-key"
    """No public key, or one that was cut or changed on the way."""
    KEY_OPTIONS = "key-options"
    """Something stands before the key's type: options of an authorized_keys file are not taken."""
    MORE_THAN_ONE_KEY = "more-than-one-key"
    TOO_SHORT_RSA = "too-short-rsa"
    """``bits``, ``least_bits``: servers refuse it."""
    UNSUPPORTED_KEY_TYPE = "unsupported-key-type"
    """``key_type``: DSA, a certificate, or one that is not known."""


class PublicKeyRefused(Refused):
    """A text that is not taken as somebody's public key; ``reason`` is a `KeyFault`. The text is not in it."""

    def __init__(self, fault: KeyFault, **facts: object) -> None:
        super().__init__(fault, **facts)


def read_public_key(text: str) -> ReadKey:
    """The one public key in ``text``; its base64 may be wrapped over lines.

    Raises:
        PublicKeyRefused: with its `KeyFault` as the reason.
    """
    if any(sign in text for sign in _PRIVATE_SIGNS):
        raise PublicKeyRefused(KeyFault.PRIVATE_KEY)
    words = text.split() if len(text) <= _MOST_CHARACTERS else []
    if len(words) < 2:
        raise PublicKeyRefused(KeyFault.NOT_A_KEY)
    if words[0] not in TYPES:
        raise _wrong_start(words)
    blob, used = _blob(words[0], words[1:])
    rest = words[1 + used :]
    if any(word in TYPES for word in rest):
        raise PublicKeyRefused(KeyFault.MORE_THAN_ONE_KEY)
    digest = base64.b64encode(hashlib.sha256(blob).digest()).decode("ascii").rstrip("=")
    comment = "".join(letter for letter in " ".join(rest) if letter.isprintable())
    return ReadKey(
        f"{words[0]} {base64.b64encode(blob).decode('ascii')}",
        f"SHA256:{digest}",
        comment[:MAX_COMMENT_CHARACTERS],
    )


def _wrong_start(words: list[str]) -> PublicKeyRefused:
    if any(word in TYPES for word in words[1:]):
        return PublicKeyRefused(KeyFault.KEY_OPTIONS)
    if words[1].startswith("AAAA") and len(words[0]) <= 60 and words[0].isprintable():
        return PublicKeyRefused(KeyFault.UNSUPPORTED_KEY_TYPE, key_type=words[0])
    return PublicKeyRefused(KeyFault.NOT_A_KEY)


def _blob(key_type: str, pieces: list[str]) -> tuple[bytes, int]:
    """The shortest run of pieces that is a whole key, and how many they are. A key says how long it is."""
    for used in range(1, min(len(pieces), _MOST_PIECES) + 1):
        encoded = "".join(pieces[:used])
        try:
            blob = base64.b64decode(encoded, validate=True)
            key = load_ssh_public_key(f"{key_type} {encoded}".encode("ascii"))
        except (binascii.Error, ValueError, UnsupportedAlgorithm):
            continue
        if isinstance(key, RSAPublicKey) and key.key_size < MIN_RSA_BITS:
            raise PublicKeyRefused(KeyFault.TOO_SHORT_RSA, bits=key.key_size, least_bits=MIN_RSA_BITS)
        return blob, used
    raise PublicKeyRefused(KeyFault.NOT_A_KEY)
