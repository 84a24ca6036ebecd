"""Keep secrets: people's tokens for their jobs, sealed before they are stored; their values are never told again."""

from dataclasses import dataclass
from typing import Final

from bot.domain.audit import AuditEntry
from bot.domain.kept_secret import KeptSecret
from bot.domain.near import near
from bot.domain.people import Actor
from bot.domain.redaction import LEAST_CHARS, MOST_CHARS
from bot.domain.secret import Secret
from bot.errors import Refused
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.ports.vault import Vault

MOST_SECRETS: Final = 50


@dataclass(frozen=True, slots=True)
class KeepSecrets:
    """Each person's own; nobody reads another's. Raises `Refused` with a reason for whatever it does not do."""

    store: Store
    vault: Vault
    clock: Clock

    def set(self, actor: Actor, name: str, value: Secret) -> None:
        """Keep a value under ``name``, in place of an older one."""
        text = value.reveal().strip("\r\n")
        if not len(text.strip()) >= LEAST_CHARS or len(text) > MOST_CHARS or "\0" in text:
            raise Refused("bad-secret", least=LEAST_CHARS, most=MOST_CHARS)
        sealed, now = self.vault.seal(Secret(text)), self.clock()
        with self.store.transaction() as tx:
            mine = {kept.name for kept in tx.secrets.of(actor.user)}
            if name not in mine and len(mine) >= MOST_SECRETS:
                raise Refused("too-many-secrets", most=MOST_SECRETS)
            tx.secrets.put(KeptSecret(actor.user, name, sealed, now))
            tx.audit.add(AuditEntry(now, actor.user, "secret-set", None, {"name": name}))

    def mine(self, actor: Actor) -> tuple[KeptSecret, ...]:
        """A person's own, by name."""
        with self.store.read() as tx:
            return tx.secrets.of(actor.user)

    def remove(self, actor: Actor, name: str) -> None:
        """Forget one. Jobs that have it already keep it until they end."""
        now = self.clock()
        with self.store.transaction() as tx:
            if not tx.secrets.remove(actor.user, name):
                known = [kept.name for kept in tx.secrets.of(actor.user)]
                raise Refused("no-such-secret", names=(name,), near=near(name, known))
            tx.audit.add(AuditEntry(now, actor.user, "secret-removed", None, {"name": name}))
