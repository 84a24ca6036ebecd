"""Data disks that outlive their machines: directories of their own, which machines have by a link."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bot.domain.instance import KeptDisk
from bot.providers.local.files import make_private_dir, read_json, write_json
from bot.providers.local.places import Place, Root
from bot.providers.local.state import MachineState

DISK_MICROUSD_PER_GIB_HOUR: Final = 137
"""About ten cents a GiB and month."""
_ID: Final = re.compile(r"vol-[0-9a-z]+")
_RECORD, _DATA = "disk.json", "data"


def keep_disk(root: Root, place: Place, state: MachineState) -> None:
    """Move a machine's data disk out of it, in one step. Repeatable; one that it has by a link stays where it is."""
    if place.data.is_symlink() or not place.data.exists():
        return
    disk = root.disks / state.volume_id
    make_private_dir(disk)
    record = {"id": state.volume_id, "region": state.region, "size_gib": state.disk_gib}
    write_json(disk / _RECORD, record, is_lasting=True)
    place.data.rename(disk / _DATA)


def kept_disks(root: Root, attached: Mapping[str, str]) -> tuple[KeptDisk, ...]:
    """All of them, by id; ``attached``: tokens of machines by their volume's id."""
    found = (find_disk(root, path.name, attached) for path in sorted(root.disks.iterdir()))
    return tuple(disk for disk in found if disk is not None)


def find_disk(root: Root, disk_id: str, attached: Mapping[str, str] | None = None) -> KeptDisk | None:
    """The one of that id; None where there is none, or a step that would have made it was cut short."""
    if not _ID.fullmatch(disk_id) or not data_of(root, disk_id).is_dir():
        return None
    record = read_json(root.disks / disk_id / _RECORD)
    if record is None:
        return None
    return KeptDisk(disk_id, str(record["region"]), int(record["size_gib"]), (attached or {}).get(disk_id))


def data_of(root: Root, disk_id: str) -> Path:
    """Where a disk's files are."""
    return root.disks / disk_id / _DATA


def discard_disk(root: Root, disk_id: str, new_id: str) -> None:
    """Put it into the trash. Under the stock lock."""
    (root.disks / disk_id).rename(root.trash / f"{disk_id}-{new_id}")
