"""A job's output, taken piece by piece, each byte once."""

from bot.domain.jobs.events import JobEvent, JobEventKind, job_event
from bot.domain.jobs.job import Job
from bot.domain.jobs.status import JobStatus


def take_output(job: Job, status: JobStatus) -> tuple[Job, bytes, tuple[JobEvent, ...]]:
    """The job with its offset moved on, and what it was moved over.

    A piece from elsewhere (a poll that was overtaken, the tail somebody looked at) is not taken. Where the log is
    shorter than what was taken, somebody emptied it: it is read from its beginning.
    """
    if status.size_bytes is None:
        return job.noted(size_bytes=job.offset_bytes), b"", ()
    if status.size_bytes < job.offset_bytes:
        emptied = job.noted(offset_bytes=0, size_bytes=status.size_bytes)
        at = f"{job.offset_bytes}:{status.size_bytes}"
        return emptied, b"", (job_event(job, JobEventKind.OUTPUT_CUT, rung=at, taken_bytes=job.offset_bytes),)
    job = job.noted(size_bytes=status.size_bytes)
    if status.offset_bytes != job.offset_bytes or not status.output:
        return job, b"", ()
    return job.noted(offset_bytes=job.offset_bytes + len(status.output)), status.output, ()
