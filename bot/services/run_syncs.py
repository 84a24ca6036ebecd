"""Run syncs: copy what is unsynced to the archive, verify it, and say what is safe and what is not."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import structlog

from bot.domain.audit import AuditEntry
from bot.domain.claim import Claim, Duty
from bot.domain.departure import US, asked_anew
from bot.domain.inventory.files import FileState, KnownFiles
from bot.domain.inventory.inventory import Inventory, Verdict, WhyUnknown
from bot.domain.inventory.listed import Listed
from bot.domain.inventory.request import shares
from bot.domain.inventory.watched import to_be_copied
from bot.domain.lease import Lease, Want
from bot.domain.notice import Priority
from bot.domain.problem import Facts
from bot.domain.question import QuestionState
from bot.domain.sync import NAMED_AT_MOST, NotSafe, SyncRun
from bot.errors import RemoteError, VaultLocked
from bot.ports.archive import Archive, CopyOrder, Place, Progress, Saved, Trouble, TroubleKind
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.running_jobs import RunningJobs
from bot.ports.store import Store, Tx
from bot.ports.surveyor import Surveyor
from bot.ports.wake import Wake

log = structlog.get_logger()
FILES_AT_ONCE: Final = 2_000
BYTES_AT_ONCE: Final = 8 * 1024**3
"""What was verified is on record after each such part, so that a crash costs little."""
PROGRESS_EVERY: Final = timedelta(seconds=5)


class _Stopped(Exception):
    """The process ends; the next one goes on."""


@dataclass(frozen=True, slots=True)
class RunSyncs:
    """Reconciler of `Duty.SYNC`; a thing is a lease's id. It may take hours, under a claim of its own. A crash costs
    the part that was under way, of which rclone copies again only what is not there yet."""

    store: Store
    surveyor: Surveyor
    archive: Archive
    jobs: RunningJobs
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    is_stopping: Callable[[], bool]
    archive_label: str
    """The archive as people are told it."""
    most_at_once: int = 16
    duty: Duty = Duty.SYNC

    def due(self) -> tuple[str, ...]:
        """Leases with a sync that has not ended."""
        with self.store.read() as tx:
            return tx.syncs.due(self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """One sync, from where it is to its end. True: another one waits."""
        with self.store.read() as tx:
            lease, runs = tx.leases.get(claim.thing), tx.syncs.open_of(claim.thing)
            known = tx.safe.known(claim.thing)
        if lease is None or not runs:
            return False
        place = Place.of(lease)
        run = runs[0].evolve(started_at=runs[0].started_at or self.clock(), place=place.below(self.archive_label))
        try:
            run, known = self._copy(claim, lease, run, place, known)
        except _Stopped:
            return False
        except (RemoteError, VaultLocked) as error:
            with self.store.read() as tx:
                run, known = tx.syncs.get(run.id) or run, tx.safe.known(lease.id)
            run = run.evolve(trouble=error.code, detail=str(getattr(error, "detail", "")))
        self._end(claim, lease, run, known)
        return len(runs) > 1

    def _copy(
        self, claim: Claim, lease: Lease, run: SyncRun, place: Place, known: KnownFiles
    ) -> tuple[SyncRun, KnownFiles]:
        """Everything that the look at its beginning found, part by part."""
        kind = self.archive.hash_kind()
        if isinstance(kind, Trouble):
            return run.evolve(trouble=kind.kind.value, detail=kind.detail), known
        self.archive.end_strays(place)
        whole = to_be_copied(lease)
        found = self.surveyor.inventory(whole, known, self.clock())
        if not found.told:
            return run.evolve(trouble=(found.why_unknown or WhyUnknown.GARBLED).value), known
        if not run.paths:  # of a part it is not known beforehand how much it is
            run = run.evolve(total_files=run.files + found.files, total_bytes=run.size_bytes + found.size_bytes)
        self._save(claim, run, Priority.STATE)
        # Those that failed before a restart are tried, and told, again.
        run = run.evolve(not_safe=(), not_safe_files=0)
        count = shares(found.files)
        for number in range(count):
            listed = self.surveyor.listing(whole, known, (number, count)) if found.files else ()
            for part in _parts(state for state in listed if run.covers(state.path, found.home)):
                order = CopyOrder(
                    self.surveyor.login(lease), found.home, place, tuple(s.path for s in part), _stamp(run)
                )
                saved = self._one_part(claim, lease, run, order)
                self.faults.reach(FaultPoint.SYNC_COPIED)
                run = self._stored(claim, lease, run, saved)
                known = known.with_states(entry.state for entry in saved.manifest)
                if run.trouble is not None:
                    return run, known
        return run, known

    def _one_part(self, claim: Claim, lease: Lease, run: SyncRun, order: CopyOrder) -> Saved:
        shown_at = self.clock()

        def on_progress(progress: Progress) -> None:
            nonlocal shown_at
            now = self.clock()
            if now - shown_at >= PROGRESS_EVERY:
                shown_at = now
                figures = run.evolve(copied_bytes=progress.size_bytes, bytes_per_s=progress.bytes_per_s)
                self._save(claim, figures, Priority.FIGURES)

        saved = self.archive.save(
            order,
            lambda paths, kind: self.surveyor.hashes(lease, paths, kind),
            on_progress,
            self.is_stopping,
            self.clock,
        )
        if saved.trouble is not None and saved.trouble.kind is TroubleKind.STOPPED:
            raise _Stopped
        return saved

    def _stored(self, claim: Claim, lease: Lease, run: SyncRun, saved: Saved) -> SyncRun:
        """What is verified counts from here on, whatever happens to the rest."""
        failed = [result for result in saved.results if result.entry is None]
        named = [NotSafe.of(one.path, one.reason.value if one.reason is not None else "trouble") for one in failed]
        run = run.evolve(
            files=run.files + len(saved.manifest),
            size_bytes=run.size_bytes + sum(entry.state.size_bytes for entry in saved.manifest),
            copied_bytes=0,
            not_safe=(*run.not_safe, *named)[:NAMED_AT_MOST],
            not_safe_files=run.not_safe_files + len(failed),
            trouble=saved.trouble.kind.value if saved.trouble is not None else None,
            detail=saved.trouble.detail if saved.trouble is not None else "",
        )
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.safe.verified(lease.id, saved.manifest)
            tx.syncs.save(run, Priority.FIGURES)
        self.faults.reach(FaultPoint.SYNC_STORED)
        self.wake.wake(Duty.MESSAGE)
        return run

    def _save(self, claim: Claim, run: SyncRun, priority: Priority) -> None:
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.syncs.save(run, priority)
        self.wake.wake(Duty.MESSAGE)

    def _end(self, claim: Claim, lease: Lease, run: SyncRun, known: KnownFiles) -> None:
        """The statement, by a look of its own; and what it means for the question that it answers."""
        now = self.clock()
        jobs = self.jobs.names(lease)
        after = self.surveyor.inventory(lease, known, now, jobs)
        listed = self.surveyor.listed(lease, known, after) if run.question_id is not None else None
        ended = run.evolve(
            ended_at=self.clock(),
            left_files=after.files,
            left_bytes=after.size_bytes,
            why_unknown=after.why_unknown.value if after.why_unknown is not None else None,
        )
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.syncs.save(ended, Priority.STATE)
            facts: Facts = {
                "files": run.files,
                "size_bytes": run.size_bytes,
                "place": run.place,
                "not_safe_files": run.not_safe_files,
                "trouble": run.trouble,
            }
            tx.audit.add(AuditEntry(now, US, "synced", lease.id, facts))
            if run.question_id is not None:
                self._go_on(tx, run.question_id, after, listed)
        log.info("sync.ended", lease=lease.id, files=run.files, not_safe=run.not_safe_files, trouble=run.trouble)
        for duty in (Duty.LEASE, Duty.MESSAGE):
            self.wake.wake(duty)

    def _go_on(self, tx: Tx, question_id: str, after: Inventory, listed: Listed | None) -> None:
        """Nothing is left: the release goes on. Something is: a person is asked anew, with what is not safe and why."""
        now = self.clock()
        question = tx.questions.lock(question_id)
        lease = tx.leases.lock(question.lease_id) if question is not None else None
        if question is None or lease is None or question.state is not QuestionState.SAVING:
            return
        if after.verdict is Verdict.CLEAN:
            tx.questions.save(replace(question, state=QuestionState.CLEAN, answered_at=now))
            tx.leases.save(lease.evolve(want=Want.RELEASED, next_look_at=now), now)
            return
        tx.questions.save(replace(question, state=QuestionState.SUPERSEDED))
        if not lease.is_live:
            return
        anew = asked_anew(question, self.new_id(), after, now)
        tx.questions.add(anew)
        tx.looks.show(anew.id, after)
        if listed is not None:
            tx.looks.keep_list(anew.id, listed)
        tx.leases.save(lease.evolve(), now)


def _stamp(run: SyncRun) -> str:
    """Names the folder for what this copy replaces."""
    return (run.started_at or run.asked_at).strftime("%Y-%m-%dT%H%M%SZ")


def _parts(states: Iterator[FileState]) -> Iterator[tuple[FileState, ...]]:
    """A few thousand files or a few gigabytes at a time."""
    part: list[FileState] = []
    size_bytes = 0
    for state in states:
        part.append(state)
        size_bytes += state.size_bytes
        if len(part) >= FILES_AT_ONCE or size_bytes >= BYTES_AT_ONCE:
            yield tuple(part)
            part, size_bytes = [], 0
    if part:
        yield tuple(part)
