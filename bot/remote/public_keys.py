"""People's public keys, checked before they are put on a machine."""

import base64
import binascii
import hashlib
from dataclasses import dataclass
from typing import Final, NamedTuple

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_ssh_public_key

from bot.errors import GpubotError

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


class PublicKeyRefused(GpubotError):
    """A text that is not taken as somebody's public key. None of these carries the text."""

    code = "public-key"


class PrivateKeyPasted(PublicKeyRefused):
    """It is a private key, which has been shown now: it should be replaced."""

    code = "private-key"


class NotAKey(PublicKeyRefused):
    """No public key, or one that was cut or changed on the way."""

    code = "not-a-key"


class KeyWithOptions(PublicKeyRefused):
    """Something stands before the key's type: options of an authorized_keys file are not taken."""

    code = "key-options"


class MoreThanOneKey(PublicKeyRefused):
    """Several keys at once."""

    code = "more-than-one-key"


@dataclass(eq=False)
class RsaTooShort(PublicKeyRefused):
    """An RSA key of fewer than 2048 bits, which servers refuse."""

    code = "too-short-rsa"
    bits: int


@dataclass(eq=False)
class UnsupportedKeyType(PublicKeyRefused):
    """A key of a type that servers no longer take (DSA), a certificate, or one that is not known."""

    code = "unsupported-key-type"
    key_type: str


def read_public_key(text: str) -> ReadKey:
    """The one public key in ``text``; its base64 may be wrapped over lines.

    Raises:
        PublicKeyRefused: in one of its kinds.
    """
    if any(sign in text for sign in _PRIVATE_SIGNS):
        raise PrivateKeyPasted
    words = text.split() if len(text) <= _MOST_CHARACTERS else []
    if len(words) < 2:
        raise NotAKey
    if words[0] not in TYPES:
        raise _wrong_start(words)
    blob, used = _blob(words[0], words[1:])
    rest = words[1 + used :]
    if any(word in TYPES for word in rest):
        raise MoreThanOneKey
    digest = base64.b64encode(hashlib.sha256(blob).digest()).decode("ascii").rstrip("=")
    comment = "".join(letter for letter in " ".join(rest) if letter.isprintable())
    return ReadKey(
        f"{words[0]} {base64.b64encode(blob).decode('ascii')}",
        f"SHA256:{digest}",
        comment[:MAX_COMMENT_CHARACTERS],
    )


def _wrong_start(words: list[str]) -> PublicKeyRefused:
    if any(word in TYPES for word in words[1:]):
        return KeyWithOptions()
    if words[1].startswith("AAAA") and len(words[0]) <= 60 and words[0].isprintable():
        return UnsupportedKeyType(words[0])
    return NotAKey()


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
            raise RsaTooShort(key.key_size)
        return blob, used
    raise NotAKey
