"""Leases: a person's claim on one machine, its states and the moves between them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from bot.domain.checklist import Checklist
from bot.domain.instance import InstanceRef, SshAddress
from bot.domain.offers import Offer
from bot.domain.problem import Problem


class LeaseState(StrEnum):
    """Where a lease is on its way; the moves are in `MOVES`."""

    REQUESTED = "requested"
    LAUNCHING = "launching"
    BOOTING = "booting"
    CHECKING = "checking"
    READY = "ready"
    UNFIT = "unfit"
    STOPPING = "stopping"
    STOPPED = "stopped"
    STARTING = "starting"
    RELEASING = "releasing"
    RELEASE_STUCK = "release_stuck"
    RELEASED = "released"
    VANISHED = "vanished"
    FAILED = "failed"


class Want(StrEnum):
    """What people want of a machine; the reconciler brings it about."""

    RUNNING = "running"
    STOPPED = "stopped"
    RELEASED = "released"


_S = LeaseState
FENCED: Final = "fenced"
"""`Lease.keys_applied` while a machine's doors are closed: it differs from every digest, so that the next ordinary
look at a machine that is kept puts people's keys on it again."""
_ENDS: Final = frozenset({_S.RELEASED, _S.VANISHED, _S.FAILED})
_LEAVING: Final = frozenset({_S.RELEASING, _S.VANISHED})
MOVES: Final[Mapping[LeaseState, frozenset[LeaseState]]] = {
    _S.REQUESTED: frozenset({_S.LAUNCHING, _S.FAILED, _S.RELEASED}),
    _S.LAUNCHING: frozenset({_S.BOOTING, _S.UNFIT, _S.STOPPED}) | _LEAVING,
    _S.BOOTING: frozenset({_S.CHECKING, _S.UNFIT, _S.STOPPED}) | _LEAVING,
    _S.CHECKING: frozenset({_S.READY, _S.UNFIT, _S.BOOTING, _S.STOPPED}) | _LEAVING,
    _S.READY: frozenset({_S.STOPPING, _S.STOPPED, _S.CHECKING, _S.UNFIT}) | _LEAVING,
    _S.UNFIT: frozenset({_S.READY, _S.CHECKING, _S.STOPPING, _S.STOPPED}) | _LEAVING,
    _S.STOPPING: frozenset({_S.STOPPED, _S.READY, _S.UNFIT}) | _LEAVING,
    _S.STOPPED: frozenset({_S.STARTING}) | _LEAVING,
    _S.STARTING: frozenset({_S.BOOTING, _S.STOPPED, _S.UNFIT}) | _LEAVING,
    _S.RELEASING: frozenset({_S.RELEASED, _S.RELEASE_STUCK}),
    _S.RELEASE_STUCK: frozenset({_S.RELEASING, _S.RELEASED, _S.VANISHED, _S.CHECKING, _S.STOPPED}),
    _S.RELEASED: frozenset(),
    _S.VANISHED: frozenset(),
    _S.FAILED: frozenset(),
}
"""Permitted moves; what has ended stays ended."""


@dataclass(frozen=True, slots=True)
class Lease:
    """One lease; changed by `noted`, `evolve` and `moved` alone."""

    id: str
    name: str
    team_id: str
    owner: str
    channel: str
    """The channel it was asked from; its card lives there, or in the home channel where the bot may not post."""
    offer: Offer
    disk_gib: int
    length_s: int
    quote_microusd: int
    """The whole sum for the whole lease, as it was told before renting (and at each extension)."""
    requested_at: datetime
    state: LeaseState
    state_since: datetime
    want: Want = Want.RUNNING
    tried: tuple[Offer, ...] = ()
    """Offers that turned out to have no capacity."""
    spare: tuple[Offer, ...] = ()
    """Offers that may be tried next: they match and cost no more than what was quoted."""
    ref: InstanceRef | None = None
    launched_at: datetime | None = None
    """When the vendor accepted the launch; billing and the lease's clock start here."""
    boot_began_at: datetime | None = None
    """When the present boot began (launch or start): the boot limit counts from here."""
    ends_at: datetime | None = None
    handed_over_at: datetime | None = None
    """When a person first got it; None means that nobody's data can be on it."""
    released_at: datetime | None = None
    release_accepted_at: datetime | None = None
    address: SshAddress | None = None
    volume_id: str | None = None
    public_key: str = ""
    sealed_private_key: str = ""
    """The machine's own key pair; the private part encrypted at rest."""
    keys_applied: str = ""
    """Digest of the authorised keys last put on the machine."""
    checklist: Checklist | None = None
    problem: Problem | None = None
    seen_at: datetime | None = None
    """When the vendor last told us about it."""
    missing_reads: int = 0
    """Complete reads in a row that did not find it."""
    attempts: int = 0
    """Tries of the current step in a row that failed."""
    next_look_at: datetime | None = None
    disk_id: str | None = None
    """The kept disk that it was rented with, by the vendor's id; it outlives the machine."""
    keep_disk_as: str | None = None
    """The name under which its own data disk is kept at its release; None: it is deleted with the machine."""
    version: int = 0
    """Grows with each change that its card shows."""

    @property
    def is_live(self) -> bool:
        """Whether a machine may still exist (and bill)."""
        return self.state not in _ENDS

    @property
    def is_leaving(self) -> bool:
        """Whether its vendor is being told, or was told, to end it: nothing can keep it any more."""
        return self.state is LeaseState.RELEASING or self.release_accepted_at is not None

    @property
    def is_handed_over(self) -> bool:
        """Whether a person may have data on it."""
        return self.handed_over_at is not None

    @property
    def keeps_disk(self) -> bool:
        """Whether its data disk outlives it."""
        return self.disk_id is not None or self.keep_disk_as is not None

    @property
    def is_fenced(self) -> bool:
        """Its doors are closed for people, or were about to be."""
        return self.keys_applied == FENCED

    def noted(self, **changes: Any) -> "Lease":
        """A copy with ``changes`` that its card does not show (when to look next, when it was seen)."""
        return replace(self, **changes)

    def evolve(self, **changes: Any) -> "Lease":
        """A copy with ``changes``, one version further: its card is to be drawn anew."""
        return replace(self, version=self.version + 1, **changes)

    def moved(self, state: LeaseState, at: datetime, **changes: Any) -> "Lease":
        """A copy in ``state``; the same state keeps its time.

        Raises:
            ValueError: the move is not in `MOVES`; a bug of ours.
        """
        if state is self.state:
            return self.evolve(**changes)
        if state not in MOVES[self.state]:
            raise ValueError(f"lease {self.id}: no move from {self.state} to {state}")
        return self.evolve(state=state, state_since=at, attempts=0, **changes)

    def launched(self, ref: InstanceRef, at: datetime) -> "Lease":
        """The lease once the vendor has accepted the launch."""
        return self.moved(
            LeaseState.LAUNCHING,
            at,
            ref=ref,
            launched_at=at,
            boot_began_at=at,
            ends_at=at + timedelta(seconds=self.length_s),
            next_look_at=at,
            problem=None,
        )
