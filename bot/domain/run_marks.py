"""What a picture shows of a run beside its curves: when it was where, epochs, resumes, and where its lease ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final

from bot.domain.jobs.figures import start_of_pace
from bot.domain.jobs.job import Job
from bot.domain.jobs.reading import JobOutput
from bot.domain.jobs.run_file import RunFile
from bot.domain.lease import Lease
from bot.domain.metrics import Point, Progress, ReaderState, XKind

_MOST_TIMES: Final = 64
_LEAST_SPAN_S: Final = 20.0
_MOST_EPOCHS: Final = 400
_JUDGED_POINTS: Final = 200


@dataclass(frozen=True, slots=True)
class RunMarks:
    """Places on the x axis. ``times``: (x, seconds since the start), both growing. ``epoch_x``: how much x an epoch
    takes, where x counts steps. ``ends_x``: where the run will be when its lease ends, at its pace."""

    times: tuple[tuple[float, float], ...] = ()
    epoch_x: float | None = None
    resumes: tuple[float, ...] = ()
    ends_x: float | None = None


NO_MARKS: Final = RunMarks()


def marks_of_job(
    points: Sequence[Point], job: Job, lease: Lease, output: JobOutput, files: Sequence[RunFile], source: str
) -> RunMarks:
    """Of a job's main curve, which was read from the file ``source`` or, where that is empty, from its output."""
    reader = next((file.reader for file in files if file.source == source), output.reader)
    return marks_of(points, reader, output.progress, job.started_at, lease.ends_at if job.is_live else None)


def marks_of(
    points: Sequence[Point],
    reader: ReaderState,
    progress: Progress,
    started_at: datetime | None,
    ends_at: datetime | None,
) -> RunMarks:
    """``points``: of the main curve, in the order of x. ``reader``: what it was read by. ``ends_at``: of the lease of a
    run that goes on."""
    if not points:
        return NO_MARKS
    last_x = points[-1].x
    return RunMarks(
        times=_times(points, started_at),
        epoch_x=_epoch_x(reader, progress, points[-1]),
        resumes=tuple(sorted({x for x in reader.position.resumes if points[0].x < x < last_x})),
        ends_x=_ends_x(points[-_JUDGED_POINTS:], ends_at) if ends_at is not None else None,
    )


def _times(points: Sequence[Point], started_at: datetime | None) -> tuple[tuple[float, float], ...]:
    """Of what was read in one moment the last point: there the run was then."""
    if started_at is None:
        return ()
    seen = [(0.0, 0.0)] if points[0].x > 0 else []
    for point, after in pairwise((*points, None)):
        if point is None or (after is not None and after.at == point.at):
            continue
        since_s = (point.at - started_at).total_seconds()
        if since_s > (seen[-1][1] if seen else -1.0):
            seen.append((point.x, since_s))
    if len(seen) < 2 or seen[-1][1] - seen[0][1] < _LEAST_SPAN_S:
        return ()
    step = -(-len(seen) // _MOST_TIMES)
    return tuple(dict.fromkeys((*seen[::step], seen[-1])))


def _epoch_x(reader: ReaderState, progress: Progress, last: Point) -> float | None:
    if last.x_kind is not XKind.STEP:
        return None
    length, epoch = reader.position.steps_per_epoch, progress.epoch
    if length is None and epoch is not None and epoch > 0 and epoch != int(epoch):
        length = last.x / epoch
    if length is None or not 1.0 < length < last.x or last.x / length > _MOST_EPOCHS:
        return None
    return length


def _ends_x(latest: Sequence[Point], ends_at: datetime) -> float | None:
    first, last = start_of_pace(latest), latest[-1]
    span_s, left_s = (last.at - first.at).total_seconds(), (ends_at - last.at).total_seconds()
    if span_s < _LEAST_SPAN_S or last.x <= first.x or left_s <= 0:
        return None
    return last.x + (last.x - first.x) / span_s * left_s
