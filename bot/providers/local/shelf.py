"""What there is to rent right now: the price list less what the machines hold."""

from collections.abc import Callable, Mapping

from bot.domain.offers import Offer
from bot.errors import BadRequest, NoCapacity
from bot.providers.local.catalogue import simulated_offers, sold_out
from bot.providers.local.host_gpu import HostGpu, find_host_gpus, free_cards, host_offers
from bot.providers.local.misbehave import Switches
from bot.providers.local.state import MachineState


class Shelf:
    """Simulated cards and real ones. Who takes from it holds the stock lock until the machine is on record."""

    def __init__(
        self,
        provider: str,
        cards: Mapping[str, int],
        host_gpus: tuple[HostGpu, ...] | None,
        machines: Callable[[], list[MachineState]],
    ) -> None:
        self._provider, self._cards, self._host_gpus, self._machines = provider, cards, host_gpus, machines

    def offers(self, switches: Switches) -> tuple[Offer, ...]:
        """Everything on the list, also what is sold out."""
        machines = self._machines()
        offers = simulated_offers(self._provider, self._cards, machines)
        offers += host_offers(self._provider, self._real_cards(), machines)
        return tuple(sold_out(offer, switches.no_capacity) for offer in offers)

    def offer(self, region: str, ref: str, switches: Switches) -> Offer:
        """The one offer.

        Raises:
            BadRequest: it is not on the list.
        """
        for offer in self.offers(switches):
            if (offer.region, offer.ref) == (region, ref):
                return offer
        raise BadRequest(f"no offer {region}/{ref}")

    def take(self, offer: Offer) -> tuple[int, ...]:
        """The indices of real cards for it; none for a simulated one.

        Raises:
            NoCapacity: none are left.
        """
        if not offer.stock:
            raise NoCapacity(offer.ref)
        if offer.simulated:
            return ()
        free = [card.index for card in free_cards(self._real_cards(), self._machines()) if card.gpu == offer.gpu]
        return tuple(free[: offer.gpu_count])

    def _real_cards(self) -> tuple[HostGpu, ...]:
        if self._host_gpus is None:
            self._host_gpus = find_host_gpus()
        return self._host_gpus
