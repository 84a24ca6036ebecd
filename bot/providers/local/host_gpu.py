"""The host's own NVIDIA cards, where it has some: offered as what they are, for nothing."""

import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass

from bot.domain.gpus import MODELS
from bot.domain.offers import Offer
from bot.providers.local.catalogue import holds_gpu
from bot.providers.local.state import MachineState

HOST_REGION = "here-1"
_QUERY = ("--query-gpu=index,name,memory.total", "--format=csv,noheader,nounits")
_DISK_GIB = 16_000
_A100_40_MIB = 50_000


@dataclass(frozen=True, slots=True)
class HostGpu:
    """One real card; ``gpu`` is its model's key."""

    index: int
    gpu: str


def find_host_gpus(timeout_s: float = 10.0) -> tuple[HostGpu, ...]:
    """The cards that the host's nvidia-smi lists and that we have a name for; none without the tool."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return ()
    try:
        answer = subprocess.run([tool, *_QUERY], capture_output=True, text=True, timeout=timeout_s, check=True)
    except (OSError, subprocess.SubprocessError):
        return ()
    found = []
    for line in answer.stdout.splitlines():
        words = [word.strip() for word in line.split(",")]
        if len(words) == 3 and words[0].isdigit() and words[2].isdigit():
            key = model_key(words[1], int(words[2]))
            if key is not None:
                found.append(HostGpu(int(words[0]), key))
    return tuple(found)


def model_key(name: str, memory_mib: int) -> str | None:
    """Our key for a card as NVIDIA's tool names it (``NVIDIA A100-SXM4-80GB``); None for one we do not know."""
    words = re.split(r"[^a-z0-9]+", name.lower())
    if "a100" in words:
        return "a100-40" if memory_mib < _A100_40_MIB else "a100-80"
    glued = "".join(words)
    known = [key for key in MODELS if key in words or (key.startswith("rtx") and glued.endswith(key))]
    return max(known, key=len, default=None)


def free_cards(cards: Iterable[HostGpu], machines: Iterable[MachineState]) -> list[HostGpu]:
    """Those that no machine holds."""
    held = {index for machine in machines if holds_gpu(machine) for index in machine.gpu_cards}
    return [card for card in cards if card.index not in held]


def host_offers(provider: str, cards: tuple[HostGpu, ...], machines: Iterable[MachineState]) -> list[Offer]:
    """One card of each model, and all of a model where there are several."""
    free = free_cards(cards, machines)
    offers = []
    for gpu in sorted({card.gpu for card in cards}):
        total = sum(card.gpu == gpu for card in cards)
        left = sum(card.gpu == gpu for card in free)
        for count in sorted({1, total}):
            offers.append(
                Offer(
                    provider=provider,
                    region=HOST_REGION,
                    ref=f"host-{gpu}" if count == 1 else f"host-{gpu}x{count}",
                    gpu=gpu,
                    gpu_count=count,
                    gpu_memory_gib=MODELS[gpu].memory_gib,
                    disk_gib=_DISK_GIB,
                    price_microusd_per_hour=0,
                    stopped_microusd_per_hour=0,
                    stock=left // count,
                    simulated=False,
                )
            )
    return offers
