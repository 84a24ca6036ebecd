"""Which step of its reconciler a lease needs now."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.inventory.compare import Change
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.lifecycle.timing import Timing
from bot.domain.looks import NO_LOOKS, Looks
from bot.domain.question import Question
from bot.domain.release import Ask, Clear, Clearance, Open, TakeLastLook, Wait, decide


@dataclass(frozen=True, slots=True)
class Launch:
    """Ask the vendor for the machine (again: the token makes it one)."""


@dataclass(frozen=True, slots=True)
class Abandon:
    """Cancelled before a reference was stored: see whether a machine came about all the same."""


@dataclass(frozen=True, slots=True)
class Look:
    """Read the vendor; where ``log_in``, run the first checklist over SSH as well."""

    log_in: bool = False


@dataclass(frozen=True, slots=True)
class BeginStop:
    """Write down that it is being stopped, before the vendor is told."""


@dataclass(frozen=True, slots=True)
class BeginStart:
    """Write down that it is being started, before the vendor is told."""


@dataclass(frozen=True, slots=True)
class Stop:
    """See to it that the vendor stops it."""


@dataclass(frozen=True, slots=True)
class Start:
    """See to it that the vendor starts it."""


@dataclass(frozen=True, slots=True)
class BeginFence:
    """Write down that its doors are being closed, so that whatever happens they are opened again if it is kept."""


@dataclass(frozen=True, slots=True)
class FenceAndLook:
    """Close its doors for people, end the named jobs, and take the last inventory."""


@dataclass(frozen=True, slots=True)
class BeginRelease:
    """Write down that it is being released, before the vendor is told."""


@dataclass(frozen=True, slots=True)
class Release:
    """Tell the vendor to end it. The one step that cannot be taken back."""

    clearance: Clearance


@dataclass(frozen=True, slots=True)
class SeeGone:
    """The release was accepted: see whether it is gone."""


@dataclass(frozen=True, slots=True)
class AskAnew:
    """A release is wanted and no valid yes is there (any more)."""

    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing to do before ``until``."""

    until: datetime


Step = (
    Launch
    | Abandon
    | Look
    | BeginStop
    | BeginStart
    | Stop
    | Start
    | BeginFence
    | FenceAndLook
    | BeginRelease
    | Release
    | SeeGone
    | AskAnew
    | Rest
)

_S = LeaseState


def next_step(lease: Lease, question: Question | None, now: datetime, timing: Timing, looks: Looks = NO_LOOKS) -> Step:
    """Compare what is wanted with what is. ``question`` is the lease's latest one, ``looks`` are that one's."""
    if lease.state is _S.REQUESTED:
        return Abandon() if lease.want is Want.RELEASED else Launch()
    if lease.want is Want.RELEASED:
        leaving = _leaving(lease, question, now, timing, looks)
        if leaving is not None:
            return leaving
    match lease.state:
        case _S.LAUNCHING | _S.BOOTING | _S.CHECKING:
            return Look(log_in=True)
        case _S.UNFIT:
            return BeginStop() if lease.want is Want.STOPPED else Look(log_in=True)
        case _S.READY:
            return BeginStop() if lease.want is Want.STOPPED else Look()
        case _S.STOPPING:
            return Stop()
        case _S.STOPPED:
            return BeginStart() if lease.want is Want.RUNNING else Look()
        case _S.STARTING:
            return Start()
        case _:
            return Look()


def _leaving(lease: Lease, question: Question | None, now: datetime, timing: Timing, looks: Looks) -> Step | None:
    """The step of a release; None while its question waits and the machine goes on as before."""
    if lease.release_accepted_at is not None:
        return SeeGone()
    match decide(lease, question, now, timing.grace, looks, timing.settle):
        case Clear(clearance):
            begun = lease.state in (_S.RELEASING, _S.RELEASE_STUCK)
            return Release(clearance) if begun else BeginRelease()
        case Wait(until):
            return Rest(until)
        case TakeLastLook():
            return FenceAndLook() if lease.is_fenced else BeginFence()
        case Ask(changes):
            return AskAnew(changes)
        case Open():
            return None
