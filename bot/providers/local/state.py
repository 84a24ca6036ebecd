"""What is on record about one machine, and the words for what is wanted of it."""

from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from bot.providers.local.files import read_json, write_json


class Wanted(StrEnum):
    """What the machine was last told. The two in the middle are finished by whoever sees them next."""

    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"
    RELEASING = "releasing"


@dataclass(frozen=True, slots=True)
class MachineState:
    """One machine's record. ``gpu_cards`` are the indices of real cards; empty where they are simulated."""

    id: str
    token: str
    name: str
    region: str
    offer_ref: str
    gpu: str
    gpu_count: int
    gpu_memory_gib: int
    simulated: bool
    disk_gib: int
    volume_id: str
    host_key: str
    wanted: Wanted
    boot_id: str = ""
    """Of the last start; empty before the first."""
    boot_s: float = 0.0
    mark: tuple[int, int] = (0, 0)
    """Soft and hard limit that all processes of the last start carry."""
    gone_at: float | None = None
    """Unix time at which a release is over."""
    gpu_cards: tuple[int, ...] = ()
    keeps_disk: bool = False
    """Its data disk stays when it is released."""

    def evolve(self, **changes: Any) -> "MachineState":
        """A copy with ``changes``."""
        return replace(self, **changes)


def load_state(path: Path) -> MachineState | None:
    """The record in the file; None where there is none."""
    found = read_json(path)
    if found is None:
        return None
    found["wanted"] = Wanted(found["wanted"])
    found["mark"] = (int(found["mark"][0]), int(found["mark"][1]))
    found["gpu_cards"] = tuple(found["gpu_cards"])
    return MachineState(**found)


def save_state(path: Path, state: MachineState) -> None:
    """Put the record in the file, at once."""
    write_json(path, asdict(state), is_lasting=True)
