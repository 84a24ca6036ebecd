"""The lease's end: when its owner hears of it beforehand, when its release is asked for, and when an unused machine is
stopped. A clock asks and stops; it ends nothing, and it cuts no job."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.domain.instance import Capabilities, Keeps
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.ledger import rate_microusd_per_hour
from bot.domain.notice import Audience, Notice, NoticeKind, Priority
from bot.domain.offers import quote_microusd
from bot.domain.question import Question, QuestionState
from bot.domain.use import Activity
from bot.domain.waking import evening_before, is_waking, next_waking

_S = LeaseState
_AT_REST: Final = frozenset({_S.READY, _S.UNFIT, _S.STOPPED})
HORIZON: Final = timedelta(days=8)
"""No lease is longer than 60 days, so nobody hears of its end earlier: a tenth of that, and a night."""
HOUR_S: Final = 3600


@dataclass(frozen=True, slots=True)
class EndRule:
    """Seconds, all of them."""

    warn_s: float = 900.0
    """So long before its end the owner hears of it: the least that leaves time to save something."""
    warn_share: float = 0.1
    """Of a long lease, so much of its length if that is more: who rented for days needs longer than minutes."""
    ask_again_s: float = 8 * 3600.0
    """After a no it is not asked again for so long."""
    stop_after_s: float = 1800.0
    """An unused machine past its end is stopped where its question was not answered for so long."""
    stops_unused: bool = True


@dataclass(frozen=True, slots=True)
class Remind:
    """Its owner is to hear that it ends soon; ``occasion`` is unique for this end."""

    occasion: str


@dataclass(frozen=True, slots=True)
class AskForRelease:
    """The lease has ended: the question is to be asked."""


@dataclass(frozen=True, slots=True)
class StopUnused:
    """The question waits, nothing runs and nobody is there: it costs less stopped, and loses nothing by it."""


Ending = Remind | AskForRelease | StopUnused


@dataclass(frozen=True, slots=True)
class AtWork:
    """Whether anything is at work on a machine, as far as was looked."""

    jobs: int
    syncs: int
    activity: Activity | None
    is_unused: bool
    """By a look that is fresh."""


LEFT_ALONE: Final = AtWork(0, 0, None, True)
"""Work only ever holds an end back: where this brings nothing up, nothing does."""


def next_ending(
    lease: Lease,
    question: Question | None,
    work: AtWork,
    able: Capabilities | None,
    zone: str,
    now: datetime,
    rule: EndRule,
) -> Ending | None:
    """What the end of ``lease`` brings up now; None: nothing. ``question`` is its latest one."""
    if lease.ends_at is None or lease.state not in _AT_REST or lease.want is Want.RELEASED or not lease.is_handed_over:
        return None
    if now < lease.ends_at:
        reminds_at = _reminds_at(lease, lease.ends_at, zone, rule)
        if now < reminds_at or (is_waking(reminds_at, zone) and not is_waking(now, zone)):
            return None
        return Remind(f"{NoticeKind.ENDS_SOON}:{lease.id}:{lease.ends_at.isoformat()}")
    if question is None or not question.is_live:
        return AskForRelease() if now >= asks_at(lease.ends_at, question, zone, rule) else None
    stops_at = stop_planned_at(lease, question, able, rule)
    if stops_at is None or now < stops_at or not _is_left(work, now):
        return None
    return StopUnused()


def asks_at(ends_at: datetime, question: Question | None, zone: str, rule: EndRule) -> datetime:
    """When the release is asked for: at the end, whatever the hour, for each hour of waiting costs; after a no that
    was given since, not before ``ask_again_s`` and by day."""
    settled_at = None if question is None else question.answered_at or question.asked_at
    if settled_at is None or settled_at < ends_at:
        return ends_at
    return next_waking(settled_at + timedelta(seconds=rule.ask_again_s), zone)


def stop_planned_at(lease: Lease, question: Question, able: Capabilities | None, rule: EndRule) -> datetime | None:
    """When the machine is stopped if nobody answers and nothing is at work on it; None: never. A stop is automatic
    only where it keeps all of the machine's disks."""
    if not rule.stops_unused or able is None or not able.can_stop or able.stop_keeps is not Keeps.ALL:
        return None
    if lease.ends_at is None or lease.state is not _S.READY or lease.want is not Want.RUNNING:
        return None
    if question.state is not QuestionState.OPEN or question.asked_at < lease.ends_at:
        return None
    return question.asked_at + timedelta(seconds=rule.stop_after_s)


def ends_soon(lease: Lease, work: AtWork, cost_microusd: int, occasion: str) -> Notice:
    """The reminder, with what is known: cost so far, what runs, and what longer would cost."""
    use = work.activity.use if work.activity is not None else None
    return Notice(
        occasion,
        NoticeKind.ENDS_SOON,
        lease.id,
        Audience.THREAD_AND_CHANNEL,
        Priority.PERSON,
        at_most_once=True,
        facts={
            "ends": int(lease.ends_at.timestamp()) if lease.ends_at is not None else None,
            "cost_microusd": cost_microusd,
            "rate": rate_microusd_per_hour(lease),
            "jobs": work.jobs,
            "unused": work.is_unused,
            "gpu": use.gpu_top_percent if use is not None else None,
            "extend_1h_microusd": quote_microusd(lease.offer, HOUR_S),
            "extend_4h_microusd": quote_microusd(lease.offer, 4 * HOUR_S),
        },
    )


def stopped_at_end(lease: Lease, question: Question) -> Notice:
    """Said when an unused machine is stopped by the clock."""
    return Notice(
        f"{NoticeKind.STOPPED_AT_END}:{question.id}",
        NoticeKind.STOPPED_AT_END,
        lease.id,
        facts={
            "ends": int(lease.ends_at.timestamp()) if lease.ends_at is not None else None,
            "rate": lease.offer.stopped_microusd_per_hour,
        },
    )


def _reminds_at(lease: Lease, ends_at: datetime, zone: str, rule: EndRule) -> datetime:
    """By day where it can be. Where the end lies in the night it is the evening before; who rented in that same
    night is up."""
    before_s = min(max(rule.warn_s, rule.warn_share * lease.length_s), lease.length_s / 2)
    then = ends_at - timedelta(seconds=before_s)
    if is_waking(then, zone):
        return then
    morning = next_waking(then, zone)
    if morning <= ends_at - timedelta(seconds=min(rule.warn_s, before_s)):
        return morning
    evening = evening_before(then, zone)
    return evening if lease.launched_at is None or evening > lease.launched_at else then


def _is_left(work: AtWork, now: datetime) -> bool:
    """Nothing is at work, and nobody has asked that it be left alone."""
    quiet_until = work.activity.quiet_until if work.activity is not None else None
    is_kept = quiet_until is not None and now < quiet_until
    return work.is_unused and not work.jobs and not work.syncs and not is_kept
