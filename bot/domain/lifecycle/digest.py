"""Digest a finding against the lease as it is stored by now: the one table of what leads where."""

from datetime import datetime
from typing import Final, assert_never

from bot.domain.lease import FENCED, Lease, LeaseState, Want
from bot.domain.lifecycle.digest_look import looked
from bot.domain.lifecycle.findings import (
    Fenced,
    Finding,
    Launched,
    LaunchRefused,
    Looked,
    NothingThere,
    ReleaseCalled,
    SoldOut,
    StartCalled,
    StartSoldOut,
    StopCalled,
    Trouble,
)
from bot.domain.lifecycle.outcome import Outcome, event, look_again, unless_leaving, with_problem
from bot.domain.lifecycle.timing import Timing, seconds_since
from bot.domain.notice import NoticeKind
from bot.domain.problem import Problem

_S = LeaseState
UNSEEN_TRIES: Final = 3
"""After so many failures in a row the card says that the machine cannot be seen."""


def digest(lease: Lease, finding: Finding, now: datetime, timing: Timing) -> Outcome:
    """The lease after the finding. Wants that changed while the step ran are left as they are."""
    match finding:
        case Launched(ref):
            return Outcome(lease.launched(ref, now) if lease.state is _S.REQUESTED else lease)
        case NothingThere():
            return _nothing_there(lease, now)
        case SoldOut(offer):
            return _sold_out(lease, offer.ref, now)
        case LaunchRefused(code, detail):
            return _failed(lease, Problem(code, {"detail": detail}), now)
        case Looked():
            return looked(lease, finding, now, timing)
        case StopCalled() | StartCalled():
            return Outcome(look_again(lease.noted(attempts=0), now, timing.poll_s))
        case StartSoldOut():
            return _start_sold_out(lease, now)
        case ReleaseCalled():
            accepted = lease.evolve(release_accepted_at=now, problem=None, missing_reads=0)
            return Outcome(look_again(accepted, now, 0))
        case Fenced():
            return Outcome(look_again(lease, now, 0))
        case Trouble():
            return _trouble(lease, finding, now, timing)
        case unreachable:
            assert_never(unreachable)


def begin_stop(lease: Lease, now: datetime) -> Lease:
    """Being stopped; the vendor is told next."""
    return look_again(lease.moved(_S.STOPPING, now, problem=None), now, 0)


def begin_start(lease: Lease, now: datetime) -> Lease:
    """Being started; the vendor is told next."""
    return look_again(lease.moved(_S.STARTING, now, problem=None, boot_began_at=now), now, 0)


def begin_release(lease: Lease, now: datetime) -> Lease:
    """Being released; the vendor is told next."""
    return look_again(lease.moved(_S.RELEASING, now, problem=None), now, 0)


def begin_fence(lease: Lease, now: datetime) -> Lease:
    """Doors about to be closed: they count as closed until people's keys have been put on it again."""
    return look_again(lease.noted(keys_applied=FENCED), now, 0)


def kept_after_all(lease: Lease, now: datetime) -> Lease:
    """No valid yes (any more): the machine stays what it is, or stuck where the release had begun."""
    want = Want.STOPPED if lease.state in (_S.STOPPED, _S.STOPPING) else Want.RUNNING
    if lease.state is _S.RELEASING:
        return lease.moved(_S.RELEASE_STUCK, now, want=want)
    return lease.evolve(want=want)


def _nothing_there(lease: Lease, now: datetime) -> Outcome:
    if lease.problem is not None:
        return _failed(lease, lease.problem, now)
    done = lease.moved(_S.RELEASED, now, released_at=now)
    return Outcome(done, (event(done, NoticeKind.RELEASED, cancelled=True),))


def _failed(lease: Lease, problem: Problem, now: datetime) -> Outcome:
    failed = lease.moved(_S.FAILED, now, problem=problem)
    return Outcome(failed, (event(failed, NoticeKind.LEASE_FAILED),))


def _sold_out(lease: Lease, offer_ref: str, now: datetime) -> Outcome:
    """Go on with the next offer that costs no more than what was quoted; without one it has failed."""
    if lease.offer.ref != offer_ref:
        return Outcome(look_again(lease, now, 0))
    if not lease.spare:
        return _failed(lease, Problem("no-capacity", {"offer": offer_ref}), now)
    following, *rest = lease.spare
    moved_on = lease.evolve(offer=following, spare=tuple(rest), tried=(*lease.tried, lease.offer), attempts=0)
    notice = event(moved_on, NoticeKind.NEXT_OFFER, rung=len(moved_on.tried), region=following.region)
    return Outcome(look_again(moved_on, now, 0), (notice,))


def _start_sold_out(lease: Lease, now: datetime) -> Outcome:
    want = unless_leaving(lease, Want.STOPPED)
    stopped = lease.moved(_S.STOPPED, now, want=want, problem=Problem("no-gpu-at-start"))
    return Outcome(stopped, (event(stopped, NoticeKind.START_REFUSED),))


def _trouble(lease: Lease, trouble: Trouble, now: datetime, timing: Timing) -> Outcome:
    attempts = lease.attempts + 1
    wait_s = trouble.wait_s if trouble.wait_s is not None else timing.backoff_s(attempts)
    tried = look_again(lease.noted(attempts=attempts), now, wait_s)
    facts = {"code": trouble.code, "detail": trouble.detail}
    match lease.state:
        case _S.REQUESTED:
            gave_up = seconds_since(lease.requested_at, now) > timing.launch_limit_s
            tried = with_problem(tried, Problem("launch-trouble", facts))
            return Outcome(tried.evolve(want=Want.RELEASED) if gave_up else tried)
        case _S.RELEASING:
            tried = with_problem(tried, Problem("release-refused", facts))
            if seconds_since(lease.state_since, now) <= timing.stuck_after_s:
                return Outcome(tried)
            stuck = tried.moved(_S.RELEASE_STUCK, now)
            return Outcome(stuck, (event(stuck, NoticeKind.RELEASE_STUCK, rung=0),))
        case _S.RELEASE_STUCK:
            return Outcome(with_problem(tried, Problem("release-refused", facts)))
        case _ if attempts >= UNSEEN_TRIES:
            return Outcome(with_problem(tried, _unseen(lease, trouble.code)))
        case _:
            return Outcome(tried)


def _unseen(lease: Lease, code: str) -> Problem:
    since = lease.seen_at or lease.launched_at
    return Problem("not-seen", {"code": code, "since": int(since.timestamp()) if since else None})
