"""What a finding makes of a lease: the lease as it is to be stored, and what people should learn."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.lifecycle.timing import Timing, seconds_since
from bot.domain.notice import Audience, Notice, NoticeKind, Priority
from bot.domain.problem import Problem


@dataclass(frozen=True, slots=True)
class Outcome:
    """The lease's next version and the notices that go with it."""

    lease: Lease
    notices: tuple[Notice, ...] = ()


def look_again(lease: Lease, now: datetime, wait_s: float) -> Lease:
    """The lease, due again in ``wait_s`` seconds; nothing its card would show."""
    return lease.noted(next_look_at=now + timedelta(seconds=wait_s))


def with_problem(lease: Lease, problem: Problem | None) -> Lease:
    """The lease with that problem; a new version only where it differs."""
    return lease if lease.problem == problem else lease.evolve(problem=problem)


def unless_leaving(lease: Lease, want: Want) -> Want:
    """What is wanted after the machine went its own way. A wish to release it is a person's, given perhaps while
    the vendor was being asked, and stays."""
    return lease.want if lease.want is Want.RELEASED else want


def event(lease: Lease, kind: NoticeKind, **facts: str | int | float | bool | None) -> Notice:
    """A notice about the state the lease has just come into, once per such moment."""
    loud = kind in _LOUD
    return Notice(
        occasion=f"{kind}:{lease.id}:{lease.state_since.isoformat()}:{facts.get('rung', '')}",
        kind=kind,
        lease_id=lease.id,
        audience=Audience.THREAD_AND_CHANNEL if loud else Audience.THREAD,
        priority=Priority.PERSON if loud else Priority.STATE,
        facts=facts,
    )


_LOUD = frozenset(
    {
        NoticeKind.LEASE_READY,
        NoticeKind.LEASE_UNFIT,
        NoticeKind.LEASE_FAILED,
        NoticeKind.WENT_DOWN,
        NoticeKind.START_REFUSED,
        NoticeKind.RELEASE_STUCK,
        NoticeKind.VANISHED,
        NoticeKind.HOST_KEY_CHANGED,
        NoticeKind.ENDED,
        NoticeKind.ENDS_SOON,
    }
)


def reminders(lease: Lease, now: datetime, timing: Timing) -> tuple[Notice, ...]:
    """What the clocks bring up of a release that is stuck, and of the end of a machine that nobody has got yet (of all
    others see `bot.domain.ending`). Each rung once."""
    if lease.state is LeaseState.RELEASE_STUCK:
        rung = int(seconds_since(lease.state_since, now) // timing.remind_s)
        return (event(lease, NoticeKind.RELEASE_STUCK, rung=rung),)
    if lease.ends_at is None or lease.state not in _AT_REST or lease.is_handed_over:
        return ()
    left_s = (lease.ends_at - now).total_seconds()
    ends = lease.ends_at.isoformat()
    if left_s > 0:
        warn_s = min(timing.warn_before_end_s, lease.length_s / 4)
        if left_s > warn_s:
            return ()
        return (_reminder(lease, NoticeKind.ENDS_SOON, ends),)
    rung = int(-left_s // timing.remind_s).bit_length()
    return (_reminder(lease, NoticeKind.ENDED, f"{ends}:{rung}"),)


_AT_REST = frozenset({LeaseState.READY, LeaseState.UNFIT, LeaseState.STOPPED})


def _reminder(lease: Lease, kind: NoticeKind, moment: str) -> Notice:
    return Notice(
        occasion=f"{kind}:{lease.id}:{moment}",
        kind=kind,
        lease_id=lease.id,
        audience=Audience.THREAD_AND_CHANNEL,
        priority=Priority.PERSON,
        at_most_once=True,
    )
