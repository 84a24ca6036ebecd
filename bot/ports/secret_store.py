"""The port to what is stored of people's secrets."""

from typing import Protocol

from bot.domain.kept_secret import KeptSecret


class SecretStore(Protocol):
    """People's secrets, sealed."""

    def put(self, secret: KeptSecret) -> None:
        """Keep it, in place of an older one of that person and name."""
        ...

    def of(self, owner: str) -> tuple[KeptSecret, ...]:
        """A person's, by name."""
        ...

    def remove(self, owner: str, name: str) -> bool:
        """Forget it; False where there is none."""
        ...
