"""The bot of the histories: the real services and reconcilers, driven step by step by one hand and one clock."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Final

from bot.domain.claim import Duty
from bot.domain.ending import EndRule
from bot.domain.idle import IdleRule
from bot.domain.instance import Capabilities
from bot.domain.lifecycle.timing import Timing
from bot.domain.policy import Policy
from bot.errors import ClaimLost, GpubotError
from bot.ports.archive import Archive
from bot.ports.examiner import Examiner
from bot.ports.faults import FaultPoint
from bot.ports.provider import Provider
from bot.ports.remote import Remote
from bot.ports.running_jobs import RunningJobs
from bot.ports.surveyor import Surveyor
from bot.ports.vault import Vault
from bot.scheduler import Reconciler
from bot.services.answer_question import AnswerQuestion
from bot.services.disks import Disks
from bot.services.keep_disks import KeepDisks
from bot.services.look_before_asking import LookBeforeAsking
from bot.services.mind_ends import MindEnds, SteadyClock
from bot.services.operate import Operate
from bot.services.read_answers import Connected, ReadAnswers
from bot.services.reconcile_lease import Act, ReconcileLease, TakeLastLook
from bot.services.release import Release
from bot.services.run_syncs import RunSyncs
from bot.services.sync import Sync
from bot.services.watch_paths import WatchPaths
from storage.store import SqlStore
from tests.soak.board import APPROVER, Board

OFTEN: Final = (Duty.ANSWER, Duty.LEASE, Duty.DISK)
ALL: Final = (*OFTEN, Duty.INVENTORY, Duty.SYNC, Duty.ENDING)
TTL: Final = timedelta(seconds=30)
GRACE: Final = timedelta(seconds=60)
ROUNDS: Final = 8
IDLE: Final = IdleRule(1800.0, 60.0)
_numbers = count(1)


class Died(BaseException):
    """As by SIGKILL."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a bot is made of; it outlives its processes."""

    store: SqlStore
    provider: Provider
    remote: Remote
    examiner: Examiner
    surveyor: Surveyor
    archive: Archive
    vault: Vault
    jobs: RunningJobs
    board: Board
    clock: Callable[[], datetime]
    monotonic: Callable[[], float]
    at: Callable[[str], None]
    settle_s: float = 60.0

    @property
    def capabilities(self) -> Mapping[str, Capabilities]:
        return {self.provider.name: self.provider.capabilities()}

    @property
    def policy(self) -> Policy:
        board = self.board
        return Policy(
            approvers=frozenset({APPROVER}),
            release_approver_above_bytes=board.approver_above_bytes,
            owner_first_s=board.owner_first.total_seconds(),
        )


@dataclass
class Crew:
    """One process of the bot. Also its `Wake` and its `Faults`."""

    parts: Parts
    holder: str = field(default_factory=lambda: f"bot{next(_numbers)}")
    woken: set[Duty] = field(default_factory=set)

    def __post_init__(self) -> None:
        p, clock = self.parts, self.parts.clock
        common = (self, self, clock)
        self.release = Release(p.store, *common, self.new_id, p.policy, p.capabilities)
        self.disks = Disks(p.store, self, clock, self.new_id, p.policy)
        self.takes = AnswerQuestion(p.store, *common, self.new_id, p.policy, has_archive=True)
        self.sync = Sync(p.store, *common, self.new_id, p.policy, has_archive=True)
        self.watch = WatchPaths(p.store, clock, p.policy, p.capabilities)
        self.operate = Operate(p.store, *common, p.policy, p.capabilities)
        act = Act({p.provider.name: p.provider}, p.remote, p.examiner, p.surveyor, p.vault, clock)
        last_look = TakeLastLook(p.surveyor, p.jobs, self, clock)
        timing = Timing(poll_s=1.0, boot_limit_s=60.0, settle_s=p.settle_s)
        self.leases = ReconcileLease(p.store, act, last_look, self, self, clock, self.new_id, timing, p.capabilities)
        self.answers = ReadAnswers(p.store, p.board, self.takes, *common, p.policy, 60.0, 600.0, Connected(clock()))
        looks = LookBeforeAsking(p.store, p.surveyor, p.jobs, *common, IDLE)
        syncs = RunSyncs(p.store, p.surveyor, p.archive, p.jobs, *common, self.new_id, lambda: False, "archive")
        disks = KeepDisks(p.store, {p.provider.name: p.provider}, *common, self.new_id, GRACE)
        steady = SteadyClock(clock, p.monotonic)
        ends = MindEnds(p.store, *common, self.new_id, steady, p.capabilities, EndRule(), IDLE)
        self.lines: tuple[Reconciler, ...] = (self.answers, looks, self.leases, disks, syncs, ends)

    @staticmethod
    def new_id() -> str:
        """Of 16 digits, as ever."""
        return f"{next(_numbers):016x}"

    def wake(self, duty: Duty) -> None:
        """See `Wake`."""
        self.woken.add(duty)

    def reach(self, point: FaultPoint) -> None:
        """See `Faults`."""
        self.parts.at(point.value)

    def work(self, *duties: Duty) -> bool:
        """Rounds of what was woken and of ``duties``, until nothing is due any more; whether anything was."""
        self.woken.update(duties)
        did = False
        for _ in range(ROUNDS):
            turn = [line for line in self.lines if line.duty in self.woken]
            if not turn:
                break
            for line in turn:
                self.woken.discard(line.duty)
                for thing in line.due():
                    did = True
                    if self._step(line, thing):
                        self.woken.add(line.duty)
        return did

    def _step(self, line: Reconciler, thing: str) -> bool:
        """As the scheduler does it."""
        store, clock = self.parts.store, self.parts.clock
        with store.transaction() as tx:
            claim = tx.claims.take(thing, line.duty, self.holder, clock(), TTL)
        if claim is None:
            return False
        again = False
        try:
            again = line.step(claim)
        except ClaimLost:
            pass
        except GpubotError:
            pass
        with store.transaction() as tx:
            tx.claims.drop(claim)
        return again
