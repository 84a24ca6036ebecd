"""Send logs: read a job's output from its machine, take its secrets out, and hand it to whoever asked."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import structlog

from bot.domain.claim import Claim, Duty
from bot.domain.inventory.watched import may_answer
from bot.domain.jobs.job import Job
from bot.domain.jobs.log_file import PIECE_BYTES, SENT_AT_MOST_BYTES, LogFile, LogWish
from bot.domain.jobs.requests import piece_request
from bot.domain.jobs.status import JobStatus, read_report
from bot.domain.lease import Lease
from bot.domain.redaction import NOTHING, Redactor
from bot.errors import NotifierError, RemoteError, VaultLocked
from bot.ports.clock import Clock
from bot.ports.courier import Courier
from bot.ports.faults import FaultPoint, Faults
from bot.ports.remote import Login, Remote, Step
from bot.ports.store import Store
from bot.ports.vault import Vault

log = structlog.get_logger()
DEADLINE_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class SendLogs:
    """Reconciler of `Duty.LOG`; a thing is the wish's id. Words and file are at least once: after a crash between
    sending and storing its asker has the file twice."""

    store: Store
    remote: Remote
    vault: Vault
    courier: Courier
    faults: Faults
    clock: Clock
    most_at_once: int = 16
    duty: Duty = Duty.LOG

    def due(self) -> tuple[str, ...]:
        """Wishes that have not ended."""
        with self.store.read() as tx:
            return tx.logs.due(self.clock(), self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """One wish, to its end. Never again at once."""
        with self.store.read() as tx:
            wish = tx.logs.get(claim.thing)
            job = tx.jobs.get(wish.job_id) if wish is not None else None
            lease = tx.leases.get(job.lease_id) if job is not None else None
            kept = tx.jobs.output(job.id).tail if job is not None else b""
        if wish is None or job is None or lease is None or wish.ended_at is not None:
            return False
        found = self._found(wish, job, lease, kept)
        try:
            wish = wish.evolve(told=wish.told or self.courier.tell_log(found))
            self._save(claim, wish)
            if found.content and wish.told is not None:
                self.courier.send_log(found, wish.told)
                self.faults.reach(FaultPoint.LOG_SENT)
        except NotifierError as error:
            log.warning("log.not-sent", wish=wish.id, code=error.code)
            self._save(claim, wish.failed(self.clock(), error.wait_s))
            return False
        self._save(claim, wish.evolve(ended_at=self.clock()))
        return False

    def _found(self, wish: LogWish, job: Job, lease: Lease, kept: bytes) -> LogFile:
        """From the machine where that answers, else the end that is kept here."""
        try:
            secrets = self._secrets(job)
            pieces = list(self._pieces(job, lease))
        except (RemoteError, VaultLocked) as error:
            log.info("log.not-read", job=job.id, code=error.code)
            return LogFile(wish, job, lease, kept, max(job.size_bytes, len(kept)), False)
        if not pieces or pieces[0].size_bytes is None:
            return LogFile(wish, job, lease, kept, max(job.size_bytes, len(kept)), False)
        whole = b"".join(piece.output for piece in pieces)
        if len(whole) < pieces[0].size_bytes and secrets is not NOTHING:
            whole = whole[whole.find(b"\n") + 1 :]  # a value may have been cut where it begins
        return LogFile(wish, job, lease, secrets.output(whole), pieces[0].size_bytes, True)

    def _pieces(self, job: Job, lease: Lease) -> Iterator[JobStatus]:
        """From where the last megabytes begin, as many as there were when it was first asked."""
        if lease.address is None or not may_answer(lease):
            return
        login = Login(lease.address, self.vault.unseal(lease.sealed_private_key))
        offset, end = -1, -1
        while end < 0 or offset < end:
            limit = 0 if end < 0 else min(PIECE_BYTES, end - offset)
            output = self.remote.run(login, Step.POLL_JOB, (), piece_request(job, max(0, offset), limit), DEADLINE_S)
            status = read_report(output.text).jobs.get(job.id)
            if status is None or status.size_bytes is None:
                return
            yield status
            if end < 0:
                end, offset = status.size_bytes, max(0, status.size_bytes - SENT_AT_MOST_BYTES)
            elif not status.output:
                return
            else:
                offset += len(status.output)

    def _secrets(self, job: Job) -> Redactor:
        if not job.sealed_secrets:
            return NOTHING
        return Redactor(json.loads(self.vault.unseal(job.sealed_secrets).reveal()))

    def _save(self, claim: Claim, wish: LogWish) -> None:
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.logs.save(wish)
