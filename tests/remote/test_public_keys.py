"""What people paste as their public key."""

import base64
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.remote.public_keys import (
    KeyWithOptions,
    MoreThanOneKey,
    NotAKey,
    PrivateKeyPasted,
    PublicKeyRefused,
    RsaTooShort,
    UnsupportedKeyType,
    read_public_key,
)
from tests.remote.servers import Key

ED25519 = Key.fresh()


def made(tmp_path: Path, *options: str) -> tuple[str, str, str]:
    """What ssh-keygen made: the public line, its fingerprint by ssh-keygen, and the private text."""
    file = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-N", "", "-C", "me@laptop", "-f", str(file), *options], check=True)
    public = file.with_suffix(".pub")
    shown = subprocess.run(["ssh-keygen", "-lf", str(public)], check=True, capture_output=True, text=True)
    return public.read_text(), shown.stdout.split()[1], file.read_text()


def blob(*fields: bytes) -> str:
    return base64.b64encode(b"".join(struct.pack(">I", len(field)) + field for field in fields)).decode()


@pytest.mark.parametrize(
    "options", [("-t", "ed25519"), ("-t", "rsa", "-b", "2048"), ("-t", "ecdsa"), ("-t", "ecdsa", "-b", "521")]
)
def test_keys_as_ssh_keygen_makes_them(tmp_path: Path, options: tuple[str, ...]) -> None:
    line, fingerprint, _ = made(tmp_path, *options)
    assert read_public_key(line) == (" ".join(line.split()[:2]), fingerprint, "me@laptop")


def test_a_security_key() -> None:
    name = "sk-ssh-ed25519@openssh.com"
    line = f"{name} {blob(name.encode(), b'k' * 32, b'ssh:')}"
    assert read_public_key(line).line == line


def test_wrapped_lines_and_trailing_blanks(tmp_path: Path) -> None:
    line, fingerprint, _ = made(tmp_path, "-t", "rsa", "-b", "2048")
    kind, encoded, comment = line.split()
    wrapped = "\r\n".join(encoded[at : at + 70] for at in range(0, len(encoded), 70))
    assert read_public_key(f"  {kind}\n{wrapped} {comment} two  \r\n\n") == (
        f"{kind} {encoded}",
        fingerprint,
        "me@laptop two",
    )


def test_a_comment_is_kept_short_and_printable() -> None:
    read = read_public_key(f"{ED25519.line} a\x1b[2Jb {'x' * 500}")
    assert read.comment.startswith("a[2Jb xxx")
    assert len(read.comment) == 100


def test_a_private_key_is_told_apart_and_not_repeated(tmp_path: Path) -> None:
    _, _, private = made(tmp_path, "-t", "ed25519")
    body = "".join(private.splitlines()[1:-1])
    for text in (private, private.replace("\n", " "), body, f"{ED25519.line}\n{private}", "PuTTY-User-Key-File-3: x"):
        with pytest.raises(PrivateKeyPasted) as caught:
            read_public_key(text)
        assert body[40:80] not in repr(caught.value) + repr(caught.value.__context__)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", NotAKey),
        ("hello", NotAKey),
        ("please add my key", NotAKey),
        ("ssh-ed25519", NotAKey),
        ("ssh-ed25519 AAAA", NotAKey),
        (ED25519.line[:-3], NotAKey),
        (ED25519.line.replace("ssh-ed25519", "ssh-rsa"), NotAKey),
        (ED25519.line + "AAAA", NotAKey),
        ("ssh-ed25519 " + "A" * 30_000, NotAKey),
        ("ssh-ed25519 ünï", NotAKey),
        (f'command="rm -rf /" {ED25519.line}', KeyWithOptions),
        (f"no-pty,restrict {ED25519.line}", KeyWithOptions),
        (f"{ED25519.line} me\n{ED25519.line} me too", MoreThanOneKey),
        ("ssh-dss AAAAB3NzaC1kc3MAAACB", UnsupportedKeyType),
        ("ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1lZDI1NTE5LWNlcnQ", UnsupportedKeyType),
    ],
)
def test_what_is_not_taken(text: str, kind: type[PublicKeyRefused]) -> None:
    with pytest.raises(PublicKeyRefused) as caught:
        read_public_key(text)
    assert type(caught.value) is kind


def test_short_rsa(tmp_path: Path) -> None:
    line, _, _ = made(tmp_path, "-t", "rsa", "-b", "1024")
    with pytest.raises(RsaTooShort) as caught:
        read_public_key(line)
    assert caught.value.bits == 1024


@given(st.text() | st.text().map(lambda text: f"ssh-ed25519 {text}") | st.text().map(ED25519.line.__add__))
def test_any_text_is_a_key_or_refused(text: str) -> None:
    try:
        read = read_public_key(text)
    except PublicKeyRefused:
        return
    assert "\n" not in read.line + read.comment
    assert read.line.startswith("ssh-ed25519 AAAA")
