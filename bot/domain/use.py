"""Use of machines: what one look saw of it, what that amounts to, and how it went on so far."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

GPU_BUSY_PERCENT: Final = 5
"""A card below this is idle: a desktop or a driver daemon now and then takes a percent or two."""
CPU_BUSY_CORES: Final = 0.5
"""Below this a machine only breathes."""


class UseVerdict(StrEnum):
    """What one look amounts to. Could-not-look is not idle."""

    BUSY = "busy"
    IDLE = "idle"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Use:
    """What one look at a machine saw. None stands for what could not be seen."""

    gpu_percent: tuple[int | None, ...] = ()
    """Of each card; empty on a machine without one. None: the driver does not say (as under MIG)."""
    gpus_seen: bool = True
    """False: nvidia-smi failed or did not answer in time."""
    cpu_cores: float | None = None
    """How many cores' worth of work people's processes did."""
    logins: int | None = None
    """People at a terminal."""
    typed_s_ago: int | None = None
    """When the last key was pressed at any of these terminals; None where nobody is logged in."""
    jobs: int | None = None
    """Jobs of gpubot that run."""
    disk_percent: int | None = None
    """How full the data disk is."""

    @property
    def gpu_top_percent(self) -> int | None:
        """Of the busiest card; None where none says."""
        return max((percent for percent in self.gpu_percent if percent is not None), default=None)


@dataclass(frozen=True, slots=True)
class UseSample:
    """One look; ``use`` is None where the machine did not answer."""

    lease_id: str
    at: datetime
    verdict: UseVerdict
    use: Use | None


@dataclass(frozen=True, slots=True)
class Activity:
    """How one lease's machine is used: the latest look, the idle spell, and sums over the whole lease."""

    lease_id: str
    next_look_at: datetime | None = None
    looked_at: datetime | None = None
    verdict: UseVerdict = UseVerdict.UNKNOWN
    use: Use | None = None
    """What was seen last; `seen_at` says when."""
    seen_at: datetime | None = None
    idle_since: datetime | None = None
    """When the present idle spell began; None while there is none."""
    quiet_until: datetime | None = None
    """No reminders before (somebody said *keep*)."""
    busy_s: float = 0.0
    idle_s: float = 0.0
    unknown_s: float = 0.0


def verdict_of(use: Use | None, gpu_count: int, typed_within_s: float) -> UseVerdict:
    """What one look amounts to. Busy needs one sign; idle needs every sign to have been looked at."""
    if use is None:
        return UseVerdict.UNKNOWN
    top = use.gpu_top_percent
    if (
        (top is not None and top >= GPU_BUSY_PERCENT)
        or (use.cpu_cores is not None and use.cpu_cores >= CPU_BUSY_CORES)
        or bool(use.jobs)
        or (use.typed_s_ago is not None and use.typed_s_ago <= typed_within_s)
    ):
        return UseVerdict.BUSY
    cards_seen = use.gpus_seen and len(use.gpu_percent) >= gpu_count and None not in use.gpu_percent
    if not cards_seen or None in (use.cpu_cores, use.jobs, use.logins):
        return UseVerdict.UNKNOWN
    return UseVerdict.IDLE
