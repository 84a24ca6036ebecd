"""Welcome: a channel that the bot was brought into is greeted once."""

from dataclasses import dataclass

from bot.ports.clock import Clock
from bot.ports.store import Store


@dataclass(frozen=True, slots=True)
class Welcome:
    """Remembers which channels were greeted."""

    store: Store
    clock: Clock

    def is_due(self, channel: str) -> bool:
        """True once per channel, whoever asks and however often: better no greeting than two."""
        with self.store.transaction() as tx:
            return tx.greetings.first_time(channel, self.clock())
