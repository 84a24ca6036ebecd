"""The simulated cards of one machine, and how busy its real processes make them."""

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

from bot.providers.local.smi.use import Use
from bot.providers.local.state import MachineState

DRIVER = "580.95.05"
CUDA = "13.0"
_BUSY_PERCENT = 98
_MEMORY_KEPT = 0.97
_IDLE_MIB = 4


class Model(NamedTuple):
    """What the real tool says about a model."""

    name: str
    memory_mib: int
    compute_capability: str
    idle_w: float
    limit_w: float


MODELS = {
    "t4": Model("Tesla T4", 15360, "7.5", 9, 70),
    "l4": Model("L4", 23034, "8.9", 12, 72),
    "a10": Model("A10", 23028, "8.6", 16, 150),
    "a10g": Model("A10G", 23028, "8.6", 16, 300),
    "a6000": Model("RTX A6000", 49140, "8.6", 22, 300),
    "l40s": Model("L40S", 46068, "8.9", 33, 350),
    "a100-40": Model("A100-SXM4-40GB", 40960, "8.0", 45, 400),
    "a100-80": Model("A100-SXM4-80GB", 81920, "8.0", 60, 400),
    "h100": Model("H100 80GB HBM3", 81559, "9.0", 68, 700),
    "h200": Model("H200", 143771, "9.0", 75, 700),
    "b200": Model("B200", 183359, "10.0", 140, 1000),
    "rtx3090": Model("GeForce RTX 3090", 24576, "8.6", 20, 350),
    "rtx4090": Model("GeForce RTX 4090", 24564, "8.9", 18, 450),
    "rtx5090": Model("GeForce RTX 5090", 32607, "12.0", 22, 575),
    "gh200": Model("GH200 96GB", 97871, "9.0", 80, 700),
}


@dataclass(frozen=True, slots=True)
class Card:
    """One card as it is now. ``busy`` is the share of it in use, 0 to 1; memory in MiB."""

    index: int
    count: int
    model: Model
    uuid: str
    busy: float
    used_mib: int

    @property
    def name(self) -> str:
        return f"Simulated NVIDIA {self.model.name}"

    @property
    def percent(self) -> int:
        return round(self.busy * _BUSY_PERCENT)

    @property
    def free_mib(self) -> int:
        return self.model.memory_mib - self.used_mib

    @property
    def celsius(self) -> int:
        return 31 + round(38 * self.busy)

    @property
    def power_w(self) -> float:
        return self.model.idle_w + (0.92 * self.model.limit_w - self.model.idle_w) * self.busy

    @property
    def bus_id(self) -> str:
        return f"00000000:{self.index + 1:02X}:00.0"


def cards_of(state: MachineState, use: Use) -> list[Card]:
    """The machine's cards: one core of its processes keeps one card busy, their memory is the card's memory."""
    model = MODELS.get(state.gpu) or Model(state.gpu.upper(), state.gpu_memory_gib * 1024, "8.0", 30, 300)
    cards = []
    for index in range(state.gpu_count):
        busy = min(1.0, max(0.0, use.cores - index))
        wanted_mib = _IDLE_MIB + (use.memory_mib // state.gpu_count if busy else 0)
        used_mib = min(wanted_mib, int(model.memory_mib * _MEMORY_KEPT))
        digest = hashlib.sha256(f"{state.id}/{index}".encode()).hexdigest()
        uuid = "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32]))
        cards.append(Card(index, state.gpu_count, model, f"GPU-{uuid}", busy, used_mib))
    return cards
