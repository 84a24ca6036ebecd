"""Reading a job as its message, its card, the home and answers show it; the services behind them call no other."""

from datetime import datetime

from bot.domain.jobs.job import Job
from bot.domain.jobs.view import RECENT_POINTS, JobView, job_view
from bot.domain.lease import Lease
from bot.ports.store import Tx


def read_job_view(tx: Tx, job: Job, lease: Lease, now: datetime) -> JobView:
    """A job as people see it, from what is stored."""
    recent = tx.points.recent(job.id, RECENT_POINTS)
    sources = tx.points.sources(job.id)
    not_whole = tx.jobs.not_whole(job.id)
    return job_view(job, lease, tx.jobs.output(job.id), recent, tx.pictures.get(job.id), now, sources, not_whole)
