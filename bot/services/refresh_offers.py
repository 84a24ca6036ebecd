"""Refresh the cached price lists, so that no command waits for a vendor."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog

from bot.domain.claim import Claim, Duty
from bot.errors import ProviderError
from bot.ports.clock import Clock
from bot.ports.provider import Provider
from bot.ports.store import Store

log = structlog.get_logger()
INBOX_LIFE: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class RefreshOffers:
    """Reconciler of `Duty.OFFERS`; a thing is a provider's name."""

    store: Store
    clock: Clock
    providers: Mapping[str, Provider]
    duty: Duty = Duty.OFFERS

    def due(self) -> tuple[str, ...]:
        """Every provider, each round."""
        return tuple(self.providers)

    def step(self, claim: Claim) -> bool:
        """Read one list and store it; a failure is stored beside the older list. Never again at once."""
        thing = claim.thing
        try:
            offers = self.providers[thing].offers()
        except ProviderError as error:
            log.warning("offers.unread", provider=thing, code=error.code)
            with self.store.transaction() as tx:
                tx.offers.failed(thing, error.code)
            return False
        now = self.clock()
        with self.store.transaction() as tx:
            tx.offers.replace(thing, offers, now)
            tx.inbox.forget_before(now - INBOX_LIFE)
        return False
