"""Run fetches: look into the archive, tell the asker what it holds, and hand over a file that is small enough."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import structlog

from bot.domain.claim import Claim, Duty
from bot.domain.fetching.browse import EARLIER
from bot.domain.fetching.run import SENT_AT_MOST_BYTES, FetchReport, FetchRun, report
from bot.domain.lease import Lease
from bot.errors import NotifierError, SlackBusy
from bot.ports.archive import Archive, Place, Trouble, TroubleKind
from bot.ports.clock import Clock
from bot.ports.courier import Courier
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class RunFetches:
    """Reconciler of `Duty.FETCH`; a thing is the wish's id. The words are at least once, and so is the file: after a
    crash between sending and storing its asker has it twice."""

    store: Store
    archive: Archive
    courier: Courier
    faults: Faults
    clock: Clock
    is_stopping: Callable[[], bool]
    archive_label: str
    most_at_once: int = 16
    duty: Duty = Duty.FETCH

    def due(self) -> tuple[str, ...]:
        """Wishes that have not ended."""
        with self.store.read() as tx:
            return tx.fetches.due(self.clock(), self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """One wish, to its end. Never again at once."""
        with self.store.read() as tx:
            run = tx.fetches.get(claim.thing)
            lease = tx.leases.get(run.lease_id) if run is not None else None
            files = tx.fetches.files(run.lease_id) if run is not None else ()
        if run is None or lease is None or run.ended_at is not None:
            return False
        place = Place.of(lease)
        told_as = place.below(self.archive_label)
        held = self.archive.held(place, self.is_stopping)
        if isinstance(held, Trouble):
            if held.kind is TroubleKind.STOPPED:
                return False
            found = FetchReport(run, lease, told_as, held.kind.value, held.detail)
        else:
            found = report(run, lease, told_as, files, held)
        self._hand_over(claim, run, lease, found)
        return False

    def _hand_over(self, claim: Claim, run: FetchRun, lease: Lease, found: FetchReport) -> None:
        content = b""
        if found.is_to_be_sent:
            content = self._content(lease, run, found)
            found = replace(found, is_damaged=not content)
        try:
            message = run.told or self.courier.tell(found)
            self.faults.reach(FaultPoint.FETCH_TOLD)
            run = run.evolve(told=message)
            self._save(claim, run)
            if content:
                self.courier.send(found, content, message)
                self.faults.reach(FaultPoint.FETCH_SENT)
        except NotifierError as error:
            log.warning("fetch.not-told", fetch=run.id, code=error.code)
            if content and run.told is not None and not isinstance(error, SlackBusy):
                self._hand_over(claim, run.evolve(told=None), lease, replace(found, is_refused=True))
                return
            self._save(claim, run.failed(self.clock(), error.wait_s))
            return
        self._save(claim, run.evolve(ended_at=self.clock()))

    def _content(self, lease: Lease, run: FetchRun, found: FetchReport) -> bytes:
        """The file's bytes, which are those that were verified as far as there is a record; empty if they are not."""
        if found.file is None:
            return b""
        content = self.archive.read(Place.of(lease), found.file.name, SENT_AT_MOST_BYTES, self.is_stopping)
        if isinstance(content, Trouble) or len(content) != found.file.size_bytes:
            return b""
        if run.wanted.startswith(EARLIER):
            return content
        with self.store.read() as tx:
            recorded = tx.fetches.hash_of(lease.id, run.wanted)
        if recorded is None:
            return content
        kind, digest = recorded
        is_it = hashlib.new(kind.value, content, usedforsecurity=False).hexdigest() == digest.lower()
        return content if is_it else b""

    def _save(self, claim: Claim, run: FetchRun) -> None:
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.fetches.save(run)
