"""What ``df`` and ``/proc/mounts`` say, in any of their layouts."""

import re
from dataclasses import dataclass
from typing import Final

KIB_PER_GIB: Final = 1024 * 1024
_AMOUNT: Final = r"(?:\d+(?:\.\d+)?[KMGTPE]?|-)"
_ROW: Final = re.compile(
    rf"(?P<source>.*?)\s+{_AMOUNT}\s+{_AMOUNT}\s+(?P<free>-?\d{{1,18}}(?:\.\d+)?[KMGTPE]?|-)"
    r"\s+(?P<percent>\d{1,3}%|-)\s+(?P<mount>/.*)"
)
_UNITS: Final = {"K": 1, "M": 1024, "G": 1024**2, "T": 1024**3, "P": 1024**4, "E": 1024**5}
_MOUNT: Final = re.compile(r"\S+ (?P<mount>/\S*) (?P<kind>\S+) (?P<options>\S+) \d+ \d+")
_READ_ONLY_BY_NATURE: Final = frozenset({"squashfs", "iso9660", "udf", "erofs", "cramfs", "ramfs"})


@dataclass(frozen=True, slots=True)
class DiskRow:
    """One file system. ``free`` is in KiB, or a count where the listing is one of inodes; None where not said."""

    mount: str
    percent: int | None
    free: int | None

    @property
    def words(self) -> str:
        """``/data 41 %``."""
        return self.mount if self.percent is None else f"{self.mount} {self.percent} %"


def read_df(text: str) -> tuple[DiskRow, ...]:
    """The rows of a listing with or without its heading; a row that was broken after a long device is joined."""
    rows = []
    broken = ""
    for line in text.splitlines():
        whole = f"{broken} {line.strip()}" if broken and line[:1].isspace() else line.rstrip()
        found = _ROW.fullmatch(whole)
        broken = "" if found is not None or not line.strip() else line.strip()
        if found is not None:
            percent = found["percent"]
            rows.append(DiskRow(found["mount"], None if percent == "-" else int(percent[:-1]), _kib(found["free"])))
    return tuple(rows)


def is_full(row: DiskRow) -> bool:
    """Next to nothing is left: under 1 GiB, or the last two hundredths of what is not a large disk."""
    if row.free is not None and row.free < KIB_PER_GIB:
        return True
    return row.percent is not None and row.percent >= 98 and (row.free is None or row.free < 20 * KIB_PER_GIB)


def is_nearly_full(row: DiskRow) -> bool:
    """Worth saying."""
    return row.percent is not None and row.percent >= 90


def inodes_full(row: DiskRow) -> bool:
    """No more files can be made, or hardly any."""
    return row.percent is not None and row.percent >= 98


def read_only_mounts(text: str) -> tuple[str, ...]:
    """Mounts of ``/proc/mounts`` that are read-only and should not be; ``errors=remount-ro`` is not that."""
    found = (_MOUNT.fullmatch(line.strip()) for line in text.splitlines())
    return tuple(
        mount["mount"].replace("\\040", " ")
        for mount in found
        if mount is not None and "ro" in mount["options"].split(",") and mount["kind"] not in _READ_ONLY_BY_NATURE
    )


def _kib(amount: str) -> int | None:
    if amount == "-":
        return None
    if amount[-1] in _UNITS:
        return round(float(amount[:-1]) * _UNITS[amount[-1]])
    return round(float(amount))
