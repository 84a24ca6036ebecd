"""What ``nvidia-smi`` prints, and what the kernel's log says about cards."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

COMMAND_NOT_FOUND: Final = 127
FATAL_XIDS: Final = frozenset({48, 74, 79, 95, 119, 120})
"""Errors after which the card or the machine has to be reset (NVIDIA's XID catalogue)."""
_FIELDS: Final = 7
_XID: Final = re.compile(r"NVRM: Xid \([^)]*\): (\d+)")


class SmiFault(StrEnum):
    """Why the output is not that of a healthy machine."""

    NO_TOOL = "no-tool"
    NO_DEVICES = "no-devices"
    MISMATCH = "driver-mismatch"
    LOST = "gpu-lost"
    RESET = "gpu-reset"
    NO_DRIVER = "no-driver"
    NO_OUTPUT = "no-output"
    FAILED = "smi-failed"


_PHRASES: Final = (
    ("command not found", SmiFault.NO_TOOL),
    ("driver/library version mismatch", SmiFault.MISMATCH),
    ("no devices were found", SmiFault.NO_DEVICES),
    ("gpu is lost", SmiFault.LOST),
    ("unable to determine the device handle", SmiFault.LOST),
    ("requires reset", SmiFault.RESET),
    ("couldn't communicate with the nvidia driver", SmiFault.NO_DRIVER),
    ("failed to initialize nvml", SmiFault.NO_DRIVER),
)


@dataclass(frozen=True, slots=True)
class Card:
    """One card. None stands for what the driver does not say (``[N/A]``, as under MIG)."""

    index: int
    name: str
    memory_mib: int | None
    used_mib: int | None
    percent: int | None
    celsius: int | None
    driver: str


@dataclass(frozen=True, slots=True)
class SmiReading:
    """Cards that were listed, and what is wrong. Good lines before an error do not make it healthy."""

    cards: tuple[Card, ...]
    fault: SmiFault | None
    words: str = ""
    """The tool's own, where something is wrong."""


def read_smi(text: str, exit_status: int | None) -> SmiReading:
    """The answer to ``--query-gpu=index,name,memory.total,memory.used,utilization.gpu,temperature.gpu,
    driver_version --format=csv,noheader,nounits``; ``exit_status`` is None where it is not known."""
    cards, rest = [], []
    for line in text.splitlines():
        card = _card(line)
        if card is not None:
            cards.append(card)
        if card is None or "requires reset" in line.lower() or "unknown error" in line.lower():
            rest.append(line.strip())
    words = " ".join(line for line in rest if line)
    fault = _fault(words, exit_status, bool(cards))
    return SmiReading(tuple(cards), fault, words if fault is not None else "")


def fatal_xids(kernel_log: str) -> tuple[str, ...]:
    """The lines of the kernel's log that tell of an error which only a reset or reboot mends."""
    lines = ((line, _XID.search(line)) for line in kernel_log.splitlines())
    return tuple(line.strip() for line, found in lines if found is not None and int(found[1]) in FATAL_XIDS)


@dataclass(frozen=True, slots=True)
class TableReading:
    """The page for people: how many cards and MIG devices it shows."""

    cards: int
    mig_devices: int

    @property
    def is_mig(self) -> bool:
        """Whether a card is divided."""
        return self.mig_devices > 0


def read_table(text: str) -> TableReading:
    """What ``nvidia-smi`` alone prints. An ECC column that says ``On`` is no error count."""
    whole, _, divided = text.partition("MIG devices:")
    divided = divided.partition("Processes:")[0]
    cards = re.findall(r"^\|\s+\d+\s+\S.*\|\s+[0-9A-Fa-f]{8}:[0-9A-Fa-f]{2}:", whole, re.MULTILINE)
    devices = re.findall(r"^\|\s+\d+\s+\d+\s+\d+\s+\d+\s+\|", divided, re.MULTILINE)
    return TableReading(len(cards), len(devices))


def _fault(words: str, exit_status: int | None, any_card: bool) -> SmiFault | None:
    lowered = words.lower()
    for phrase, fault in _PHRASES:
        if phrase in lowered:
            return fault
    if exit_status == COMMAND_NOT_FOUND:
        return SmiFault.NO_TOOL
    if exit_status not in (None, 0) or words:
        return SmiFault.FAILED
    return None if any_card else SmiFault.NO_OUTPUT


def _card(line: str) -> Card | None:
    fields = [field.strip() for field in line.split(",")]
    if len(fields) != _FIELDS or not fields[0].isdecimal() or len(fields[0]) > 3:
        return None
    index, name, memory, used, percent, celsius, driver = fields
    return Card(int(index), name, _number(memory), _number(used), _number(percent), _number(celsius), driver)


def _number(field: str) -> int | None:
    bare = field.split(".")[0]
    return int(bare) if bare.isdecimal() and len(bare) < 12 else None
