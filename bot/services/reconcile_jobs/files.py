"""Take in what a poll told of the files beside a job's output, in the transaction that stores the job."""

from datetime import datetime, timedelta

from bot.domain.jobs.files_seen import FilesSeen
from bot.domain.jobs.job import Job
from bot.domain.jobs.run_file import Taken, take_files
from bot.domain.jobs.timing import JobTiming
from bot.domain.living import Subject
from bot.domain.metrics import Progress
from bot.domain.notice import Priority
from bot.ports.store import Tx
from bot.services.reconcile_jobs.figures import went_on


def take_in_files(tx: Tx, job: Job, seen: FilesSeen, now: datetime, timing: JobTiming) -> Job:
    """The job, with what is still to be read of its files; their states and points are stored, each byte once."""
    if seen.found is None and not seen.pieces:
        return job.noted(unread_files=None) if not job.is_live and not job.attempts else job
    known = tx.jobs.files(job.id)
    taken = take_files(job.id, known, seen, now, is_over=not job.is_live)
    for one in taken:
        if one.file not in known:
            tx.jobs.save_file(one.file)
        if one.points or one.replaces:
            tx.points.add_from(job.id, one.file.source, one.points, replaces=one.replaces)
    if any(one.points for one in taken):
        _went_on(tx, job, taken, now)
    unread = sum(one.file.is_unread for one in taken) if taken else None
    job = job.noted(unread_files=unread)
    if unread:  # where nothing came there was no room for it, or it is just being written
        goes_on = seen.found is not None or seen.brings_news
        job = job.noted(next_look_at=now if goes_on else now + timedelta(seconds=timing.poll_s))
    return job if seen.found is None else job.noted(find_files_at=now + timedelta(seconds=timing.find_files_s))


def _went_on(tx: Tx, job: Job, taken: tuple[Taken, ...], now: datetime) -> None:
    progress = next((one.file.progress for one in taken if one.points and one.file.progress != Progress()), None)
    known = tx.jobs.output(job.id)
    output = known.went_on(progress or known.progress, now)
    tx.jobs.save_output(output)
    went_on(tx, job, known, output, has_points=True)
    if not job.is_live:
        tx.living.touch(Subject.JOB, job.id, Priority.FIGURES)  # nothing else would: its state stays
