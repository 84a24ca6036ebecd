"""``--query-gpu`` and ``--query-compute-apps``: fields of the real tool, as its CSV."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from bot.providers.local.smi.cards import DRIVER, Card
from bot.providers.local.smi.use import Worker

_Thing = TypeVar("_Thing")
BAD_ARGUMENT = 2
Value = tuple[str, str]
"""A value and its unit."""


def _always(text: str, unit: str) -> Callable[[Card], Value]:
    def same(_: Card) -> Value:
        return text, unit

    return same


_GPU: Mapping[str, Callable[[Card], Value]] = {
    "index": lambda card: (str(card.index), ""),
    "count": lambda card: (str(card.count), ""),
    "name": lambda card: (card.name, ""),
    "uuid": lambda card: (card.uuid, ""),
    "serial": lambda card: (f"SIM{card.index:010d}", ""),
    "timestamp": _always("[N/A]", ""),
    "driver_version": _always(DRIVER, ""),
    "vbios_version": _always("[N/A]", ""),
    "pci.bus_id": lambda card: (card.bus_id, ""),
    "pcie.link.gen.current": _always("4", ""),
    "pcie.link.width.current": _always("16", ""),
    "pstate": lambda card: ("P0" if card.busy else "P8", ""),
    "persistence_mode": _always("Enabled", ""),
    "compute_mode": _always("Default", ""),
    "compute_cap": lambda card: (card.model.compute_capability, ""),
    "mig.mode.current": _always("[N/A]", ""),
    "fan.speed": _always("[N/A]", "%"),
    "memory.total": lambda card: (str(card.model.memory_mib), "MiB"),
    "memory.reserved": _always("0", "MiB"),
    "memory.used": lambda card: (str(card.used_mib), "MiB"),
    "memory.free": lambda card: (str(card.free_mib), "MiB"),
    "utilization.gpu": lambda card: (str(card.percent), "%"),
    "utilization.memory": lambda card: (str(card.percent // 2), "%"),
    "temperature.gpu": lambda card: (str(card.celsius), ""),
    "temperature.memory": _always("[N/A]", ""),
    "power.draw": lambda card: (f"{card.power_w:.2f}", "W"),
    "power.limit": lambda card: (f"{card.model.limit_w:.2f}", "W"),
    "clocks.sm": lambda card: ("1410" if card.busy else "210", "MHz"),
    "clocks.mem": _always("1593", "MHz"),
    "clocks_throttle_reasons.active": _always("0x0000000000000000", ""),
    "clocks_event_reasons.active": _always("0x0000000000000000", ""),
    "ecc.mode.current": _always("Enabled", ""),
    "ecc.errors.corrected.volatile.total": _always("0", ""),
    "ecc.errors.uncorrected.volatile.total": _always("0", ""),
    "ecc.errors.corrected.aggregate.total": _always("0", ""),
    "ecc.errors.uncorrected.aggregate.total": _always("0", ""),
    "retired_pages.pending": _always("No", ""),
    "remapped_rows.pending": _always("No", ""),
    "remapped_rows.failure": _always("No", ""),
}
_SAME = {
    "gpu_name": "name",
    "gpu_uuid": "uuid",
    "gpu_bus_id": "pci.bus_id",
    "clocks.current.sm": "clocks.sm",
    "clocks.current.memory": "clocks.mem",
    "power.draw.instant": "power.draw",
    "power.draw.average": "power.draw",
    "enforced.power.limit": "power.limit",
}
_Row = tuple[Card, Worker]
_APP: Mapping[str, Callable[[_Row], Value]] = {
    "pid": lambda row: (str(row[1].pid), ""),
    "process_name": lambda row: (row[1].name, ""),
    "name": lambda row: (row[1].name, ""),
    "used_memory": lambda row: (str(row[1].memory_mib), "MiB"),
    "used_gpu_memory": lambda row: (str(row[1].memory_mib), "MiB"),
    "gpu_uuid": lambda row: (row[0].uuid, ""),
    "gpu_name": lambda row: (row[0].name, ""),
    "gpu_bus_id": lambda row: (row[0].bus_id, ""),
}


def query_gpu(fields: str, style: Sequence[str], cards: Sequence[Card]) -> tuple[str, int]:
    """What the tool prints, and its exit status."""
    known = {**_GPU, **{other: _GPU[name] for other, name in _SAME.items()}}
    return _csv(fields, style, known, cards)


def query_apps(fields: str, style: Sequence[str], cards: Sequence[Card], workers: Sequence[Worker]) -> tuple[str, int]:
    """The same for the processes on the cards, spread over those that are busy."""
    busy = [card for card in cards if card.busy] or list(cards)
    rows = [(busy[number % len(busy)], worker) for number, worker in enumerate(workers)] if busy else []
    return _csv(fields, style, _APP, rows)


def _csv(
    fields: str, style: Sequence[str], known: Mapping[str, Callable[[_Thing], Value]], rows: Sequence[_Thing]
) -> tuple[str, int]:
    names = [name.strip() for name in fields.split(",")]
    for name in names:
        if name not in known:
            return f'Field "{name}" is not a valid field to query.\n\n', BAD_ARGUMENT
    lines = []
    with_units = "nounits" not in style
    if rows and "noheader" not in style:
        units = [known[name](rows[0])[1] for name in names]
        heads = (f"{name} [{unit}]" if unit and with_units else name for name, unit in zip(names, units, strict=True))
        lines.append(", ".join(heads))
    for row in rows:
        lines.append(", ".join(_text(known[name](row), with_units) for name in names))
    return "".join(f"{line}\n" for line in lines), 0


def _text(value: Value, with_units: bool) -> str:
    text, unit = value
    return f"{text} {unit}" if unit and with_units and not text.startswith("[") else text
