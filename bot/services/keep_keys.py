"""Keep people's public keys; the reconciler puts them on their machines."""

from dataclasses import dataclass
from typing import Final

from bot.domain.audit import AuditEntry
from bot.domain.claim import Duty
from bot.domain.keys import PublicKey
from bot.domain.people import Actor
from bot.errors import Refused
from bot.ports.clock import Clock
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

MOST_KEYS: Final = 20


@dataclass(frozen=True, slots=True)
class KeepKeys:
    """Adds and removes keys. Both take effect on live machines within a look."""

    store: Store
    wake: Wake
    clock: Clock

    def add(self, actor: Actor, line: str, fingerprint: str, comment: str) -> PublicKey:
        """Remember a key that was read and found good."""
        now = self.clock()
        key = PublicKey(actor.user, line, fingerprint, comment, now)
        with self.store.transaction() as tx:
            if len(tx.keys.of(actor.user)) >= MOST_KEYS:
                raise Refused("too-many-keys", most=MOST_KEYS)
            if not tx.keys.add(key):
                raise Refused("key-there-already", fingerprint=fingerprint)
            self._changed(tx, actor, "key-add", fingerprint)
        self.wake.wake(Duty.LEASE)
        return key

    def mine(self, actor: Actor) -> tuple[PublicKey, ...]:
        """The person's keys, in the order they were added."""
        with self.store.read() as tx:
            return tx.keys.of(actor.user)

    def remove(self, actor: Actor, which: str) -> PublicKey:
        """Forget a key, named by its number in the list or its fingerprint."""
        with self.store.transaction() as tx:
            keys = tx.keys.of(actor.user)
            key = _named(keys, which)
            if key is None:
                raise Refused("no-such-key", which=which, count=len(keys))
            tx.keys.remove(actor.user, key.fingerprint)
            self._changed(tx, actor, "key-remove", key.fingerprint)
        self.wake.wake(Duty.LEASE)
        return key

    def _changed(self, tx: Tx, actor: Actor, action: str, fingerprint: str) -> None:
        now = self.clock()
        tx.audit.add(AuditEntry(now, actor.user, action, None, {"fingerprint": fingerprint}))
        tx.leases.look_now((lease.id for lease in tx.leases.live(actor.user)), now)


def _named(keys: tuple[PublicKey, ...], which: str) -> PublicKey | None:
    if which.isdecimal():
        return keys[int(which) - 1] if 1 <= int(which) <= len(keys) else None
    bare = which.removeprefix("SHA256:")
    return next((key for key in keys if bare and key.fingerprint.removeprefix("SHA256:").startswith(bare)), None)
