"""The line about cards: model, count and memory as rented."""

import re
from collections import Counter
from typing import Final

from bot.domain.checklist import Item, Line, Verdict
from bot.domain.health.codes import Code
from bot.domain.health.expected import Expected
from bot.domain.health.nvidia_smi import Card, SmiFault, SmiReading, fatal_xids, read_smi, read_table
from bot.domain.health.output import Seen

LEAST_MEMORY_SHARE: Final = 0.9
"""Of the nominal size; drivers and error correction keep up to a twentieth to themselves."""
MOST_MEMORY_SHARE: Final = 1.15
_CODES: Final = {
    SmiFault.NO_TOOL: Code.NO_TOOL,
    SmiFault.NO_DEVICES: Code.NO_DEVICES,
    SmiFault.MISMATCH: Code.DRIVER_MISMATCH,
    SmiFault.LOST: Code.GPU_LOST,
    SmiFault.RESET: Code.GPU_RESET,
    SmiFault.NO_DRIVER: Code.NO_DRIVER,
    SmiFault.NO_OUTPUT: Code.NO_OUTPUT,
    SmiFault.FAILED: Code.SMI_FAILED,
}


def read_cards(seen: Seen) -> SmiReading:
    """What the tool said on the machine."""
    status = seen["smi_exit"]
    return read_smi(seen.text("smi"), int(status) if status.isdecimal() and len(status) < 4 else None)


def gpu(seen: Seen, expected: Expected) -> Line | None:
    """None for a machine that was rented without a card."""
    if expected.gpu_count == 0:
        return None
    if "smi" in seen.timed_out:
        return _line(Verdict.FAIL, Code.DRIVER_HANGS, "")
    if not seen["smi_exit"] and not seen.several.get("smi"):
        return _line(Verdict.UNKNOWN, Code.NOT_SEEN, "")
    reading = read_cards(seen)
    if reading.fault is not None:
        return _line(Verdict.FAIL, _CODES[reading.fault], reading.words)
    broken = () if expected.simulated_gpu else fatal_xids(seen.text("nvrm"))
    if broken:
        return _line(Verdict.FAIL, Code.XID, broken[-1])
    divided = read_table(seen.text("smi_table")).mig_devices
    return _as_rented(reading.cards, expected, f"; divided into {divided} MIG devices" if divided else "")


def is_model(name: str, key: str) -> bool:
    """Whether the tool's name for a card is that of a `GpuModel` key: ``NVIDIA A100-SXM4-80GB`` of ``a100-80``."""
    wanted = key.split("-")[0].removeprefix("rtx").lower()
    return wanted in re.split(r"[^a-z0-9]+", name.lower())


def cards_words(cards: tuple[Card, ...]) -> str:
    """``2× NVIDIA L4, 23034 MiB each``."""
    counted = Counter((card.name, card.memory_mib) for card in cards)
    parts = []
    for (name, memory_mib), count in counted.items():
        memory = "" if memory_mib is None else f", {memory_mib} MiB" + (" each" if count > 1 else "")
        parts.append(f"{count}× {name}{memory}")
    return "; ".join(parts)


def _as_rented(cards: tuple[Card, ...], expected: Expected, divided: str) -> Line:
    words = cards_words(cards) + divided
    if len(cards) < expected.gpu_count:
        return _line(Verdict.FAIL, Code.FEWER_CARDS, f"{len(cards)} of {expected.gpu_count}: {words}")
    if not all(is_model(card.name, expected.gpu) for card in cards):
        return _line(Verdict.FAIL, Code.OTHER_MODEL, words)
    sizes = [card.memory_mib / 1024 for card in cards if card.memory_mib is not None]
    if any(size < LEAST_MEMORY_SHARE * expected.gpu_memory_gib for size in sizes):
        return _line(Verdict.FAIL, Code.LESS_MEMORY, words)
    if expected.gpu_memory_gib and any(size > MOST_MEMORY_SHARE * expected.gpu_memory_gib for size in sizes):
        return _line(Verdict.WARN, Code.MORE_MEMORY, words)
    return _line(Verdict.OK, Code.SIMULATED if expected.simulated_gpu else Code.AS_RENTED, words)


def _line(verdict: Verdict, code: Code, seen: str) -> Line:
    return Line(Item.GPU, verdict, code, seen)
