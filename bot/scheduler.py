"""The schedule: which reconciler runs how often (APScheduler), each thing under a claim, spread over a pool."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

import structlog
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.background import BackgroundScheduler

from bot.domain.claim import Claim, Duty
from bot.errors import ClaimLost, GpubotError
from bot.ports.clock import Clock
from bot.ports.store import Store

log = structlog.get_logger()
ROUNDS_APART_S: Final = 0.02


class Reconciler(Protocol):
    """Compares wanted with what is, one thing at a time; a step is safe to repeat."""

    @property
    def duty(self) -> Duty:
        """What it does; its claims carry it."""
        ...

    def due(self) -> tuple[str, ...]:
        """The things that need a step now, the most urgent first."""
        ...

    def step(self, claim: Claim) -> bool:
        """One step for ``claim.thing``. True: ask for what is due again at once."""
        ...


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the schedule: a reconciler, its round's interval and how many of its things at a time."""

    reconciler: Reconciler
    every_s: float
    workers: int


class Scheduler:
    """Runs reconcilers in rounds and when woken. Implements `bot.ports.wake.Wake`."""

    def __init__(self, store: Store, clock: Clock, holder: str, claim_ttl: timedelta) -> None:
        self._store, self._clock, self._holder, self._ttl = store, clock, holder, claim_ttl
        self._rounds: dict[Duty, _Rounds] = {}
        self._apscheduler = BackgroundScheduler(timezone=UTC)
        self._stopping = threading.Event()

    def start(self, lines: Sequence[Line]) -> None:
        """Begin the rounds."""
        options = {"coalesce": True, "max_instances": 1, "misfire_grace_time": 60}
        for line in lines:
            rounds = _Rounds(line, self._store, self._clock, self._holder, self._ttl, self._stopping)
            self._rounds[line.reconciler.duty] = rounds
            self._apscheduler.add_job(
                rounds.run, "interval", seconds=line.every_s, id=line.reconciler.duty, next_run_time=_soon(), **options
            )
        beat_s = self._ttl.total_seconds() / 3
        self._apscheduler.add_job(self._beat, "interval", seconds=beat_s, id="heartbeat", **options)
        self._apscheduler.start()

    def wake(self, duty: Duty) -> None:
        """Let a duty's round run now; when one is running, it goes round once more."""
        rounds = self._rounds.get(duty)
        if rounds is None or self._stopping.is_set():
            return
        rounds.asked.set()
        try:
            self._apscheduler.modify_job(duty, next_run_time=_soon())
        except JobLookupError:
            log.debug("wake.lost", duty=duty)

    @property
    def is_stopping(self) -> bool:
        """Whether steps that take long are to leave off where they can be resumed."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """Drain: no new step begins; those under way end."""
        self._stopping.set()
        if self._apscheduler.running:
            self._apscheduler.shutdown(wait=True)
        for rounds in self._rounds.values():
            rounds.pool.shutdown(wait=True, cancel_futures=True)

    def _beat(self) -> None:
        try:
            with self._store.transaction() as tx:
                tx.claims.renew(self._holder, self._clock(), self._ttl)
        except GpubotError as error:
            log.warning("heartbeat.missed", code=error.code)


class _Rounds:
    """The rounds of one reconciler."""

    def __init__(
        self, line: Line, store: Store, clock: Clock, holder: str, ttl: timedelta, stopping: threading.Event
    ) -> None:
        self._reconciler, self._workers = line.reconciler, line.workers
        self._store, self._clock, self._holder, self._ttl = store, clock, holder, ttl
        self._stopping = stopping
        self._busy: set[str] = set()
        self._lock = threading.Lock()
        self._looking = threading.Lock()
        self._more = threading.Event()
        """More is due than there were hands: whoever has finished looks again."""
        self.asked = threading.Event()
        self.pool = ThreadPoolExecutor(line.workers, thread_name_prefix=line.reconciler.duty)

    def run(self) -> None:
        """A round, now or right after the one that is under way: never two at a time, whoever asks and how often."""
        self.asked.set()
        while self.asked.is_set() and not self._stopping.is_set():
            if not self._looking.acquire(blocking=False):
                return
            try:
                self.asked.clear()
                self._round()
                # Wishes come in bursts: one round answers them all.
                self._stopping.wait(ROUNDS_APART_S)
            finally:
                self._looking.release()

    def _round(self) -> None:
        """Hand each due thing to the pool, unless it is being worked on here."""
        try:
            due = self._reconciler.due()
        except GpubotError as error:
            log.warning("round.failed", duty=self._reconciler.duty, code=error.code, detail=_detail(error))
            return
        except Exception:
            log.exception("round.broke", duty=self._reconciler.duty)
            return
        for thing in due:
            with self._lock:
                if thing in self._busy or self._stopping.is_set():
                    continue
                if len(self._busy) >= self._workers:
                    self._more.set()
                    return
                self._busy.add(thing)
            self.pool.submit(self._work, thing)

    def _work(self, thing: str) -> None:
        """The border of all background work: nothing leaves it but a log line."""
        again = False
        try:
            again = self._under_claim(thing)
        except ClaimLost as error:
            log.warning("claim.lost", thing=error.thing, duty=error.duty)
        except GpubotError as error:
            log.warning("step.failed", thing=thing, duty=self._reconciler.duty, code=error.code, detail=_detail(error))
        except Exception:
            log.exception("step.broke", thing=thing, duty=self._reconciler.duty)
        finally:
            with self._lock:
                self._busy.discard(thing)
        if again or self._more.is_set():
            self._more.clear()
            self.run()

    def _under_claim(self, thing: str) -> bool:
        duty = self._reconciler.duty
        with self._store.transaction() as tx:
            claim = tx.claims.take(thing, duty, self._holder, self._clock(), self._ttl)
        if claim is None:
            return False
        try:
            return self._reconciler.step(claim)
        finally:
            with self._store.transaction() as tx:
                tx.claims.drop(claim)


def _detail(error: GpubotError) -> str:
    return str(getattr(error, "detail", ""))


def _soon() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 -- APScheduler wants wall-clock times
