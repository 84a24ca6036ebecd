"""Switches that make the provider and its machines misbehave, for tests and for the trial."""

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from bot.providers.local.files import locked, make_private_dir, read_json, write_json


@dataclass(frozen=True, slots=True)
class Switches:
    """What goes wrong; the defaults are: nothing. Lists are of plain texts so that the file can be typed by hand."""

    only: tuple[str, ...] = ()
    """Ids or tokens of the machines that the switches about machines apply to; empty: all."""
    no_capacity: tuple[str, ...] = ()
    """Offer refs (``h100x8``), ``region/ref``, GPU keys, or ``*``."""
    quota: bool = False
    away: bool = False
    """Every call is `VendorTrouble`, also where it would have changed nothing."""
    rate_limited_s: float | None = None
    """Every call is `RateLimited` with this wait."""
    credentials_refused: bool = False
    launch_error: bool = False
    """The machine is made, and the answer is lost: `VendorTrouble`."""
    list_first: int | None = None
    """Listings hold this many machines only and say that they are not complete."""
    unknown_state: bool = False
    """The vendor uses a word that we do not know."""
    stop_refused: bool = False
    release_refused: str = ""
    """``not-allowed`` or ``vendor-trouble``."""
    release_s: float = 0.0
    """How long a release takes."""
    boot_s: float | None = None
    """How long machines boot, instead of the provider's own figure. Read when they are started."""
    never_boots: bool = False
    ssh: str = ""
    """``refuse`` (the port is closed), ``silent`` (it is open and says nothing), ``deny`` (no key is good)."""
    dies_after_s: float | None = None
    """The whole machine ends by itself this long after it became ready; 0: now."""
    data_disk: str = ""
    """``missing``, ``unmarked``, ``other`` (another disk's mark) or ``read-only``. Read when it is started."""
    gpu: str = ""
    """What nvidia-smi does: ``missing`` (no device), ``one-short``, ``hangs`` or ``fails`` (after good lines)."""

    def hit(self, *names: str) -> bool:
        """Whether switches about machines apply to the machine with these names (its id, its token)."""
        return not self.only or any(name in self.only for name in names)

    def for_machine(self, *names: str) -> "Switches":
        """The switches as this machine feels them."""
        if self.hit(*names):
            return self
        return replace(self, **{name: getattr(_NONE, name) for name in _ABOUT_MACHINES})


_NONE = Switches()
_ABOUT_MACHINES = (
    *("unknown_state", "stop_refused", "release_refused", "release_s", "boot_s", "never_boots", "ssh"),
    *("dies_after_s", "data_disk", "gpu"),
)
_NAMES = frozenset(field.name for field in fields(Switches))
_LISTS = frozenset({"only", "no_capacity"})


class Misbehaviour:
    """The switches of one provider's root, in ``misbehave.json``; every process that looks sees the same."""

    def __init__(self, root: Path) -> None:
        self._path = root / "misbehave.json"
        self._lock = root / "misbehave.lock"

    def read(self) -> Switches:
        """As they are now. Unknown names in the file are left out."""
        return read_switches(self._path)

    def set(self, **changes: Any) -> Switches:
        """Change the named switches, keep the others.

        Raises:
            TypeError: there is no such switch.
        """
        make_private_dir(self._path.parent)
        with locked(self._lock):
            switches = replace(self.read(), **changes)
            write_json(self._path, asdict(switches))
        return switches

    def clear(self) -> None:
        """Behave again. What has ended stays ended."""
        self._path.unlink(missing_ok=True)


def read_switches(path: Path) -> Switches:
    """The switches in the file; all off where there is none."""
    found = read_json(path)
    if found is None:
        return _NONE
    known: dict[str, Any] = {name: tuple(v) if name in _LISTS else v for name, v in found.items() if name in _NAMES}
    return Switches(**known)


class Watched:
    """The switches of one machine, read again only when the file has changed."""

    def __init__(self, path: Path, *names: str) -> None:
        self._path, self._names = path, names
        self._stamp: tuple[int, int] | None = None
        self._switches = _NONE

    def now(self) -> Switches:
        """As they are now, for this machine."""
        stamp = self._look()
        if stamp != self._stamp:
            self._switches = read_switches(self._path).for_machine(*self._names)
            self._stamp = stamp
        return self._switches

    def _look(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns
