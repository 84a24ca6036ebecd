"""The port to secrets at rest."""

from dataclasses import dataclass
from typing import Protocol

from bot.domain.secret import Secret


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A machine's own key pair. ``public_key`` is an OpenSSH ``type base64`` line; the private part is OpenSSH PEM."""

    public_key: str
    private_key: Secret


class Vault(Protocol):
    """Seals secrets with the deployment's key, and makes key pairs."""

    def seal(self, secret: Secret) -> str:
        """Ciphertext that may be stored."""
        ...

    def unseal(self, sealed: str) -> Secret:
        """The secret again.

        Raises:
            VaultLocked: it was sealed with another key, or is damaged.
        """
        ...

    def new_key_pair(self) -> KeyPair:
        """A fresh ed25519 pair."""
        ...
