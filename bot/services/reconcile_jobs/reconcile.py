"""Reconcile the jobs of one machine: compare what is wanted with what is, and take one step for all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.domain.claim import Claim, Duty
from bot.domain.curve import describe, series_of
from bot.domain.jobs.alerts import nonfinite_is_told
from bot.domain.jobs.digest import JobOutcome, begin_start, digest
from bot.domain.jobs.events import JobEvent, JobEventKind
from bot.domain.jobs.failure import READ_LINES, failure_facts
from bot.domain.jobs.findings import Finding, Unseen
from bot.domain.jobs.job import Job, JobState
from bot.domain.jobs.lines import last_lines
from bot.domain.jobs.steps import BeginStart, Conclude, Kill, Poll, Rest, Start, Step, next_step
from bot.domain.lease import Lease
from bot.domain.living import Subject
from bot.domain.money import between_microusd
from bot.domain.notice import Notice, NoticeKind, Priority
from bot.domain.problem import Facts
from bot.errors import VaultLocked
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store, Tx
from bot.ports.wake import Wake
from bot.services.reconcile_jobs.act import ActOnJobs
from bot.services.reconcile_jobs.figures import went_on
from bot.services.reconcile_jobs.files import take_in_files
from bot.services.reconcile_jobs.follow_up import carry_on, copy_meanwhile

log = structlog.get_logger()
ROUNDS: Final = 8
"""A machine whose jobs have more to do at once than this lets others go first."""
REST_S: Final = 2.0
_Todo = tuple[Job, Step]


@dataclass(frozen=True, slots=True)
class ReconcileJobs:
    """Reconciler of `Duty.JOB`; a thing is a lease's id. Offset, reader, points and state of a job are stored in one
    transaction, under the claim: each line counts once."""

    store: Store
    act: ActOnJobs
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    most_at_once: int = 64
    duty: Duty = Duty.JOB

    def due(self) -> tuple[str, ...]:
        """Leases with a job that needs a step now."""
        with self.store.read() as tx:
            return tx.jobs.due(self.clock(), self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """Work on one machine's jobs until they rest. True: others may wait for what changed."""
        changed = False
        for _ in range(ROUNDS):
            leads_on, changed_now = self._round(claim)
            changed = changed or changed_now
            if changed_now:
                self.wake.wake(Duty.MESSAGE)
                self.wake.wake(Duty.NOTICE)
                self.wake.wake(Duty.PICTURE)
            if not leads_on:
                break
        return changed

    def _round(self, claim: Claim) -> tuple[bool, bool]:
        """One step for each job: (whether the next one is due at once, whether people see a difference)."""
        now = self.clock()
        with self.store.read() as tx:
            lease, jobs = tx.leases.get(claim.thing), tx.jobs.followed(claim.thing)
            if lease is None:
                return False, False
            todo = [(job, next_step(job, lease, now, _awaited(tx, job))) for job in jobs]
        leads_on = self._decide_stored(claim, lease, todo, now)
        seen = [self._start(claim, job, lease) for job, step in todo if isinstance(step, Start)]
        seen += [self._kill(claim, job, lease) for job, step in todo if isinstance(step, Kill)]
        seen += self._poll(claim, [job for job, step in todo if isinstance(step, Poll)], lease)
        if seen:
            self.faults.reach(FaultPoint.JOB_STORED)
        return leads_on or any(again for again, _ in seen), leads_on or any(changed for _, changed in seen)

    def _start(self, claim: Claim, job: Job, lease: Lease) -> tuple[bool, bool]:
        finding = self.act.start(job, lease)
        self.faults.reach(FaultPoint.JOB_STARTED)
        return self._apply(claim, job, lease, finding)

    def _kill(self, claim: Claim, job: Job, lease: Lease) -> tuple[bool, bool]:
        finding = self.act.kill(job, lease)
        self.faults.reach(FaultPoint.JOB_KILLED)
        return self._apply(claim, job, lease, finding)

    def _poll(self, claim: Claim, jobs: Sequence[Job], lease: Lease) -> list[tuple[bool, bool]]:
        if not jobs:
            return []
        with self.store.read() as tx:
            files = {job.id: tx.jobs.files(job.id) for job in jobs}
        finding = self.act.poll(jobs, lease, files, self.clock())
        self.faults.reach(FaultPoint.JOB_POLLED)
        return [self._apply(claim, job, lease, finding) for job in jobs]

    def _decide_stored(self, claim: Claim, lease: Lease, todo: Sequence[_Todo], now: datetime) -> bool:
        """Steps that only write, each decided anew inside the transaction; whether one of them leads on."""
        writes = [job.id for job, step in todo if _is_written(job, step, now)]
        if not writes:
            return False
        leads_on = False
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            for job_id in writes:
                job = tx.jobs.lock(job_id)
                step = None if job is None else next_step(job, lease, now, _awaited(tx, job))
                if job is None or step is None:
                    continue
                match step:
                    case BeginStart():
                        tx.jobs.save(begin_start(job, now))
                        leads_on = True
                    case Conclude(finding):
                        self._store(tx, job, lease, digest(job, finding, now, self.act.timing), now)
                        leads_on = True
                    case Rest(until):
                        tx.jobs.save(job.noted(next_look_at=until or now + timedelta(seconds=REST_S)))
                    case _:
                        leads_on = True
        return leads_on

    def _apply(self, claim: Claim, asked: Job, lease: Lease, finding: Finding) -> tuple[bool, bool]:
        now = self.clock()
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            job = tx.jobs.lock(asked.id)
            if job is None:
                return False, False
            outcome = self._digested(job, finding, now)
            after = self._store(tx, job, lease, outcome, now)
        self._awake(job, after)
        is_due = after.next_look_at is not None and after.next_look_at <= now
        return is_due, after.version != job.version or bool(outcome.output) or outcome.files.brings_news

    def _digested(self, job: Job, finding: Finding, now: datetime) -> JobOutcome:
        """Without its secrets nothing is taken of its output: it would be stored as the machine told it."""
        try:
            secrets = self.act.secrets_of(job)
        except VaultLocked as error:
            return digest(job, Unseen(error.code), now, self.act.timing)
        return digest(job, finding, now, self.act.timing, secrets)

    def _awake(self, before: Job, after: Job) -> None:
        """Those who carry out what the job leads to."""
        if after.next_sync_at != before.next_sync_at:
            self.wake.wake(Duty.SYNC)
        if before.is_live and not after.is_live:
            for duty in (Duty.JOB, *((Duty.SYNC, Duty.LEASE, Duty.INVENTORY) if after.then is not None else ())):
                self.wake.wake(duty)

    def _store(self, tx: Tx, job: Job, lease: Lease, outcome: JobOutcome, now: datetime) -> Job:
        after = outcome.job
        if after.is_live and after.kill_wanted_by and after.kill_sent_at is None and not after.attempts:
            after = after.noted(next_look_at=now)  # a wish that came while the step ran does not wait
        self._store_output(tx, job, after, outcome.output, now)
        after = take_in_files(tx, after, outcome.files, now, self.act.timing)
        after = copy_meanwhile(tx, after, self.new_id, now)
        tx.jobs.save(after.noted(judge_at=_judged_next(job, after, now)))
        then = carry_on(tx, after, self.new_id, now) if job.is_live and not after.is_live else {}
        for event in outcome.events:
            if event.kind is not JobEventKind.STARTED:  # its message says so
                facts = self._facts(tx, event, after, lease, now)
                told = {**facts, **then} if event.kind is JobEventKind.ENDED else facts
                tx.outbox.put(_notice(event, after, told), now)
        if after.state is not job.state:
            log.info("job.moved", job=job.id, lease=lease.id, was=job.state, now=after.state)
        return after

    def _store_output(self, tx: Tx, before: Job, after: Job, piece: bytes, now: datetime) -> None:
        """Each byte once: what was taken is what the offset, stored with it, was moved over."""
        is_over = not after.is_live and not after.has_unread_output
        is_emptied = after.offset_bytes < before.offset_bytes
        if not (piece or is_over or is_emptied):
            return
        known = tx.jobs.output(after.id)
        output, points = (known.emptied() if is_emptied else known).taken(piece, now)
        if is_over:
            output, last_points = output.finished(now)
            points += last_points
        tx.jobs.save_output(output)
        if piece and not before.is_live:
            tx.living.touch(Subject.JOB, after.id, Priority.FIGURES)  # nothing else would: its state stays
        if points:
            tx.points.add(after.id, points)
        went_on(tx, after, known, output, has_points=bool(points))

    def _facts(self, tx: Tx, event: JobEvent, job: Job, lease: Lease, now: datetime) -> Facts:
        facts: dict[str, str | int | float | bool | None] = {**event.facts, "number": job.number, "owner": job.owner}
        if job.name:
            facts["title"] = job.name
        if event.kind is not JobEventKind.ENDED or job.started_at is None:
            return facts
        ended_at = max(job.started_at, job.ended_at or now)
        if job.ending is not None and not job.ending.is_success:
            lines = last_lines(tx.jobs.output(job.id).tail, READ_LINES)
            offers = (offer for sheet in tx.offers.sheets() for offer in sheet.offers)
            facts |= failure_facts(job.ending, lines, lease.offer, offers)
        facts["cost_microusd"] = between_microusd(lease.offer.price_microusd_per_hour, job.started_at, ended_at)
        recent = tx.points.recent(job.id, 1)
        curve = describe(series_of(point for points in recent.values() for point in points))
        if curve is not None and curve.last is not None:
            if not curve.ends_nonfinite:
                facts |= {"metric": curve.metric, "last": curve.last.value}
            elif not nonfinite_is_told(curve.metric, job.id, tx.outbox.has):
                facts |= {"metric": curve.metric, "ends_nonfinite": True}
        return facts


def _is_written(job: Job, step: Step, now: datetime) -> bool:
    if isinstance(step, Rest):
        return job.next_look_at is None or job.next_look_at <= now
    return isinstance(step, BeginStart | Conclude)


def _judged_next(before: Job, after: Job, now: datetime) -> datetime | None:
    """From when it runs on, and once more when it has ended and all of its output was taken."""
    if after.state is JobState.RUNNING and after.judge_at is None:
        return now
    was_going_on = before.is_live or before.has_more_to_read
    is_over = not after.is_live and not after.has_more_to_read
    return now if was_going_on and is_over and after.started_at is not None else after.judge_at


def _awaited(tx: Tx, job: Job) -> Job | None:
    """The job that it waits for, as long as that matters."""
    is_waiting = job.after_id is not None and job.state is JobState.REQUESTED
    return tx.jobs.get(job.after_id) if is_waiting and job.after_id is not None else None


def _notice(event: JobEvent, job: Job, facts: Facts) -> Notice:
    return Notice(event.occasion, NoticeKind(event.kind.value), job.lease_id, facts=facts)
