"""How a machine is used, in words; and the reminder when nobody uses it."""

from datetime import UTC, datetime

from bot.domain.lease import Lease, LeaseState
from bot.domain.problem import Facts
from bot.domain.use import Activity, Use, UseVerdict
from bot.domain.views import LeaseView
from handlers.words.figures import dollars, hourly, moment, span


def use_line(view: LeaseView) -> str | None:
    """``GPU 97 % · CPU 3.5 cores · 1 job · disk 41 % full``; only while it is ready and somebody has looked."""
    activity = view.activity
    if view.lease.state is not LeaseState.READY or activity is None or activity.looked_at is None:
        return None
    if activity.use is None or activity.seen_at is None:
        return "Use: not known, it does not answer."
    parts = use_parts(activity.use)
    if activity.seen_at < activity.looked_at:
        return f"Use: not known since {moment(activity.seen_at)}. Then: {' · '.join(parts)}"
    if activity.verdict is UseVerdict.IDLE and activity.idle_since is not None:
        parts.append(f"unused since {moment(activity.idle_since)}")
    return " · ".join(parts) + _quiet(activity, view.now)


def use_parts(use: Use) -> list[str]:
    """One phrase each for what was seen."""
    parts = []
    if use.gpu_percent:
        parts.append(f"GPU {', '.join('not said' if p is None else f'{p} %' for p in use.gpu_percent)}")
    elif not use.gpus_seen:
        parts.append("GPU not seen")
    if use.cpu_cores is not None:
        parts.append(f"CPU {use.cpu_cores:.1f} cores")
    if use.jobs:
        parts.append(_counted(use.jobs, "job"))
    if use.logins:
        parts.append(f"{_counted(use.logins, 'person', 'people')} logged in")
    if use.disk_percent is not None:
        parts.append(f"disk {use.disk_percent} % full")
    return parts


def idle_words(facts: Facts, lease: Lease) -> str:
    """Since when, what was looked at, what it costs meanwhile, what can be done."""
    gpu, cores, logins = facts.get("gpu_most"), facts.get("cores_most"), facts.get("logins")
    evidence = [f"GPU at most {gpu} %"] if isinstance(gpu, int) else []
    evidence += [f"CPU at most {cores:.1f} cores"] if isinstance(cores, float | int) else []
    evidence.append("no job runs")
    evidence.append("somebody is logged in and does not type" if logins else "nobody is logged in")
    ways = "*Stop* keeps its disks, *Release*" if facts.get("can_stop") else "*Release*"
    return (
        f"<@{lease.owner}> *{lease.name}* is unused since {moment_of(facts.get('since'))}, for "
        f"{span(_number(facts.get('idle_s')))}: {', '.join(evidence)} "
        f"({_counted(int(_number(facts.get('looks'))), 'look')}). "
        f"That time cost {dollars(int(_number(facts.get('idle_cost_microusd'))))}; it goes on at "
        f"{hourly(int(_number(facts.get('rate'))))}. {ways} ends the bill and asks first."
    )


def moment_of(stamp: object) -> str:
    """A moment from seconds since 1970."""
    return moment(datetime.fromtimestamp(stamp, UTC)) if isinstance(stamp, int | float) else "a while ago"


def _quiet(activity: Activity, now: datetime) -> str:
    if activity.quiet_until is None or activity.quiet_until <= now:
        return ""
    return f" · no reminders until {moment(activity.quiet_until)}"


def _counted(count: int, one: str, several: str = "") -> str:
    return f"{count} {one if count == 1 else several or f'{one}s'}"


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
