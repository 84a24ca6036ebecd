"""The port to who rents machines out. The docstrings promise; one contract test holds every implementation to it."""

from typing import Protocol

from bot.domain.disk_release import DiskClearance
from bot.domain.instance import Capabilities, DiskListing, Instance, InstanceRef, LaunchSpec, Listing, ReleaseOutcome
from bot.domain.offers import Offer
from bot.domain.release import Clearance


class Provider(Protocol):
    """One vendor. No method waits for a machine; each may be repeated at any time.

    Every method may raise `RateLimited`, `VendorTrouble`, `CredentialsRefused`, `NotAllowed` or `BadRequest`
    (`bot.errors`); what else it may raise stands with it. Methods are called from several threads.
    """

    @property
    def name(self) -> str:
        """The word people use for it, e.g. ``local``."""
        ...

    def capabilities(self) -> Capabilities:
        """Typed facts; no call to the vendor."""
        ...

    def offers(self) -> tuple[Offer, ...]:
        """What is on the price list now, also what is sold out."""
        ...

    def launch(self, spec: LaunchSpec) -> InstanceRef:
        """Ask for one machine and return at once; progress is read with `get`.

        Called again with the same token it returns the same machine. After an ambiguous error (`VendorTrouble`)
        the machine may exist; calling again finds it.

        Raises:
            NoCapacity: none left of this offer; nothing was made.
            QuotaExceeded: the account may not have more; nothing was made.
            NotAllowed: the disk it is to have is not there, elsewhere, or another machine's; nothing was made.
        """
        ...

    def get(self, ref: InstanceRef) -> Instance | None:
        """One authenticated read. None means: the vendor answered, and it is not there."""
        ...

    def list_owned(self) -> Listing:
        """Every instance of ours that exists, with the tokens they were launched with."""
        ...

    def release(self, ref: InstanceRef, clearance: Clearance) -> ReleaseOutcome:
        """End billing for ``ref``, for good. An instance that is not there is `ReleaseOutcome.GONE`, a success.

        A disk that it was launched with is never deleted; its own is kept under its volume's id where the clearance
        says so (`Clearance.keeps_disk`).
        """
        ...

    def disks(self) -> DiskListing:
        """Every kept disk of ours, attached or not. None where `Capabilities.keeps_disks` is False."""
        ...

    def delete_disk(self, disk_id: str, clearance: DiskClearance) -> ReleaseOutcome:
        """Delete a kept disk and end its billing, for good. One that is not there is `ReleaseOutcome.GONE`.

        Raises:
            NotAllowed: it is attached to a machine, or the clearance is another disk's or has run out.
        """
        ...

    def stop(self, ref: InstanceRef) -> None:
        """Halt it and keep its disks. Accepted is enough; progress is read with `get`.

        Raises:
            NotAllowed: this provider cannot stop (see `Capabilities.can_stop`).
        """
        ...

    def start(self, ref: InstanceRef) -> None:
        """Boot a stopped machine again; its address may change.

        Raises:
            NoCapacity: its GPU was given away meanwhile; it stays stopped.
            NotAllowed: this provider cannot start.
        """
        ...
