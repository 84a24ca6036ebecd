"""The port to who rents machines out. The docstrings promise; one contract test holds every implementation to it."""

from typing import Protocol

from bot.domain.instance import Capabilities, Instance, InstanceRef, LaunchSpec, Listing, ReleaseOutcome
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
        """
        ...

    def get(self, ref: InstanceRef) -> Instance | None:
        """One authenticated read. None means: the vendor answered, and it is not there."""
        ...

    def list_owned(self) -> Listing:
        """Every instance of ours that exists, with the tokens they were launched with."""
        ...

    def release(self, ref: InstanceRef, clearance: Clearance) -> ReleaseOutcome:
        """End billing for ``ref``, for good. An instance that is not there is `ReleaseOutcome.GONE`, a success."""
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
