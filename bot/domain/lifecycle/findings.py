"""What a step found out: values only, to be digested against the lease as it is stored by then."""

from dataclasses import dataclass

from bot.domain.checklist import Checklist
from bot.domain.instance import Instance, InstanceRef, ReleaseOutcome
from bot.domain.inventory.files import KnownFiles
from bot.domain.looks import LastLook
from bot.domain.offers import Offer


@dataclass(frozen=True, slots=True)
class Launched:
    """The vendor accepted the launch."""

    ref: InstanceRef


@dataclass(frozen=True, slots=True)
class NothingThere:
    """Cancelled, and a complete listing shows that no machine came about."""


@dataclass(frozen=True, slots=True)
class SoldOut:
    """The vendor had none of this offer."""

    offer: Offer


@dataclass(frozen=True, slots=True)
class LaunchRefused:
    """The vendor refuses for good; ``code`` is the error's."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Looked:
    """One read of the vendor, and of the machine where that was asked and possible."""

    instance: Instance | None
    gone_for_sure: bool = False
    """It was not found, and a complete listing does not hold it either."""
    checklist: Checklist | None = None
    """None: not logged in; ``login_fault`` says why, where it was tried."""
    login_fault: str = ""
    login_detail: str = ""
    host_key: str = ""
    keys_digest: str = ""
    """Digest of the authorised keys that were put on it; empty where none were."""
    baseline: KnownFiles | None = None
    """What was on it before a person first got it; None where that was not looked at, or could not be."""


@dataclass(frozen=True, slots=True)
class StopCalled:
    """The vendor accepted the stop."""


@dataclass(frozen=True, slots=True)
class StartCalled:
    """The vendor accepted the start."""


@dataclass(frozen=True, slots=True)
class StartSoldOut:
    """Its GPU was given away meanwhile."""


@dataclass(frozen=True, slots=True)
class ReleaseCalled:
    """The vendor's answer to the release."""

    outcome: ReleaseOutcome


@dataclass(frozen=True, slots=True)
class Fenced:
    """Its doors are closed, and what the last look saw is ``look``."""

    look: LastLook


@dataclass(frozen=True, slots=True)
class Trouble:
    """The step failed in a way that may pass. ``code`` is the error's; ``wait_s`` the vendor's wish, if any."""

    code: str
    detail: str
    wait_s: float | None = None


Finding = (
    Launched
    | NothingThere
    | SoldOut
    | LaunchRefused
    | Looked
    | StopCalled
    | StartCalled
    | StartSoldOut
    | ReleaseCalled
    | Fenced
    | Trouble
)
