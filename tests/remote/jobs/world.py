"""A machine for jobs, and what can be asked of it."""

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from bot.domain.instance import Instance, InstanceRef, InstanceState
from bot.domain.jobs.ending import Ending, ending_of
from bot.domain.jobs.job import Job, JobState
from bot.domain.jobs.requests import kill_request, poll_request, start_request
from bot.domain.jobs.status import JobStatus, Report, Seen, read_report
from bot.domain.jobs.timing import JobTiming
from bot.domain.secret import Secret
from bot.ports.remote import Login, Step
from bot.providers.local.places import Root
from bot.providers.local.provider import LocalProvider
from bot.remote.ssh import SshRemote
from tests.providers.world import Key, eventually, in_state

AT = datetime(2026, 1, 2, tzinfo=UTC)
NUMBERS = count(1)
TIMING = JobTiming(grace_s=1.0, piece_bytes=1 << 20)


def new_job(command: str, **fields: Any) -> Job:
    number = next(NUMBERS)
    job = Job(f"job-{os.getpid()}-{number}", "lease-1", number, "U1", command, AT, JobState.STARTING, AT)
    return replace(job, **fields)


@dataclass
class Machine:
    """A running local instance."""

    provider: LocalProvider
    ref: InstanceRef
    key: Key
    root: Path
    remote: SshRemote = field(default_factory=SshRemote)

    @property
    def instance(self) -> Instance:
        return in_state(self.provider, self.ref, InstanceState.RUNNING)

    @property
    def home(self) -> Path:
        return Root(self.root).place(self.ref.id).home

    @property
    def login(self) -> Login:
        address = self.instance.address
        assert address is not None
        return Login(address, Secret(self.key.path.read_text(encoding="ascii")))

    def folder(self, job: Job) -> Path:
        return self.home / ".gpubot" / "jobs" / job.id

    def step(self, step: Step, request: bytes) -> Report:
        output = self.remote.run(self.login, step, (), request, 20)
        report = read_report(output.text)
        assert report.is_complete, output.text
        return report

    def start(self, job: Job, env: dict[str, str] | None = None, timing: JobTiming = TIMING) -> JobStatus:
        return self.step(Step.START_JOB, start_request(job, env or {}, "~/work", timing)).jobs[job.id]

    def poll(self, job: Job) -> JobStatus:
        return self.step(Step.POLL_JOB, poll_request([job], TIMING)).jobs[job.id]

    def kill(self, job: Job, by: str = "U2") -> JobStatus:
        return self.step(Step.KILL_JOB, kill_request(replace(job, kill_wanted_by=by), TIMING)).jobs[job.id]

    def until(self, job: Job, holds: Callable[[JobStatus], bool], within_s: float = 15.0) -> JobStatus:
        found: JobStatus = eventually(lambda: self.poll(job), holds, within_s)
        return found

    def until_said(self, job: Job, text: bytes) -> JobStatus:
        return self.until(job, lambda status: text in status.output)

    def ended(self, job: Job, within_s: float = 15.0) -> tuple[Ending, JobStatus]:
        status = self.until(job, lambda status: status.seen is Seen.ENDED, within_s)
        assert status.exit is not None
        return ending_of(status.exit, status.killed_by), status

    def run(self, command: str, env: dict[str, str] | None = None, **fields: Any) -> tuple[Ending, JobStatus]:
        job = new_job(command, **fields)
        self.start(job, env)
        return self.ended(job)

    def keeper(self, job: Job) -> int:
        """Its process number."""
        import json

        return int(json.loads((self.folder(job) / "claim").read_text(encoding="ascii"))["pid"])

    def end_keeper(self, job: Job) -> None:
        os.kill(self.keeper(job), signal.SIGKILL)
        self.until(job, lambda status: not status.has_keeper)


def marked(job: Job) -> list[int]:
    """Processes that carry the job's mark."""
    found = []
    for path in Path("/proc").iterdir():
        try:
            if path.name.isdigit() and f"GPUBOT_JOB={job.id}".encode() in (path / "environ").read_bytes().split(b"\0"):
                found.append(int(path.name))
        except OSError:
            continue
    return found
