"""What follows when a run tells more of itself, in its output or in a file beside it."""

from bot.domain.jobs.job import Job
from bot.domain.jobs.reading import JobOutput
from bot.domain.living import Subject
from bot.domain.metrics import Progress
from bot.domain.notice import Priority
from bot.ports.store import Tx


def went_on(tx: Tx, job: Job, before: JobOutput, after: JobOutput, *, has_points: bool) -> None:
    """Its picture falls behind by new points. What it tells first does not wait until the card's figures are due."""
    has_position = before.progress == Progress() != after.progress
    has_curve = has_points and not tx.pictures.get(job.id).points
    if job.is_live and (has_position or has_curve):
        tx.living.touch(Subject.LEASE, job.lease_id, Priority.FIGURES)
    if has_points:
        tx.pictures.went_on(job.id)
