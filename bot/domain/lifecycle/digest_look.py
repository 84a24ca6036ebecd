"""Digest a look: what the vendor says of the machine, and what the machine says of itself."""

from datetime import datetime
from typing import Final

from bot.domain.instance import Instance, InstanceState
from bot.domain.lease import MOVES, Lease, LeaseState, Want
from bot.domain.lifecycle.findings import Looked
from bot.domain.lifecycle.outcome import Outcome, event, look_again, unless_leaving, with_problem
from bot.domain.lifecycle.timing import Timing, seconds_since
from bot.domain.notice import NoticeKind
from bot.domain.problem import Problem

_S = LeaseState
READS_TO_BELIEVE: Final = 2
"""Complete reads in a row that must miss a machine before it counts as gone."""
_ARRIVING: Final = frozenset({_S.LAUNCHING, _S.BOOTING, _S.CHECKING, _S.STARTING})
UNFIT_LOOK_S: Final = 5.0


def looked(lease: Lease, found: Looked, now: datetime, timing: Timing) -> Outcome:
    """The lease after one look."""
    if found.instance is None:
        return _missing(lease, found, now, timing)
    lease = _seen(lease, found, found.instance, now)
    match found.instance.state:
        case InstanceState.UNKNOWN:
            odd = Problem("unknown-state", {"vendor_state": found.instance.vendor_state})
            return Outcome(look_again(with_problem(lease, odd), now, timing.look_s))
        case _ if lease.state in (_S.RELEASING, _S.RELEASE_STUCK):
            return _still_there(lease, found.instance, now, timing)
        case InstanceState.FAILED:
            return _vendor_failed(lease, found.instance, now, timing)
        case InstanceState.DOWN | InstanceState.STOPPED:
            return _not_running(lease, found.instance, now, timing)
        case InstanceState.RUNNING:
            return _running(lease, found, now, timing)
        case _:
            return _in_transition(lease, now, timing)


def _seen(lease: Lease, found: Looked, instance: Instance, now: datetime) -> Lease:
    lease = lease.noted(seen_at=now, missing_reads=0, attempts=0)
    if lease.problem is not None and lease.problem.code in ("not-seen", "unknown-state"):
        lease = lease.evolve(problem=None)
    address = instance.address
    if address is not None and address.host_key is None and found.host_key:
        address = type(address)(address.host, address.port, address.user, found.host_key)
    if address is not None and address.host_key is None and lease.address is not None:
        address = type(address)(address.host, address.port, address.user, lease.address.host_key)
    if address is not None and address != lease.address:
        lease = lease.evolve(address=address)
    if instance.volume_id and instance.volume_id != lease.volume_id:
        lease = lease.noted(volume_id=instance.volume_id)
    if found.keys_digest:
        lease = lease.noted(keys_applied=found.keys_digest)
    return lease


def _missing(lease: Lease, found: Looked, now: datetime, timing: Timing) -> Outcome:
    """Not found. Only complete reads count, and only after our accepted release is gone *released*."""
    if not found.gone_for_sure:
        return _not_sure(lease, now, timing)
    lease = lease.noted(missing_reads=lease.missing_reads + 1)
    if lease.missing_reads < READS_TO_BELIEVE:
        return Outcome(look_again(lease, now, timing.poll_s))
    if lease.release_accepted_at is not None:
        gone = lease.moved(_S.RELEASED, now, released_at=now, problem=None)
        return Outcome(gone, (event(gone, NoticeKind.RELEASED),))
    gone = lease.moved(_S.VANISHED, now, problem=Problem("vanished"))
    return Outcome(gone, (event(gone, NoticeKind.VANISHED),))


def _not_sure(lease: Lease, now: datetime, timing: Timing) -> Outcome:
    """Not found, but the listing that would prove it gone is incomplete."""
    if lease.state in (_S.RELEASING, _S.RELEASE_STUCK):
        return _stuck_in_time(lease, Problem("release-unproven"), now, timing)
    return Outcome(look_again(lease, now, timing.poll_s))


def _still_there(lease: Lease, instance: Instance, now: datetime, timing: Timing) -> Outcome:
    is_kept = lease.want is not Want.RELEASED and lease.release_accepted_at is None
    if lease.state is _S.RELEASE_STUCK and is_kept:
        return _kept(lease, instance, now, timing)
    return _stuck_in_time(lease, Problem("release-slow"), now, timing)


def _stuck_in_time(lease: Lease, problem: Problem, now: datetime, timing: Timing) -> Outcome:
    if lease.state is _S.RELEASE_STUCK:
        return Outcome(look_again(with_problem(lease, problem), now, timing.look_s))
    if seconds_since(lease.state_since, now) <= timing.stuck_after_s:
        return Outcome(look_again(lease, now, timing.poll_s))
    stuck = look_again(lease.moved(_S.RELEASE_STUCK, now, problem=problem), now, timing.poll_s)
    return Outcome(stuck, (event(stuck, NoticeKind.RELEASE_STUCK, rung=0),))


def _kept(lease: Lease, instance: Instance, now: datetime, timing: Timing) -> Outcome:
    """The vendor never took the release and nobody wants it any more: what is still whole goes on.

    A running one is checked first, since nobody knows how far the refused release came.
    """
    match instance.state:
        case InstanceState.RUNNING:
            kept = lease.moved(_S.CHECKING, now, checklist=None, problem=None, boot_began_at=now)
            return Outcome(look_again(kept, now, 0))
        case InstanceState.STOPPED | InstanceState.DOWN:
            return Outcome(look_again(lease.moved(_S.STOPPED, now, want=Want.STOPPED, problem=None), now, 0))
        case _:
            return Outcome(look_again(lease, now, timing.look_s))


def _vendor_failed(lease: Lease, instance: Instance, now: datetime, timing: Timing) -> Outcome:
    problem = Problem("vendor-failed", {"detail": instance.detail or instance.vendor_state})
    if lease.state is _S.UNFIT or _S.UNFIT not in MOVES[lease.state]:
        return Outcome(look_again(with_problem(lease, problem), now, timing.look_s))
    return _unfit(lease, problem, now)


def _not_running(lease: Lease, instance: Instance, now: datetime, timing: Timing) -> Outcome:
    """Stopped: as was wanted, or by itself; then it stays stopped until a person says otherwise."""
    match lease.state:
        case _S.STOPPED:
            return Outcome(look_again(lease, now, timing.look_s))
        case _S.STOPPING:
            stopped = lease.moved(_S.STOPPED, now, problem=None)
            return Outcome(look_again(stopped, now, 0), (event(stopped, NoticeKind.STOPPED),))
        case _S.STARTING if instance.state is InstanceState.STOPPED:
            return Outcome(look_again(lease, now, timing.poll_s))
        case _:
            down = lease.moved(_S.STOPPED, now, want=unless_leaving(lease, Want.STOPPED), problem=Problem("went-down"))
            return Outcome(look_again(down, now, timing.look_s), (event(down, NoticeKind.WENT_DOWN),))


def _in_transition(lease: Lease, now: datetime, timing: Timing) -> Outcome:
    if lease.state in _ARRIVING and _is_late(lease, now, timing):
        return _unfit(lease, _never_booted(lease, now), now)
    return Outcome(look_again(lease, now, timing.poll_s))


def _running(lease: Lease, found: Looked, now: datetime, timing: Timing) -> Outcome:
    match lease.state:
        case _S.READY:
            return Outcome(look_again(lease, now, timing.look_s))
        case _S.STOPPING:
            return Outcome(look_again(lease, now, timing.poll_s))
        case _S.STOPPED:
            # Somebody started it at the vendor's: it bills, so it is ours to show.
            want = unless_leaving(lease, Want.RUNNING)
            woken = lease.moved(_S.STARTING, now, want=want, boot_began_at=now, problem=None)
            return Outcome(look_again(woken, now, 0))
        case _S.LAUNCHING | _S.STARTING:
            return Outcome(look_again(lease.moved(_S.BOOTING, now), now, 0))
        case _:
            return _logging_in(lease, found, now, timing)


def _logging_in(lease: Lease, found: Looked, now: datetime, timing: Timing) -> Outcome:
    """BOOTING, CHECKING or UNFIT, and the vendor says that it runs."""
    if found.login_fault == "host-key-changed":
        return _unfit(lease, Problem("host-key-changed", {"detail": found.login_detail}), now)
    if found.checklist is None:
        return _no_login(lease, found, now, timing)
    if lease.state is _S.BOOTING:
        return Outcome(look_again(lease.moved(_S.CHECKING, now, checklist=None), now, 0))
    if not found.checklist.passed:
        if lease.checklist is None or lease.checklist.lines != found.checklist.lines:
            lease = lease.evolve(checklist=found.checklist)
        return _unfit(lease, Problem("checklist"), now)
    return _hand_over(lease.evolve(checklist=found.checklist), now)


def _hand_over(lease: Lease, now: datetime) -> Outcome:
    first = lease.handed_over_at is None
    ready = lease.moved(_S.READY, now, handed_over_at=lease.handed_over_at or now, problem=None)
    kind = NoticeKind.LEASE_READY if first else NoticeKind.STARTED
    return Outcome(look_again(ready, now, 0), (event(ready, kind),))


def _no_login(lease: Lease, found: Looked, now: datetime, timing: Timing) -> Outcome:
    if lease.state is _S.CHECKING:
        return Outcome(look_again(lease.moved(_S.BOOTING, now), now, timing.poll_s))
    if lease.state is _S.UNFIT or _is_late(lease, now, timing):
        facts = {"fault": found.login_fault, "detail": found.login_detail}
        return _unfit(lease, Problem("no-login", facts), now)
    return Outcome(look_again(lease, now, timing.poll_s))


def _unfit(lease: Lease, problem: Problem, now: datetime) -> Outcome:
    """Not handed over in silence. An unfit machine is looked at again: it may only have been slow."""
    if lease.state is _S.UNFIT:
        return Outcome(look_again(with_problem(lease, problem), now, UNFIT_LOOK_S))
    unfit = lease.moved(_S.UNFIT, now, problem=problem)
    return Outcome(look_again(unfit, now, UNFIT_LOOK_S), (event(unfit, NoticeKind.LEASE_UNFIT),))


def _never_booted(lease: Lease, now: datetime) -> Problem:
    return Problem("never-booted", {"after_s": int(seconds_since(lease.boot_began_at, now))})


def _is_late(lease: Lease, now: datetime, timing: Timing) -> bool:
    return seconds_since(lease.boot_began_at, now) > timing.boot_limit_s
