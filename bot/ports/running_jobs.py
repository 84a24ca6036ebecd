"""The port to jobs that run on a machine that is to be released: named in the question, ended at fencing."""

from typing import Protocol

from bot.domain.lease import Lease


class RunningJobs(Protocol):
    """What runs on one lease's machine by our doing."""

    def names(self, lease: Lease, /) -> tuple[str, ...]:
        """Those that have not ended, as people call them (``amber-fox/3``)."""
        ...

    def end(self, lease: Lease, names: tuple[str, ...], /) -> None:
        """End these and wait shortly for it; best effort: whatever still writes is seen by the last look."""
        ...


class NoJobs:
    """Where no jobs are started."""

    def names(self, _lease: Lease) -> tuple[str, ...]:
        """None."""
        return ()

    def end(self, _lease: Lease, _names: tuple[str, ...]) -> None:
        """Nothing."""
