"""A job's output as a file, in words."""

from bot.domain.jobs.job import Job
from bot.domain.jobs.log_file import SENT_AT_MOST_BYTES, LogFile
from bot.domain.lease import Lease
from handlers.words.jobs import job_name
from handlers.words.paths import size_words


def asked_words(job: Job, lease: Lease) -> str:
    """The answer to `logs JOB --file`."""
    most = size_words(SENT_AT_MOST_BYTES)
    return f"The output of *{job_name(job, lease)}* comes to you directly as a file: all of it, or its last {most}."


def log_file_words(found: LogFile) -> str:
    """What is sent, and what is not."""
    name = f"*{job_name(found.job, found.lease)}*"
    if not found.content:
        return f"{name} has printed nothing, as far as I know: there is no file to send."
    if not found.is_from_machine:
        return (
            f"The machine of {name} cannot be asked now, so this is the end of its output that is kept here, "
            f"{size_words(len(found.content))} of {size_words(found.size_bytes)}. The file is in this thread."
        )
    if not found.is_whole:
        return (
            f"The output of {name} has {size_words(found.size_bytes)}; its last {size_words(SENT_AT_MOST_BYTES)}, the most "
            "that I send, are in this thread. All of it is on the machine."
        )
    return f"The output of {name}, all {size_words(found.size_bytes)} of it, is in this thread."


def log_file_name(job: Job, lease: Lease) -> str:
    """A name that every computer takes."""
    return f"{lease.name}-{job.number}.log"
