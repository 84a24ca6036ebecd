"""Draw pictures: keep the picture of each job's curve as current as its points, off everybody's path."""

from dataclasses import dataclass, replace
from datetime import timedelta

import structlog

from bot.domain.claim import Claim, Duty
from bot.domain.curve import series_of
from bot.domain.jobs.figures import share_done
from bot.domain.jobs.job import Job
from bot.domain.jobs.view import RECENT_POINTS, JobView, job_view
from bot.domain.lease import Lease
from bot.domain.living import LivingMessage, Subject
from bot.domain.metrics import Point
from bot.domain.notice import Priority
from bot.domain.picture import Picture, Shown, milestone_of
from bot.domain.places import Place
from bot.domain.run_marks import RunMarks, marks_of_job
from bot.errors import NotifierError, PlotterError
from bot.ports.clock import Clock
from bot.ports.faults import FaultPoint, Faults
from bot.ports.notifier import Notifier
from bot.ports.plotter import CurvePicture, Plotter
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What one picture is made from."""

    job: Job
    lease: Lease
    view: JobView
    points: tuple[Point, ...]
    marks: RunMarks
    picture: Picture
    card: LivingMessage | None


@dataclass(frozen=True, slots=True)
class DrawPictures:
    """Reconciler of `Duty.PICTURE`; a thing is a job's id. After a crash a picture may be uploaded twice; the message
    shows one."""

    store: Store
    plotter: Plotter
    notifier: Notifier
    wake: Wake
    faults: Faults
    clock: Clock
    every_s: float
    most_at_once: int = 8
    duty: Duty = Duty.PICTURE

    def due(self) -> tuple[str, ...]:
        """Jobs whose curve went on since it was drawn, or whose message lacks the newest picture."""
        now = self.clock()
        with self.store.read() as tx:
            return tx.pictures.due(now, now - timedelta(seconds=self.every_s), self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """Bring one picture up to date. Never again at once."""
        with self.store.read() as tx:
            loaded = self._load(tx, claim.thing)
        if loaded is None:
            return False
        if loaded.picture.drawn_points >= loaded.picture.points or not loaded.points:
            self._show(claim, loaded)
        elif loaded.picture.shown is Shown.IN_THREAD:
            self._into_thread(claim, loaded)
        else:
            self._into_message(claim, loaded)
        self.wake.wake(Duty.MESSAGE)
        return False

    def _load(self, tx: Tx, job_id: str) -> _Loaded | None:
        job = tx.jobs.get(job_id)
        lease = None if job is None else tx.leases.get(job.lease_id)
        if job is None or lease is None:
            return None
        curves, picture, output = tx.points.of(job_id), tx.pictures.get(job_id), tx.jobs.output(job_id)
        view = job_view(
            job,
            lease,
            output,
            tx.points.recent(job_id, RECENT_POINTS),
            picture,
            self.clock(),
            tx.points.sources(job_id),
        )
        points = tuple(point for curve in curves.values() for point in curve)
        main = curves.get(view.curve.metric, ()) if view.curve is not None else ()
        marks = marks_of_job(main, job, lease, output, tx.jobs.files(job_id), view.source)
        return _Loaded(job, lease, view, points, marks, picture, tx.living.get(Subject.LEASE, lease.id))

    def _show(self, claim: Claim, loaded: _Loaded) -> None:
        """It is drawn, and its message does not show it yet: the message is behind."""
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            picture = tx.pictures.get(loaded.job.id)
            drawn = picture.points if not loaded.points else picture.drawn_points
            tx.pictures.save(replace(picture, drawn_points=drawn, next_try_at=None))
            tx.living.touch(Subject.JOB, loaded.job.id, Priority.FIGURES)

    def _into_message(self, claim: Claim, loaded: _Loaded) -> None:
        try:
            file_id = self.notifier.upload(loaded.view, self._draw(loaded))
        except (PlotterError, NotifierError) as error:
            self._failed(claim, loaded, error)
            return
        self.faults.reach(FaultPoint.PICTURE_UPLOADED)
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            picture = tx.pictures.get(loaded.job.id)
            tx.pictures.save(picture.uploaded(file_id, loaded.picture.points, self.clock()))
            tx.living.touch(Subject.JOB, loaded.job.id, Priority.FIGURES if loaded.job.is_live else Priority.STATE)

    def _into_thread(self, claim: Claim, loaded: _Loaded) -> None:
        """At milestones only: each is a message that stays."""
        milestone = milestone_of(share_done(loaded.view.pace.progress), not loaded.job.is_live)
        card = loaded.card.message if loaded.card is not None else None
        if (milestone > loaded.picture.milestone or loaded.picture.wanted) and card is not None:
            try:
                self.notifier.post_picture(loaded.view, self._draw(loaded), Place(card.channel, card.ts))
            except (PlotterError, NotifierError) as error:
                self._failed(claim, loaded, error)
                return
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            picture = tx.pictures.get(loaded.job.id)
            done = picture.uploaded(picture.file_id, loaded.picture.points, self.clock())
            tx.pictures.save(replace(done, shown_file_id=done.file_id, milestone=milestone))

    def _draw(self, loaded: _Loaded) -> bytes:
        title = f"{loaded.lease.name}/{loaded.job.number}"
        series, is_simulated = series_of(loaded.points), loaded.lease.offer.simulated
        return self.plotter.draw(CurvePicture.of(title, series, is_simulated=is_simulated, marks=loaded.marks))

    def _failed(self, claim: Claim, loaded: _Loaded, error: PlotterError | NotifierError) -> None:
        log.warning("picture.failed", job=loaded.job.id, code=error.code, detail=str(getattr(error, "detail", "")))
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.pictures.save(tx.pictures.get(loaded.job.id).failed(self.clock()))
