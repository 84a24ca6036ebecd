"""The price list of the simulated cloud, and how many cards it has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from bot.domain.gpus import MODELS
from bot.domain.offers import Offer
from bot.providers.local.state import MachineState, Wanted

_STOPPED_MICROUSD_PER_HOUR = 8_000
_CENT_MICROUSD = 10_000


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of machine in one region; ``cents`` are US cents an hour for the whole machine."""

    region: str
    gpu: str
    count: int
    cents: int
    disk_gib: int

    @property
    def ref(self) -> str:
        return self.gpu if self.count == 1 else f"{self.gpu}x{self.count}"


_A, _B = "here-1", "here-2"
LINES = (
    Line(_A, "cpu", 1, 4, 500),
    Line(_B, "cpu", 1, 5, 500),
    Line(_A, "t4", 1, 39, 1000),
    Line(_A, "l4", 1, 71, 1000),
    Line(_B, "l4", 1, 80, 1000),
    Line(_A, "a10", 1, 75, 1400),
    Line(_B, "a10", 1, 86, 1400),
    Line(_B, "rtx4090", 1, 69, 1000),
    Line(_B, "l40s", 1, 119, 2000),
    Line(_A, "a100-40", 1, 129, 2000),
    Line(_A, "a100-40", 2, 258, 2000),
    Line(_B, "a100-40", 1, 148, 2000),
    Line(_A, "a100-80", 1, 179, 4000),
    Line(_A, "a100-80", 2, 358, 4000),
    Line(_A, "a100-80", 4, 716, 4000),
    Line(_B, "a100-80", 1, 199, 4000),
    Line(_B, "a100-80", 8, 1592, 8000),
    Line(_A, "h100", 1, 299, 4000),
    Line(_A, "h100", 2, 598, 4000),
    Line(_B, "h100", 1, 279, 4000),
    Line(_B, "h100", 8, 2232, 16000),
    Line(_A, "h200", 1, 389, 4000),
    Line(_B, "h200", 1, 375, 4000),
    Line(_B, "h200", 8, 3000, 16000),
    Line(_A, "b200", 1, 549, 4000),
)
"""Prices are of the order that clouds ask; 2 in ``here-2`` are cheaper there so that the order shows."""

CARDS: Mapping[str, int] = {
    "cpu": 50,
    "t4": 8,
    "l4": 8,
    "a10": 8,
    "rtx4090": 4,
    "l40s": 4,
    "a100-40": 4,
    "a100-80": 8,
    "h100": 8,
    "h200": 8,
    "b200": 1,
}
"""How many cards (``cpu``: machines) each region has."""


def simulated_offers(provider: str, cards: Mapping[str, int], machines: Iterable[MachineState]) -> list[Offer]:
    """The price list with what is left beside ``machines``. ``cards``: by GPU key, or ``region/key``."""
    taken = list(machines)
    return [
        Offer(
            provider=provider,
            region=line.region,
            ref=line.ref,
            gpu=line.gpu,
            gpu_count=0 if line.gpu == "cpu" else line.count,
            gpu_memory_gib=MODELS[line.gpu].memory_gib,
            disk_gib=line.disk_gib,
            price_microusd_per_hour=line.cents * _CENT_MICROUSD,
            stopped_microusd_per_hour=_STOPPED_MICROUSD_PER_HOUR,
            stock=_left(line, cards, taken) // line.count,
            simulated=True,
        )
        for line in LINES
    ]


def _left(line: Line, cards: Mapping[str, int], machines: list[MachineState]) -> int:
    """Cards of the line's model in its region that no machine holds. All counts of a model share them."""
    all_of_them = cards.get(f"{line.region}/{line.gpu}", cards.get(line.gpu, 0))
    held = sum(
        max(1, machine.gpu_count)
        for machine in machines
        if machine.simulated and (machine.region, machine.gpu) == (line.region, line.gpu) and holds_gpu(machine)
    )
    return max(0, all_of_them - held)


def holds_gpu(machine: MachineState) -> bool:
    """Whether the machine keeps others from its GPU. A stopped one does not; one that died does."""
    return machine.wanted is Wanted.RUNNING


def sold_out(offer: Offer, names: tuple[str, ...]) -> Offer:
    """The offer, out of stock if one of ``names`` (ref, ``region/ref``, GPU key or ``*``) is meant for it."""
    if {"*", offer.gpu, offer.ref, f"{offer.region}/{offer.ref}"} & set(names):
        return replace(offer, stock=0)
    return offer
