"""The port `bot.ports.vault.Vault` over Fernet, and the file that holds the deployment's key."""

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from bot.domain.secret import Secret
from bot.errors import SettingsError, VaultLocked
from bot.ports.vault import KeyPair


class FernetVault:
    """Seals with the newest key, opens with any. ``key`` is one Fernet key, or several with commas, newest first.

    Raises:
        SettingsError: there is none, or one is malformed. The keys are not shown.
    """

    def __init__(self, key: Secret) -> None:
        texts = [text.strip() for text in key.reveal().split(",") if text.strip()]
        if not texts:
            raise SettingsError(("The vault key is empty: give a Fernet key, or none to have one made.",))
        fernets = []
        for number, text in enumerate(texts, start=1):
            try:
                fernets.append(Fernet(text))
            except ValueError:
                fault = f"Vault key {number} of {len(texts)} is not a Fernet key: 32 bytes in URL-safe base64."
                raise SettingsError((fault,)) from None
        self._fernet = MultiFernet(fernets)

    @staticmethod
    def generate_key() -> Secret:
        """A new key."""
        return Secret(Fernet.generate_key().decode("ascii"))

    def seal(self, secret: Secret) -> str:
        """Ciphertext that may be stored."""
        return self._fernet.encrypt(secret.reveal().encode("utf-8", "surrogatepass")).decode("ascii")

    def unseal(self, sealed: str) -> Secret:
        """The secret again.

        Raises:
            VaultLocked: it was sealed with another key, or is damaged.
        """
        try:
            return Secret(self._fernet.decrypt(sealed.encode("utf-8")).decode("utf-8", "surrogatepass"))
        except (InvalidToken, UnicodeError) as error:
            raise VaultLocked from error

    def new_key_pair(self) -> KeyPair:
        """A fresh ed25519 pair; the public line has no comment."""
        private = Ed25519PrivateKey.generate()
        public_line = private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
        pem = private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
        return KeyPair(public_line.decode("ascii"), Secret(pem.decode("ascii")))


def load_or_make_key(path: Path) -> Secret:
    """The deployment's key from its file, which is made (0600) where there is none.

    Processes that start at once get the same key: the file appears complete, and only once.

    Raises:
        SettingsError: the file can be read by others, cannot be read or made, or holds no key.
    """
    try:
        if not path.exists():
            _make(path)
        _refuse_if_readable_by_others(path)
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise SettingsError((f"The vault key file {path} cannot be used: {reason}.",)) from error
    key = Secret(text)
    try:
        FernetVault(key)
    except SettingsError:
        fault = f"The vault key file {path} holds no vault key; if nothing was sealed yet, delete it to have one made."
        raise SettingsError((fault,)) from None
    return key


def _make(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{token_hex(8)}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(FernetVault.generate_key().reveal() + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):  # another process was first: its key is the key
            os.link(unfinished, path)
        _sync_directory(path.parent)
    finally:
        unfinished.unlink()


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refuse_if_readable_by_others(path: Path) -> None:
    mode = path.stat().st_mode & 0o777
    if mode & 0o077:
        fault = f"The vault key file {path} can be used by others (mode {mode:04o}): chmod 600 {path}"
        raise SettingsError((fault,))
