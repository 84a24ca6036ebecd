"""Act: one step on a machine for its jobs; whatever happens is a finding."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import structlog

from bot.domain.instance import Capabilities
from bot.domain.jobs.findings import Finding, Reported, Unseen
from bot.domain.jobs.job import Job
from bot.domain.jobs.requests import kill_request, poll_request, start_request
from bot.domain.jobs.run_file import RunFile
from bot.domain.jobs.status import read_report
from bot.domain.jobs.timing import JobTiming
from bot.domain.lease import Lease
from bot.domain.redaction import NOTHING, Redactor
from bot.errors import RemoteError, VaultLocked
from bot.ports.remote import Login, Remote, Step
from bot.ports.vault import Vault

log = structlog.get_logger()
DEADLINE_S: Final = 30.0
DEFAULT_WORK: Final = "~/work"


@dataclass(frozen=True, slots=True)
class ActOnJobs:
    """Starts, polls and kills. ``scripts`` are the texts of those that ship with gpubot, by name."""

    remote: Remote
    vault: Vault
    capabilities: Mapping[str, Capabilities]
    scripts: Mapping[str, str]
    timing: JobTiming

    def start(self, job: Job, lease: Lease) -> Finding:
        """Have the machine start it; it starts it once, however often it is told."""
        try:
            env = json.loads(self.vault.unseal(job.sealed_env).reveal()) if job.sealed_env else {}
            secrets = self.secrets_of(job)
        except VaultLocked as error:
            return Unseen(error.code)
        able = self.capabilities.get(lease.offer.provider)
        work = able.data_path if able is not None and able.data_path.startswith(("/", "~")) else DEFAULT_WORK
        told = job.noted(command=secrets.restored(job.command))
        request = start_request(told, env, work, self.timing, self.scripts.get(job.script))
        return self._talk(lease, Step.START_JOB, request)

    def secrets_of(self, job: Job) -> Redactor:
        """What takes its secrets out of its output.

        Raises:
            VaultLocked: nobody knows what to take out, so no output may be taken.
        """
        if not job.sealed_secrets:
            return NOTHING
        return Redactor(json.loads(self.vault.unseal(job.sealed_secrets).reveal()))

    def poll(self, jobs: Sequence[Job], lease: Lease, files: Mapping[str, Sequence[RunFile]], now: datetime) -> Finding:
        """See how they all are, and what is new in their output and in the ``files`` beside it."""
        return self._talk(lease, Step.POLL_JOB, poll_request(jobs, self.timing, files, now))

    def kill(self, job: Job, lease: Lease) -> Finding:
        """Have the machine end it."""
        return self._talk(lease, Step.KILL_JOB, kill_request(job, self.timing))

    def _talk(self, lease: Lease, step: Step, request: bytes) -> Finding:
        if lease.address is None:
            return Unseen("no-address")
        try:
            login = Login(lease.address, self.vault.unseal(lease.sealed_private_key))
            output = self.remote.run(login, step, (), request, DEADLINE_S)
        except (RemoteError, VaultLocked) as error:
            detail = str(getattr(error, "detail", ""))
            log.info("job.step-failed", lease=lease.id, step=step.value, code=error.code, detail=detail)
            return Unseen(error.code, detail)
        return Reported(read_report(output.text))
