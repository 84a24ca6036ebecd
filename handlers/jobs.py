"""The verbs that start, follow and end jobs; typed or pressed."""

from dataclasses import replace
from typing import Final

from bot.domain.commands import JobRef, Jobs, Kill, Logs, Loss, Run, Try
from bot.domain.jobs.git import GitSource, read_git
from bot.domain.lease import Lease
from bot.domain.secret import Secret
from bot.errors import Refused
from bot.services.ask_curve import CurveOptions
from bot.services.run_job import After, JobWish
from handlers.desk import Asked, Desk
from handlers.words import chosen_curves, replies
from handlers.words import jobs as words
from handlers.words.log_file import asked_words

TRIAL_SCRIPT: Final = "train_digits.py"
_RUN_SCRIPT: Final = 'python3 "$GPUBOT_JOB_SCRIPT"'


def run(desk: Desk, asked: Asked, command: Run) -> str | None:
    """Start a job. None: the same delivery was answered before."""
    options = command.options
    wish = JobWish(
        command.command,
        name=options.name,
        directory=options.directory,
        env={name: Secret(value) for name, value in options.env},
        secrets=options.secrets,
        git=_git(options.git),
        max_s=options.max_duration_s,
        every_s=options.every_s,
        after=_after(desk, asked, command),
        then=options.then,
    )
    return _start(desk, asked, command.name, wish)


def try_out(desk: Desk, asked: Asked, command: Try) -> str | None:
    """Run the built-in small training."""
    return _start(desk, asked, command.name, JobWish(_RUN_SCRIPT, name="try", script=TRIAL_SCRIPT))


def list_jobs(desk: Desk, asked: Asked, command: Jobs) -> str:
    """A lease's jobs, newest first."""
    lease = desk.find(asked.actor, command.name, asked.place)
    return words.jobs_list(desk.jobs.listed(lease.id), lease)


def logs(desk: Desk, asked: Asked, command: Logs) -> str:
    """The end of an output, as it was last read."""
    lease, number = _meant(desk, asked, command.job)
    tail = desk.jobs.tail(lease.id, number, command.lines, command.grep)
    if command.as_file:
        desk.ask_log(asked.actor, tail.job, asked.delivery)
        return asked_words(tail.job, lease)
    return words.log_tail(tail, command.grep)


def kill(desk: Desk, asked: Asked, command: Kill) -> str:
    """End a job."""
    lease, number = _meant(desk, asked, command.job, is_live=True)
    return words.killing(desk.kill_job(asked.actor, lease.id, number), lease)


def loss(desk: Desk, asked: Asked, command: Loss) -> str:
    """What a curve says; its picture is brought up to date. With options a picture of its own comes to the asker."""
    if command.first is not None and desk.find.is_lease(command.first.lease or ""):
        others = tuple(job for job in command.jobs if job != JobRef(None, None))  # the one at hand was not meant
        command = replace(command, jobs=(command.first, *others), metrics=command.metrics[1:], first=None)
    if command.has_options:
        jobs = [_meant(desk, asked, job) for job in command.jobs or (None,)]
        options = CurveOptions(command.metrics, command.is_log, command.last_s)
        found = desk.ask_curve(asked.actor, [(lease.id, number) for lease, number in jobs], options, asked.delivery)
        return chosen_curves.asked_words(found)
    lease, number = _meant(desk, asked, command.jobs[0] if command.jobs else None)
    return words.loss(desk.jobs.curve(lease.id, number))


def press_kill(desk: Desk, asked: Asked, job_id: str) -> str | None:
    """*Kill* on a job's message, which shows to everybody what became of it."""
    desk.kill_job.by_id(asked.actor, job_id)
    return None


def press_extend(desk: Desk, asked: Asked, value: str) -> str:
    """*Extend* on a job that will not fit: once for each end of its lease, whoever presses and however often."""
    job_id, _, by_s = value.partition(":")
    view = desk.jobs.one(job_id)
    if view.forecast is None or view.forecast.fits:
        raise Refused("job-fits", name=view.lease.name, number=view.job.number)
    return replies.extended(desk.operate.extend(asked.actor, view.lease.id, int(by_s), asked.delivery))


def _start(desk: Desk, asked: Asked, name: str | None, wish: JobWish) -> str | None:
    lease = desk.find(asked.actor, name, asked.place)
    job = desk.run_job(asked.actor, lease.id, wish, asked.delivery)
    return None if job is None else words.started(job, lease)


def _meant(
    desk: Desk, asked: Asked, job: JobRef | None, lease_name: str | None = None, *, is_live: bool = False
) -> tuple[Lease, int | None]:
    """The lease, and the number of the job if it was said; ``lease_name``: of which one where the job does not say."""
    lease = desk.find(asked.actor, (job.lease if job else None) or lease_name, asked.place, for_job=True)
    if job is not None and job.title is not None:
        return lease, desk.find.job_called(lease, job.title, is_live=is_live)
    return lease, job.number if job else None


def _after(desk: Desk, asked: Asked, command: Run) -> After | None:
    """The job to wait for, on whatever machine; a number or a name alone is one of the same machine."""
    job = command.options.after
    if job is None:
        return None
    if job.lease is not None and job.number is None and job.title is None:
        here = desk.find(asked.actor, command.name, asked.place)
        if desk.find.has_job(here, job.lease) or not desk.find.is_lease(job.lease):
            job = JobRef(None, None, job.lease)
    lease, number = _meant(desk, asked, job, command.name)
    return After(lease.id, number)


def _git(text: str | None) -> GitSource | None:
    if text is None:
        return None
    source = read_git(text)
    if source is None:
        raise Refused("bad-git", url=text)
    return source
