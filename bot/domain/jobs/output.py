"""A job's output, taken piece by piece, each byte once."""

from bot.domain.jobs.events import JobEvent, JobEventKind, job_event
from bot.domain.jobs.job import Job
from bot.domain.jobs.status import JobStatus
from bot.domain.redaction import NOTHING, Redactor


def take_output(job: Job, status: JobStatus, secrets: Redactor = NOTHING) -> tuple[Job, bytes, tuple[JobEvent, ...]]:
    """The job with its offset moved on, and what it was moved over, without the values of its secrets. The beginning of
    such a value at the end of a piece waits for its rest, as if it had not been written yet.

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
    piece = status.output
    is_all = job.offset_bytes + len(piece) >= job.size_bytes
    begun = secrets.begun_at_end(piece) if job.is_live or not is_all else 0
    if begun == len(piece) and not is_all:
        begun = 0  # a piece as short as that would come for ever
    if begun:
        piece = piece[:-begun]
        job = job.noted(size_bytes=job.size_bytes - begun if is_all else job.size_bytes)
    return job.noted(offset_bytes=job.offset_bytes + len(piece)), secrets.output(piece), ()
