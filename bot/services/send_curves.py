"""Send curves: draw the pictures that people asked for, and hand each to its asker."""

from dataclasses import dataclass

import structlog

from bot.domain.claim import Claim, Duty
from bot.domain.curve import bare_name
from bot.domain.jobs.curve_wish import ChosenCurve, CurveWish, Run, WishedPicture, choose
from bot.domain.run_marks import NO_MARKS, RunMarks, marks_of_job
from bot.errors import NotifierError, PlotterError
from bot.ports.clock import Clock
from bot.ports.courier import Courier
from bot.ports.faults import FaultPoint, Faults
from bot.ports.plotter import CurvePicture, Line, Plotter
from bot.ports.store import Store, Tx

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SendCurves:
    """Reconciler of `Duty.CURVE`; a thing is the wish's id. Words and picture are at least once: after a crash between
    sending and storing its asker has the picture twice."""

    store: Store
    plotter: Plotter
    courier: Courier
    faults: Faults
    clock: Clock
    most_at_once: int = 16
    duty: Duty = Duty.CURVE

    def due(self) -> tuple[str, ...]:
        """Wishes that have not ended."""
        with self.store.read() as tx:
            return tx.curve_wishes.due(self.clock(), self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """One wish, to its end. Never again at once."""
        with self.store.read() as tx:
            wish = tx.curve_wishes.get(claim.thing)
            if wish is None or wish.ended_at is not None:
                return False
            found = choose(wish, _runs(tx, wish))
            marks = _marks(tx, found)
        try:
            png = self.plotter.draw(picture_of(found, marks)) if found.curves else b""
            wish = wish.evolve(told=wish.told or self.courier.tell_curves(found))
            self._save(claim, wish)
            if png and wish.told is not None:
                self.courier.send_curves(found, png, wish.told)
                self.faults.reach(FaultPoint.CURVE_SENT)
        except (PlotterError, NotifierError) as error:
            log.warning("curve.not-sent", wish=wish.id, code=error.code)
            self._save(claim, wish.failed(self.clock(), error.wait_s))
            return False
        self._save(claim, wish.evolve(ended_at=self.clock()))
        return False

    def _save(self, claim: Claim, wish: CurveWish) -> None:
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.curve_wishes.save(wish)


def _runs(tx: Tx, wish: CurveWish) -> list[Run]:
    jobs = [job for job_id in wish.job_ids if (job := tx.jobs.get(job_id)) is not None]
    return [(job, lease, tx.points.of(job.id)) for job in jobs if (lease := tx.leases.get(job.lease_id)) is not None]


def _marks(tx: Tx, found: WishedPicture) -> RunMarks:
    """Of one job's picture; several have no times and epochs in common."""
    if not found.curves or found.has_several_jobs:
        return NO_MARKS
    main = found.curves[0]
    job, metric = main.job, main.series.metric
    points = tx.points.of(job.id).get(metric, ())
    source = tx.points.sources(job.id).get(metric, "")
    return marks_of_job(points, job, main.lease, tx.jobs.output(job.id), tx.jobs.files(job.id), source)


def picture_of(found: WishedPicture, marks: RunMarks) -> CurvePicture:
    """The first curve and those that measure the same share a panel; the others are below."""
    main, *more = found.curves
    jobs = dict.fromkeys(_name(curve) for curve in found.curves)
    return CurvePicture(
        title=" · ".join(jobs),
        main=main.series,
        is_simulated=any(curve.lease.offer.simulated for curve in found.curves),
        marks=marks,
        more=tuple(Line(_label(found, one), one.series, not _is_alike(main, one)) for one in more),
        main_label=_label(found, main),
        is_log=found.wish.is_log,
    )


def _is_alike(main: ChosenCurve, other: ChosenCurve) -> bool:
    one, two = main.series, other.series
    return one.meaning.role is two.meaning.role or bare_name(one.metric) == bare_name(two.metric)


def _label(found: WishedPicture, curve: ChosenCurve) -> str:
    return f"{_name(curve)} {curve.series.metric}" if found.has_several_jobs else ""


def _name(curve: ChosenCurve) -> str:
    return f"{curve.lease.name}/{curve.job.number}"
