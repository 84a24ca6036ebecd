"""Open a home: somebody looks at their page, which is shown by its reconciler at once and kept current for a while."""

from dataclasses import dataclass

from bot.domain.claim import Duty
from bot.domain.people import Actor
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.ports.wake import Wake


@dataclass(frozen=True, slots=True)
class OpenHome:
    """Notes who looks at their home."""

    store: Store
    wake: Wake
    clock: Clock

    def __call__(self, actor: Actor, content: str) -> None:
        """``content`` is the hash of what they see there now; empty where that is nothing of ours."""
        with self.store.transaction() as tx:
            tx.homes.opened(actor.user, actor.team_id, self.clock(), content)
        self.wake.wake(Duty.HOME)

    def changed(self) -> None:
        """Something was done that a home may show: look now, not in a second."""
        self.wake.wake(Duty.HOME)

    def closed(self, user: str) -> None:
        """They may not look: what was to be published for them is not."""
        with self.store.transaction() as tx:
            tx.homes.forget(user)
