"""A world for one history: a stage with a machine on it, a bot, people, and what happens to them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from bot.domain.claim import Duty
from bot.domain.commands import WatchAction
from bot.domain.departure import US, ReleaseAnswer
from bot.domain.inventory.wishes import WatchedPath
from bot.domain.lease import Lease
from bot.domain.living import Subject
from bot.domain.notice import NoticeKind
from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.domain.question import Answer, Question, QuestionState
from bot.errors import GpubotError
from storage.store import SqlStore
from tests.soak.board import OWNER, TEAM, Board, Spell, Yes
from tests.soak.crew import ALL, OFTEN, TTL, Crew, Died, Parts
from tests.soak.files import Files
from tests.soak.judge import Judge
from tests.soak.stage import Stage
from tests.soak.watching import WatchedProvider, WatchedRemote, WatchedSurveyor

LEASE: Final = "00000000000lease"
LONG_S: Final = 1_000.0
"""Only after so long a lease may have come to its end."""
FILES_ONLY: Final = ("look.walking", "hash.reading")
"""Places within a script: nothing but files may change there."""


@dataclass
class Jobs:
    """What runs on the machine, each with a log that it holds open. Behind the port `RunningJobs`."""

    files: Files
    logs: dict[str, bytes] = field(default_factory=dict)
    are_stubborn: bool = False

    def names(self, _lease: Lease, /) -> tuple[str, ...]:
        return tuple(self.logs)

    def end(self, _lease: Lease, names: tuple[str, ...], /) -> None:
        for name in names:
            if not self.are_stubborn and (log := self.logs.pop(name, None)) in self.files.open and log is not None:
                self.files.close(log)


@dataclass
class World:
    """One history's. What people do here is taken by the bot's services, or refused by them."""

    stage: Stage
    store: SqlStore
    image: Mapping[bytes, bytes]
    lease_id: str = LEASE
    offset_s: float = 0.0
    """How far the bot's clock is off."""
    board: Board = field(default_factory=Board)
    pending: dict[str, list[Callable[[], None]]] = field(default_factory=dict)
    """What happens when a place is reached next."""
    is_inside: bool = False

    def __post_init__(self) -> None:
        stage = self.stage
        stage.at = self.at
        self.judge = Judge(
            stage.files.all, stage.witness, stage.holds, self.board, self.question, dict(self.image), stage.settle_s
        )
        self.jobs = Jobs(stage.files)
        remote = WatchedRemote(stage.remote, self.judge)
        self.parts = Parts(
            store=self.store,
            provider=WatchedProvider(stage.provider, self.judge, self.lease, self.now),
            remote=remote,
            examiner=stage.examiner,
            surveyor=WatchedSurveyor(stage.survey(remote, self._watched), self.judge),
            archive=stage.archive,
            vault=stage.vault,
            jobs=self.jobs,
            board=self.board,
            clock=self.now,
            monotonic=stage.now_s,
            at=self.at,
            settle_s=stage.settle_s,
        )
        self.crew = Crew(self.parts)

    # looking

    def now(self) -> datetime:
        """By the bot's clock."""
        return datetime.fromtimestamp(self.stage.now_s() + self.offset_s, UTC)

    def question(self, question_id: str) -> Question | None:
        with self.store.read() as tx:
            return tx.questions.get(question_id)

    def _watched(self, lease_id: str) -> tuple[WatchedPath, ...]:
        with self.store.read() as tx:
            return tx.watched.of(lease_id)

    def lease(self) -> Lease:
        with self.store.read() as tx:
            lease = tx.leases.get(self.lease_id)
        assert lease is not None
        return lease

    # the bot

    def work(self, *duties: Duty) -> None:
        """The bot does what it was woken for, and what is due of ``duties``; what it asks is seen by people. If it
        dies, another one is started."""
        did = True
        for _ in range(3):
            try:
                did = self.crew.work(*duties)
            except Died:
                self.restart()
                duties = ALL
                continue
            break
        if did:
            self.post()

    def restart(self) -> None:
        """Another process of the bot; what the one before had claimed is free after a while."""
        self.stage.pass_time(TTL.total_seconds() + 1)
        self.crew = Crew(self.parts)

    def stall(self) -> None:
        """The bot stands still; another one takes over; then the first goes on as if nothing had been."""
        self.restart()
        try:
            self.crew.work(*ALL)
        except Died:
            self.restart()
        self.post()

    def at(self, place: str) -> None:
        """A place is reached."""
        if self.is_inside or place not in self.pending:
            return
        waiting, self.is_inside = self.pending.pop(place), True
        try:
            for happens in waiting:
                happens()
        finally:
            self.is_inside = False

    def post(self) -> None:
        """What is asked is shown, and the owner is told where it is not theirs."""
        with self.store.read() as tx:
            disk = tx.disks.of_lease(self.lease_id)
            of_machine = tx.questions.latest(self.lease_id)
            of_disk = tx.questions.latest_of_disk(disk.id) if disk is not None else None
            latest = of_disk or of_machine
            is_new = latest is not None and latest.id not in self.board.posted
            shown = tx.looks.of(latest.id).shown if latest is not None and is_new else None
        if latest is None:
            return
        if latest.state is QuestionState.OPEN and shown is not None:
            self.board.posted[latest.id] = self.judge.showing(shown)
            with self.store.transaction() as tx:
                living = tx.living.get(Subject.QUESTION, latest.id)
                assert living is not None
                tx.living.shown(living, MessageRef("C1", latest.id), self.now())
        if latest.asked_by not in (OWNER, US) and latest.id not in self.board.told_owner_at:
            self._tell_owner()

    def _tell_owner(self) -> None:
        now = self.now()
        with self.store.transaction() as tx:
            for queued in tx.outbox.due(now, 50):
                tx.outbox.said(queued.id, now)
                if queued.notice.kind is NoticeKind.OWNER_ASKED:
                    self.board.told_owner_at[str(queued.notice.facts["question"])] = now

    def pass_time(self, s: float) -> None:
        """Time passes, then the bot does what is due; once more a moment later, for what goes in two steps."""
        self.stage.pass_time(s)
        self.work(*(ALL if s >= LONG_S else ALL[:-1]))
        self.stage.pass_time(1.5)
        self.work(*OFTEN)

    # people

    def told(self, act: Callable[[], object]) -> object | None:
        """What the bot answers; None where it refuses, or dies over it."""
        try:
            return act()
        except GpubotError:
            return None
        except Died:
            self.restart()
            return None

    def ask(self, user: str, *, keep_disk: bool = False) -> None:
        """`release`, or, of the disk that a machine has left, `disks delete`."""
        if self.stage.has_left_a_disk:
            self.told(lambda: self.crew.disks.ask(_actor(user), self.lease().name))
            self.post()  # nothing has to be looked at first
        else:
            self.told(lambda: self.crew.release.ask(_actor(user), self.lease_id, keep_disk=keep_disk))

    def press(self, user: str, question_id: str, answer: Answer) -> None:
        """A button of a question that was shown."""
        at, count = self.now(), len(self.board.presses)
        if answer is Answer.YES:
            self.board.presses.append(Yes(question_id, user, at, self.board.posted[question_id], is_sign=False))
        became = self.told(lambda: self.crew.takes.answer(_actor(user), question_id, answer))
        if became is ReleaseAnswer.KEPT:
            self.board.kept.append((question_id, at))
        if answer is Answer.YES and became is not ReleaseAnswer.YES and self.question_state(question_id) != "yes":
            del self.board.presses[count:]

    def question_state(self, question_id: str) -> str:
        question = self.question(question_id)
        return "" if question is None else question.state.value

    def react(self, user: str, question_id: str, answer: Answer) -> None:
        """A reaction is added, or taken back where it is there."""
        now, board = self.now(), self.board
        there = [s for s in board.spells if (s.question_id, s.answer, s.by) == (question_id, answer, user)]
        standing = next((spell for spell in there if spell.until is None), None)
        if standing is not None:
            standing.until = now
        else:
            board.spells.append(Spell(question_id, answer, user, now))
        if not board.hears:
            return
        takes = self.crew.takes
        if standing is None:
            became = self.told(lambda: takes.answer(_actor(user), question_id, answer, by_sign=True))
        elif answer is not Answer.NO:
            became = self.told(lambda: takes.take_back(_actor(user), question_id))
        else:
            became = None
        if became is ReleaseAnswer.KEPT:
            board.kept.append((question_id, now))

    def sync(self, user: str, paths: Sequence[str] = ()) -> None:
        """`sync`."""
        self.told(lambda: self.crew.sync.ask(_actor(user), self.lease_id, tuple(paths), self.crew.new_id()))

    def skip(self, user: str, folder: str, action: WatchAction) -> None:
        """`watch … --skip`, and `--remove`."""
        watch, actor = self.crew.watch, _actor(user)
        done = self.told(lambda: watch.change(actor, self.lease_id, action, (folder,), self.crew.new_id()))
        if done is not None and self.board.may(user, OWNER):
            (set.add if action is WatchAction.SKIP else set.discard)(self.judge.skipped, folder.encode())

    def operate(self, user: str, verb: str) -> None:
        """`stop`, `start`, or `extend` by an hour."""
        operate, actor = self.crew.operate, _actor(user)
        match verb:
            case "stop":
                self.told(lambda: operate.stop(actor, self.lease_id))
            case "start":
                self.told(lambda: operate.start(actor, self.lease_id))
            case _:
                self.told(lambda: operate.extend(actor, self.lease_id, 3600, self.crew.new_id()))


def _actor(user: str) -> Actor:
    return Actor(user, TEAM)
