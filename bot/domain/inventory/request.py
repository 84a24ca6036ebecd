"""What the inventory script is asked: its stdin."""

import json
from dataclasses import dataclass
from typing import Final

from bot.domain.inventory.files import KnownFiles
from bot.domain.inventory.inventory import Inventory

YOUNG_S: Final = 60.0
FILES_PER_SHARE: Final = 20_000
OUTPUT_BYTES: Final = 3 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Watch:
    """What is looked at on one machine: ``~``, the data path, paths a person added; and what is not worth it."""

    roots: tuple[str, ...]
    """Bytes that are no UTF-8 are surrogates in them."""
    skip: tuple[str, ...] = ()

    @classmethod
    def of(cls, data_path: str, added: tuple[str, ...] = (), skip: tuple[str, ...] = ()) -> "Watch":
        """Home and data path (absolute, or relative to the home; empty: there is none) and a person's own."""
        roots = ("~", *((data_path,) if data_path else ()), *added)
        return cls(tuple(dict.fromkeys(map(spelled, roots))), tuple(map(spelled, skip)))


def spelled(path: str) -> str:
    """A path as inventories spell it: absolute, or from ``~``; no slash at its end."""
    text = path if path.startswith(("/", "~/")) or path == "~" else f"~/{path}"
    return text.rstrip("/") or "/"


def inventory_request(
    watch: Watch,
    known: KnownFiles,
    *,
    within_s: float,
    again: Inventory | None = None,
    share: tuple[int, int] | None = None,
    young_s: float = YOUNG_S,
) -> bytes:
    """Stdin for a look at what is not ``known``. ``within_s``: leave the step's deadline some seconds more.

    ``again``: the inventory that a question showed, so that this one can be compared with it.
    ``share``: (k, n): list the k-th of n equal shares of the unsynced files, each with its state, for copying.
    """
    apart = None if again is None else [_text(state.path) for state in again.apart]
    return _request(watch, known.keys, within_s, young_s, {"apart": apart, "share": share, "baseline": False})


def baseline_request(watch: Watch, *, within_s: float) -> bytes:
    """Stdin for the look at hand-over: everything that is there is told, to be known from then on."""
    return _request(watch, b"", within_s, YOUNG_S, {"apart": [], "share": None, "baseline": True})


def shares(files: int) -> int:
    """In how many shares so many unsynced files are listed, copied and verified."""
    return max(1, -(-files // FILES_PER_SHARE))


def _request(watch: Watch, known: bytes, within_s: float, young_s: float, more: dict[str, object]) -> bytes:
    header = {
        "roots": watch.roots,
        "skip": watch.skip,
        "known_bytes": len(known),
        "deadline_s": within_s,
        "young_s": young_s,
        "output_bytes": OUTPUT_BYTES,
        **more,
    }
    return json.dumps(header).encode("ascii") + b"\n" + known


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
