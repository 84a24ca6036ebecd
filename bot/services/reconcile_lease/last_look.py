"""The last look before a release: doors closed for people, named jobs ended, then the inventory once more."""

from dataclasses import dataclass

from bot.domain.inventory.files import KnownFiles
from bot.domain.inventory.inventory import Inventory
from bot.domain.lease import Lease
from bot.domain.looks import LastLook
from bot.domain.on_disk import Familiar, OnDisk
from bot.ports.clock import Clock
from bot.ports.faults import FaultPoint, Faults
from bot.ports.running_jobs import RunningJobs
from bot.ports.surveyor import Surveyor


@dataclass(frozen=True, slots=True)
class TakeLastLook:
    """Fences and looks. Repeatable. Never raises what a machine did: what cannot be seen is an unknown inventory."""

    surveyor: Surveyor
    jobs: RunningJobs
    faults: Faults
    clock: Clock

    def __call__(self, lease: Lease, known: KnownFiles, shown: Inventory | None) -> LastLook:
        """``shown``: what the question showed. Only the jobs that it named are ended."""
        is_fenced = self._fence(lease, shown)
        again = shown if shown is not None and shown.told else None
        inventory = self.surveyor.inventory(lease, known, self.clock(), self.jobs.names(lease), again)
        return LastLook(inventory, is_fenced)

    def of_disk(self, lease: Lease, known: Familiar, shown: Inventory | None) -> OnDisk:
        """What is on the data disk that outlives the machine; later nothing can look at it. It goes before the look at
        what does not outlive it, which is to be as late as can be."""
        self._fence(lease, shown)
        return self.surveyor.on_disk(lease, known, self.clock())

    def _fence(self, lease: Lease, shown: Inventory | None) -> bool:
        if shown is not None and shown.jobs:
            self.jobs.end(lease, shown.jobs)
        is_fenced = self.surveyor.close_doors(lease)
        self.faults.reach(FaultPoint.RELEASE_FENCED)
        return is_fenced
