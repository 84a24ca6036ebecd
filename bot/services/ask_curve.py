"""Ask for a picture of one's own: check that there is something to draw, and write the wish down."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.claim import Duty
from bot.domain.jobs.curve_wish import CurveWish, Run, WishedPicture, choose, find_metric
from bot.domain.jobs.job import latest_number
from bot.domain.people import Actor
from bot.errors import Refused
from bot.ports.clock import Clock, NewId
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake


@dataclass(frozen=True, slots=True)
class CurveOptions:
    """What the picture is to show."""

    metrics: tuple[str, ...] = ()
    is_log: bool = False
    last_s: int | None = None


@dataclass(frozen=True, slots=True)
class AskCurve:
    """Takes wishes for pictures. Whoever may see a job's message may have its curves."""

    store: Store
    wake: Wake
    clock: Clock
    new_id: NewId

    def __call__(
        self, actor: Actor, jobs: Sequence[tuple[str, int | None]], options: CurveOptions, delivery: str
    ) -> WishedPicture:
        """``jobs``: the lease and the number of each; no number is the latest. Once a delivery."""
        now = self.clock()
        with self.store.transaction() as tx:
            runs = [_run(tx, *job) for job in jobs]
            metrics = tuple(_metric(runs, wanted) for wanted in options.metrics)
            ids = tuple(dict.fromkeys(job.id for job, _, _ in runs))
            wish = CurveWish(self.new_id(), ids, actor.user, now, metrics, options.is_log, options.last_s)
            found = choose(wish, runs)
            if not found.curves:
                job, lease, _ = runs[0]
                raise Refused("no-curve-yet", name=lease.name, number=job.number)
            if tx.inbox.first_time(delivery, now):
                tx.curve_wishes.add(wish)
        self.wake.wake(Duty.CURVE)
        return found


def _run(tx: Tx, lease_id: str, number: int | None) -> Run:
    lease = tx.leases.get(lease_id)
    if lease is None:
        raise Refused("no-lease")
    latest = tx.jobs.of(lease.id, 1)
    if not latest:
        raise Refused("no-job-yet", name=lease.name)
    job = latest[0] if number is None else tx.jobs.by_number(lease.id, number)
    if job is None:
        raise Refused("no-such-job", name=lease.name, number=number, latest=latest_number(latest))
    return job, lease, tx.points.of(job.id)


def _metric(runs: Sequence[Run], wanted: str) -> str:
    """As the first job that has it calls it."""
    for _, _, curves in runs:
        if (found := find_metric(curves, wanted)) is not None:
            return found
    job, lease, curves = runs[0]
    raise Refused("no-such-metric", name=lease.name, number=job.number, metric=wanted, known=tuple(curves))
