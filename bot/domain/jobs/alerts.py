"""Alerts: what is worth a word while a run goes on, each said once. A false alarm is worse than silence."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from bot.domain.curve import Series, primary, series_of
from bot.domain.jobs.forecast import RESERVE, forecast
from bot.domain.jobs.job import Job, JobState
from bot.domain.jobs.reading import JobOutput
from bot.domain.lease import Lease, Want
from bot.domain.metrics import Point, Role, meaning
from bot.domain.notice import Notice, NoticeKind, Priority
from bot.domain.offers import quote_microusd
from bot.domain.problem import Facts
from bot.domain.use import CPU_BUSY_CORES, GPU_BUSY_PERCENT, Use, UseSample
from bot.domain.verdicts import Nonfinite, Spike, Verdict, VerdictKind, stalled, verdicts

SEEN_WITHIN: Final = timedelta(seconds=120)
SILENT_FOR: Final = timedelta(minutes=30)
FEWEST_LOOKS: Final = 3
RESTS_FOR: Final = timedelta(minutes=15)
RESTING_LOOKS: Final = 15
"""Of a GPU that works for a fifth of the time, one of so many looks sees it in 96 of 100 runs."""
LEARNING_POINTS: Final = 3
FULL_SHARE: Final = 0.1
FULL_BYTES: Final = 20 * 1024**3
EATEN_BYTES: Final = 1024**3
_RECOVERED: Final = ":recovered"
JUDGED_POINTS: Final = 200
"""Of the latest points of the main curve, for the pace."""


@dataclass(frozen=True, slots=True)
class RunState:
    """What is known of one run. ``samples`` are looks at its machine's use in the last `SILENT_FOR`, oldest first."""

    job: Job
    lease: Lease
    output: JobOutput
    points: Mapping[str, Sequence[Point]]
    samples: Sequence[UseSample]
    now: datetime

    @property
    def is_seen(self) -> bool:
        """It runs, by a look that is fresh: of what is not seen nothing is said."""
        seen_at = self.job.seen_at
        return self.job.state is JobState.RUNNING and seen_at is not None and self.now - seen_at <= SEEN_WITHIN


def alerts(run: RunState) -> tuple[Notice, ...]:
    """All that is to be said of the run as it is; what was said before has the same occasion."""
    series = series_of(point for points in run.points.values() for point in points)
    found = list(_verdicts(run, series))
    if run.is_seen:
        main = primary(series)
        points = tuple(run.points.get(main.metric, ())) if main is not None else ()
        looked_for = (_silence(run, points) or _gpu_rests(run, points), _disk(run), _time(run, points))
        found += [alert for alert in looked_for if alert is not None]
    return tuple(found)


def _verdicts(run: RunState, series: Sequence[Series]) -> Iterator[Notice]:
    """Once a kind, of the main curve where it is among them; that a loss is a number again is a word of its own."""
    main = primary(series)
    found = sorted(
        verdicts(series, is_over=not run.job.is_live), key=lambda v: main is None or _metric(v) != main.metric
    )
    for verdict in found:
        recovered = isinstance(verdict, Nonfinite) and verdict.recovered is not None
        is_calm = recovered or isinstance(verdict, Spike)
        occasion = f"{verdict.kind}{_RECOVERED if recovered else ''}"
        facts: Facts = {"verdict": told(verdict), "is_calm": is_calm, "is_over": not run.job.is_live}
        yield _alert(run, NoticeKind.RUN_VERDICT, occasion, **facts)


def nonfinite_is_told(metric: str, job_id: str, has_occasion: Callable[[str], bool]) -> bool:
    """Whether a verdict tells, or will when the run is judged for the last time, that the curve of ``metric`` ends in
    no number: of losses it does, but for one that had recovered before. Nobody else has to say so then."""
    meant = meaning(metric)
    recovered = _occasion(job_id, f"{VerdictKind.NONFINITE}{_RECOVERED}")
    return meant is not None and meant.role is Role.LOSS and not has_occasion(recovered)


def _metric(verdict: Verdict) -> str:
    return str(getattr(verdict, "metric", ""))


def told(verdict: Verdict) -> str:
    """The verdict as a text that a notice can carry."""
    return json.dumps({"kind": verdict.kind.value, **asdict(verdict)}, default=_plain)


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _silence(run: RunState, points: Sequence[Point]) -> Notice | None:
    """A curve that stopped, or nothing printed at all, on a machine that is not seen to work.

    Both ask that nothing is at work there by every look since: long evaluations, downloads and compilers are silent,
    and busy. Without points nobody knows what is usual: half an hour and three looks it takes then.
    """
    quiet_since = run.output.output_at or run.job.started_at
    if quiet_since is None:
        return None
    looks = [sample for sample in run.samples if sample.at > quiet_since]
    if any(sample.use is not None and _is_at_work(sample.use) for sample in looks):
        return None
    use = next((sample.use for sample in reversed(looks) if sample.use is not None), None)
    facts: Facts = {
        "since": int(quiet_since.timestamp()),
        "gpu": use.gpu_top_percent if use is not None else None,
        "rate": run.lease.offer.price_microusd_per_hour,
    }
    found = stalled([point.at for point in points], run.now)
    if found is not None and (run.now - quiet_since).total_seconds() >= found.silent_s / 2:
        return _alert(run, NoticeKind.RUN_SILENT, "silent", usual_s=found.usual_s, **facts)
    idle = [sample for sample in looks if sample.use is not None and sample.use.gpu_top_percent is not None]
    if run.now - quiet_since >= SILENT_FOR and len(idle) >= FEWEST_LOOKS:
        return _alert(run, NoticeKind.RUN_SILENT, "silent", **facts)
    return None


def _gpu_rests(run: RunState, points: Sequence[Point]) -> Notice | None:
    """It trains, and no card of its machine does: mostly the framework finds no GPU, or the model was not moved to one.

    Preparing data, downloads and compilers need no GPU, so values of its curve have to come meanwhile. Of a card that
    does not tell (as under MIG) nobody knows.
    """
    started_at = run.job.started_at
    if started_at is None:
        return None
    uses = [(s.at, s.use) for s in run.samples if s.at >= max(started_at, run.now - SILENT_FOR) and s.use is not None]
    tops = [use.gpu_top_percent for _, use in uses]
    if len(uses) < RESTING_LOOKS or any(top is None or top >= GPU_BUSY_PERCENT for top in tops):
        return None
    since = uses[0][0]
    learnt = sum(point.at >= since for point in points)
    if run.now - since < RESTS_FOR or learnt < LEARNING_POINTS:
        return None
    return _alert(
        run,
        NoticeKind.RUN_RESTS_GPU,
        "gpu-rests",
        since=int(since.timestamp()),
        looks=len(uses),
        gpu=max(top or 0 for top in tops),
        cores=max(use.cpu_cores or 0.0 for _, use in uses),
    )


def _is_at_work(use: Use) -> bool:
    top = use.gpu_top_percent
    return (top is not None and top >= GPU_BUSY_PERCENT) or (use.cpu_cores or 0.0) >= CPU_BUSY_CORES


def _disk(run: RunState) -> Notice | None:
    """The room that there was when it began is nearly used up since, and not much is left in bytes either."""
    free, before = run.job.free_bytes, run.job.free_at_start_bytes
    if free is None or before is None or run.job.started_at is None:
        return None
    eaten = before - free
    if free > FULL_SHARE * before or free > FULL_BYTES or eaten < EATEN_BYTES:
        return None
    left_s = free * (run.now - run.job.started_at).total_seconds() / eaten
    return _alert(run, NoticeKind.RUN_FILLS_DISK, "disk", free_bytes=free, before_bytes=before, left_s=round(left_s))


def _time(run: RunState, points: Sequence[Point]) -> Notice | None:
    """It will not be done before the lease's end, even if nothing takes longer than so far."""
    lease = run.lease
    if lease.ends_at is None or lease.want is not Want.RUNNING:
        return None
    latest = points[-JUDGED_POINTS:]
    at_best = forecast(run.output.progress, latest, lease.ends_at, run.now, reserve=1.0)
    expected = forecast(run.output.progress, latest, lease.ends_at, run.now, RESERVE)
    if at_best is None or expected is None or at_best.fits:
        return None
    missing_s = expected.missing_s
    return _alert(
        run,
        NoticeKind.RUN_WILL_NOT_FIT,
        f"time:{lease.ends_at.isoformat()}",
        job=run.job.id,
        missing_s=missing_s,
        price_microusd=quote_microusd(lease.offer, missing_s),
        done=int(expected.done_at.timestamp()),
        ends=int(lease.ends_at.timestamp()),
    )


def _alert(run: RunState, kind: NoticeKind, occasion: str, **facts: str | int | float | bool | None) -> Notice:
    told: Facts = {"number": run.job.number, "owner": run.job.owner, **facts}
    return Notice(_occasion(run.job.id, occasion), kind, run.lease.id, priority=Priority.PERSON, facts=told)


def _occasion(job_id: str, of_what: str) -> str:
    return f"run:{job_id}:{of_what}"
