"""Idleness: when a spell begins and ends, and when its owner is reminded of it. A gap or a clock that jumped begins
a spell anew, so that nothing fires on either."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.domain.jobs.job import Job, JobState
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.ledger import rate_microusd_per_hour
from bot.domain.money import cost_microusd
from bot.domain.notice import Audience, Notice, NoticeKind, Priority
from bot.domain.question import Question
from bot.domain.use import Activity, Use, UseSample, UseVerdict, verdict_of
from bot.domain.waking import is_waking

_INTERVALS_MISSED: Final = 3.0
_LOOK_TAKES_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class IdleRule:
    """The team's rule, in seconds."""

    idle_after_s: float = 1800.0
    """A machine that was idle for so long is worth a word; again at twice, four times… as long."""
    look_every_s: float = 60.0
    ask_after_s: float | None = None
    """A machine that was idle for so long, and whose reminders were not answered, is asked about; None: never."""

    @property
    def typed_within_s(self) -> float:
        """Somebody who typed since the last look is there."""
        return 1.5 * self.look_every_s

    @property
    def gap_s(self) -> float:
        """After so long without a look nobody knows what happened in between."""
        return _INTERVALS_MISSED * self.look_every_s + _LOOK_TAKES_S


def worked_until(live: Iterable[Job], last_ended_at: datetime | None, now: datetime) -> datetime | None:
    """Up to when a job of ours was at work, as far as is known; None: never. What ran between two looks is use too."""
    until = [last_ended_at] if last_ended_at is not None else []
    for job in live:
        if job.state is JobState.RUNNING:
            until.append(now)
        elif job.started_at is not None:  # it finishes, or was not seen for a while
            until.append(job.state_since if job.state is JobState.FINISHING else job.seen_at or job.started_at)
    return min(max(until), now) if until else None


def looked_at(
    activity: Activity,
    use: Use | None,
    lease: Lease,
    now: datetime,
    rule: IdleRule,
    worked_at: datetime | None = None,
) -> Activity:
    """How it goes on after one more look; ``use`` is None where the machine did not answer. A spell begins no earlier
    than ``worked_at``, when a job was last at work: between two looks, perhaps."""
    gpu_count = 0 if lease.offer.gpu == "cpu" else lease.offer.gpu_count
    verdict = verdict_of(use, gpu_count, rule.typed_within_s)
    since_s = (now - activity.looked_at).total_seconds() if activity.looked_at is not None else 0.0
    is_gap = activity.looked_at is None or not 0 <= since_s <= rule.gap_s
    counted_s = 0.0 if is_gap else since_s
    spell = activity.idle_since if activity.idle_since is not None and not is_gap else now
    spell = max(spell, worked_at) if worked_at is not None else spell
    return replace(
        activity,
        next_look_at=now + timedelta(seconds=rule.look_every_s),
        looked_at=now,
        verdict=verdict,
        use=use if use is not None else activity.use,
        seen_at=now if use is not None else activity.seen_at,
        idle_since=spell if verdict is UseVerdict.IDLE else None,
        busy_s=activity.busy_s + (counted_s if verdict is UseVerdict.BUSY else 0.0),
        idle_s=activity.idle_s + (counted_s if verdict is UseVerdict.IDLE else 0.0),
        unknown_s=activity.unknown_s + (counted_s if verdict is UseVerdict.UNKNOWN else 0.0),
    )


def reminder(
    lease: Lease, activity: Activity, samples: tuple[UseSample, ...], zone: str, now: datetime, rule: IdleRule
) -> Notice | None:
    """The reminder that is due, once a rung; None where none is.

    ``samples`` are those of the spell, for the evidence; ``zone`` is where the owner is (an IANA name).
    """
    if lease.state is not LeaseState.READY or lease.want is not Want.RUNNING or activity.idle_since is None:
        return None
    if activity.quiet_until is not None and now < activity.quiet_until:
        return None
    idle_s = (now - activity.idle_since).total_seconds()
    if idle_s < rule.idle_after_s or not is_waking(now, zone):
        return None
    rung = int(idle_s / rule.idle_after_s).bit_length() - 1
    quiet = activity.quiet_until.isoformat() if activity.quiet_until is not None else ""
    rate = rate_microusd_per_hour(lease)
    seen = [sample.use for sample in samples if sample.use is not None and sample.at >= activity.idle_since]
    return Notice(
        occasion=f"idle:{lease.id}:{activity.idle_since.isoformat()}:{quiet}:{rung}",
        kind=NoticeKind.IDLE,
        lease_id=lease.id,
        audience=Audience.THREAD_AND_CHANNEL,
        priority=Priority.PERSON,
        at_most_once=True,
        facts={
            "since": int(activity.idle_since.timestamp()),
            "idle_s": int(idle_s),
            "looks": len(seen),
            "gpu_most": max((use.gpu_top_percent for use in seen if use.gpu_top_percent is not None), default=None),
            "cores_most": max((use.cpu_cores for use in seen if use.cpu_cores is not None), default=None),
            "logins": activity.use.logins if activity.use is not None else None,
            "rate": rate,
            "idle_cost_microusd": cost_microusd(rate, idle_s),
        },
    )


def asks(lease: Lease, activity: Activity, question: Question | None, zone: str, now: datetime, rule: IdleRule) -> bool:
    """Whether idleness asks for the release now: after a reminder by day that nobody answered, never twice in a row
    without as long a pause. ``question`` is the lease's latest one."""
    if rule.ask_after_s is None or activity.idle_since is None or activity.verdict is not UseVerdict.IDLE:
        return False
    if lease.state is not LeaseState.READY or lease.want is not Want.RUNNING or not is_waking(now, zone):
        return False
    if activity.quiet_until is not None and now < activity.quiet_until:
        return False
    reminded_at = now - timedelta(seconds=rule.idle_after_s)
    since = max(activity.idle_since, activity.quiet_until or activity.idle_since)
    if not is_waking(reminded_at, zone) or reminded_at < since + timedelta(seconds=rule.idle_after_s):
        return False
    if question is not None:
        if question.is_live:
            return False
        since = max(since, question.answered_at or question.asked_at)
    return (now - since).total_seconds() >= rule.ask_after_s


def is_unused(activity: Activity | None, now: datetime, rule: IdleRule) -> bool:
    """Whether nobody and nothing was at work on it for ``idle_after_s``, by looks up to now: who only pauses is there.
    Not knowing is not unused."""
    if activity is None or activity.looked_at is None or activity.idle_since is None:
        return False
    is_fresh = 0 <= (now - activity.looked_at).total_seconds() <= rule.gap_s
    return is_fresh and (now - activity.idle_since).total_seconds() >= rule.idle_after_s


def shows_another(before: Activity, after: Activity) -> bool:
    """Whether a card would show something else that is worth an edit."""
    is_first = before.looked_at is None
    is_new_spell = before.idle_since != after.idle_since
    return is_first or before.verdict is not after.verdict or is_new_spell or _bucket(before) != _bucket(after)


def _bucket(activity: Activity) -> int | None:
    top = activity.use.gpu_top_percent if activity.use is not None else None
    return None if top is None else (top + 10) // 20
