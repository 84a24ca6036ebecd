"""Histories: everything that may happen to a machine with somebody's work on it, in any order, as hypothesis finds it.

After each step: no byte that the last inventory saw was destroyed without a valid yes that showed it, or a verified
copy.
"""

from collections.abc import Callable
from typing import ClassVar, Final, Protocol

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bot.domain.commands import WatchAction
from bot.domain.question import Answer
from bot.ports.faults import FaultPoint
from tests.soak.board import APPROVER, OWNER, STRANGER
from tests.soak.crew import ALL, Died
from tests.soak.world import FILES_ONLY, World

_P = FaultPoint
PATHS: Final = (
    b"~/work/model.pt",
    b"~/work/out/a b\n'-.bin",
    b"~/work/out/\xff\xfe",
    b"~/notes",
    b"~/work/train.log",
    b"~/work/__pycache__/last.pt",
    b"~/work/__pycache__/x.pyc",
    b"~/work/out/step.pt",
    b"~/work/README",
)
SKIPPED: Final = "~/work/out"
HIDDEN: Final = b"~/work/out"
DEADLY: Final = (
    *(_P.RELEASE_ASKED, _P.QUESTION_LOOKED, _P.QUESTION_STORED, _P.RELEASE_ANSWERED, _P.ANSWERS_READ, _P.END_STORED),
    *(_P.RELEASE_FENCED, _P.RELEASE_LOOKED, _P.SYNC_RECORDED, _P.SYNC_COPIED, _P.SYNC_STORED),
    *(_P.RELEASE_CALLED, _P.RELEASE_STORED, _P.STOP_RECORDED, _P.STOP_CALLED, _P.START_CALLED),
)
"""Fault points on the way of somebody's data; there the bot may die, or stand still while another one takes over."""
PLACES: Final = (*map(str, DEADLY), "remote.called", "remote.ended", "archive.asked", "archive.copying")
COPYING: Final = (
    *("archive.copying", "archive.copied", "archive.asked", "hash.reading", "sync.copied", "sync.stored"),
)
JUMPS: Final = {"back": -4_000.0, "a bit back": -70.0, "a bit on": 70.0, "on": 4_000.0}
ODD: Final = (*("well",) * 3, "another", "deaf", "mute", "restart", "stop", "start", "extend", *JUMPS)
TROUBLES: Final = (
    *("remote:slow", "remote:slow", "remote:refused", "remote:reply-lost", "remote:cut", "drags"),
    *("vendor:away", "vendor:reply-lost", "refuses-release", "lists-half"),
    *("archive:cut", "archive:full", "archive:torn", "archive:stopped"),
)
people = st.sampled_from((OWNER, OWNER, OWNER, APPROVER, APPROVER, STRANGER))
askers = st.sampled_from((OWNER, OWNER, OWNER, OWNER, OWNER, APPROVER, STRANGER))
paths = st.sampled_from(PATHS)
sizes = st.sampled_from((8, 8, 8, 8, 3_000))
parts = st.sampled_from(((), (), ("work/out",)))
mishaps = st.sampled_from(
    ("", "", "", "write", "write", "grow", "take-back", "take-back-unheard", "cut", "drags", "hide")
)
keeping = st.sampled_from((False, False, False, True))
graces = st.sampled_from((2.0, 61.0, 61.0, 61.0))
answers = st.sampled_from((Answer.YES, Answer.YES, Answer.SAVE, Answer.NO))
spans = st.sampled_from((2.0, 31.0, 61.0, 61.0, 130.0, 1_000.0, 20_000.0))


class Theatres(Protocol):
    """Gives worlds, one after the other."""

    def world(self) -> World: ...


class History(RuleBasedStateMachine):
    """One history; ``theatre`` and ``tell`` are set by whoever runs it. After a machine that is gone comes another."""

    theatre: ClassVar[Theatres]
    tell: ClassVar[Callable[["History"], None]] = lambda _: None
    world: World

    def __init__(self) -> None:
        super().__init__()
        self.steps = self.writes = self.releases = self.lost_bytes = 0
        self.lost: list[str] = []

    @initialize(written=st.lists(paths, max_size=2))
    def begin(self, written: list[bytes]) -> None:
        """A machine was just handed over, and perhaps something was made there."""
        self.world = self.theatre.world()
        for path in written:
            self._write(path, 8)

    # what people do on the machine

    @rule(path=paths, size=sizes)
    def write(self, path: bytes, size: int) -> None:
        """A new file, or another content of an old one."""
        self._write(path, size)
        self._on()

    @rule(path=paths)
    def grow(self, path: bytes) -> None:
        """Append to a file and keep it open, as a log is."""
        if self.world.stage.is_up:
            self.world.stage.files.grow(path, self._content(8))
        self._on()

    @rule(path=paths, to=paths, way=st.sampled_from(("rename", "rename", "delete", "close", "hide")))
    def tidy(self, path: bytes, to: bytes, way: str) -> None:
        """Rename, delete, close a file, or let nobody look into a folder (or let them again)."""
        self._tidy(path, to, way)
        self._on()

    @rule(begins=st.booleans(), stubborn=st.booleans())
    def job(self, begins: bool, stubborn: bool) -> None:
        """A job begins that writes a log, or ends."""
        world = self.world
        world.jobs.are_stubborn = stubborn
        if begins and world.stage.is_up:
            log = b"~/work/job.log"
            world.stage.files.grow(log, self._content(8))
            world.jobs.logs["amber-fox/1"] = log
        elif not begins:
            world.jobs.are_stubborn = False
            world.jobs.end(world.lease(), tuple(world.jobs.logs))
        self._on()

    # what people say

    @rule(
        by=askers, who=people, answer=answers, is_sign=st.booleans(), then=mishaps, path=paths, s=graces, keeps=keeping
    )
    def want_gone(
        self, by: str, who: str, answer: Answer, is_sign: bool, then: str, path: bytes, s: float, keeps: bool = False
    ) -> None:
        """Somebody wants it released, or the disk deleted that it has left; the question is answered as soon as it is
        there, and then something comes up."""
        self.world.ask(by, keep_disk=keeps)
        self.world.work()
        self._answer(who, answer, is_sign, 0)
        self.world.work()
        self._mishap(then, who, path, is_sign)
        self.world.pass_time(s)
        self._on()

    @rule(who=people, answer=answers, is_sign=st.booleans(), back=st.sampled_from((0, 0, 0, 1)))
    def answer(self, who: str, answer: Answer, is_sign: bool, back: int) -> None:
        """A press or a reaction, under the newest question or one before it; a reaction that is there is taken back."""
        self._answer(who, answer, is_sign, back)
        self._on()

    @rule(part=parts, then=mishaps, path=paths, place=st.sampled_from(COPYING), goes=st.booleans())
    def sync(self, part: tuple[str, ...], then: str, path: bytes, place: str, goes: bool) -> None:
        """Copy what is there, or a part of it; something comes up meanwhile. Then, perhaps, a wish to have it gone."""
        self.world.pending[place] = [lambda: self._mishap(then or "rewrite", OWNER, path, False)]
        self.world.sync(OWNER, part)
        self.world.work()
        if goes:
            self.world.ask(OWNER)
            self.world.work()
            self.world.pass_time(61.0)
        self._on()

    @rule(by=people, action=st.sampled_from((WatchAction.SKIP, WatchAction.REMOVE)))
    def skip(self, by: str, action: WatchAction) -> None:
        """Somebody says that a folder can be had again, or takes that back."""
        self.world.skip(by, SKIPPED, action)
        self._on()

    # time and trouble

    @rule(s=spans)
    def wait(self, s: float) -> None:
        """Time passes; logs that are open grow."""
        world = self.world
        if world.stage.is_up:
            for path in world.jobs.logs.values():
                world.stage.files.grow(path, b"epoch\n")
        world.pass_time(s)
        self._on()

    @rule(what=st.lists(st.sampled_from(TROUBLES), min_size=1, max_size=4))
    def trouble(self, what: list[str]) -> None:
        """Connections are cut, looks time out, the vendor or the archive fails."""
        for one in what:
            self.world.stage.strike(one)
        self._on()

    @rule(place=st.sampled_from(PLACES), what=st.sampled_from(("die", "die", "stall")))
    def befalls(self, place: str, what: str) -> None:
        """The bot will die, or stand still for long, when it comes to a place."""
        self.world.pending[place] = [self._die if what == "die" else self.world.stall]

    @rule(place=st.sampled_from((*PLACES, *FILES_ONLY, *FILES_ONLY)), path=paths, size=sizes)
    def meanwhile(self, place: str, path: bytes, size: int) -> None:
        """A file will be written when the bot is at a place."""
        self.world.pending[place] = [lambda: self._write(path, size)]

    @rule(place=st.sampled_from(PLACES), who=people, answer=answers)
    def meanwhile_answered(self, place: str, who: str, answer: Answer) -> None:
        """Somebody will press a button when the bot is at a place."""
        self.world.pending[place] = [lambda: self._answer(who, answer, False, 0)]

    @rule(what=st.sampled_from(ODD))
    def odd(self, what: str) -> None:
        """All is well again; Slack tells nothing of reactions, or cannot be asked; the bot is killed and started again;
        a disk that was left is forgotten; the machine is stopped or started, its lease made longer; somebody sets the
        clock of the bot's computer."""
        world = self.world
        match what:
            case "well" | "deaf" | "mute":
                world.board.hears, world.board.answers = what == "well", what != "mute"
                world.stage.heal()
            case "restart":
                world.restart()
                world.work(*ALL)
            case "another":
                if world.stage.has_left_a_disk:
                    self.world = self.theatre.world()
            case "stop" | "start" | "extend":
                world.operate(OWNER, what)
            case _:
                world.offset_s += JUMPS[what]
        self._on()

    # what has to hold

    @invariant()
    def nothing_is_lost_without_a_yes(self) -> None:
        """The promise."""
        assert not self.lost, self.lost

    def teardown(self) -> None:
        """For whoever counts."""
        type(self).tell(self)

    def _on(self) -> None:
        """The bot does what it was woken for; what it destroyed is judged."""
        world = self.world
        world.work()
        self.steps += 1
        releases, lost, lost_bytes = world.judge.judged()
        self.releases += releases
        self.lost += lost
        self.lost_bytes += lost_bytes
        if releases and not world.stage.has_left_a_disk:
            self.world = self.theatre.world()

    def _write(self, path: bytes, size: int) -> None:
        if self.world.stage.is_up:
            self.world.stage.files.write(path, self._content(size))

    def _mishap(self, what: str, who: str, path: bytes, is_sign: bool) -> None:
        """What comes up at the wrong moment."""
        world = self.world
        match what:
            case "write":
                self._write(path, 8)
            case "rewrite" if mine := [one for one in world.stage.files.all() if one in PATHS[:-1]]:
                self._write(mine[0], 8)
            case "grow" if world.stage.is_up:
                world.stage.files.grow(path, self._content(8))
            case "take-back" | "take-back-unheard":
                world.board.hears = what == "take-back"
                self._answer(who, Answer.YES if is_sign else Answer.NO, is_sign, 0)
                world.board.hears = True
            case "cut" | "drags":
                world.stage.strike("remote:slow" if what == "cut" else "drags")
            case "hide":
                world.stage.files.hide(HIDDEN)

    def _tidy(self, path: bytes, to: bytes, way: str) -> None:
        files = self.world.stage.files
        if way == "hide":
            files.hide(HIDDEN)
        elif self.world.stage.is_up and path in files.all() and path != to:
            match way:
                case "rename":
                    files.rename(path, to)
                case "delete":
                    files.delete(path)
                case _ if path in files.open:
                    files.close(path)

    def _answer(self, who: str, answer: Answer, is_sign: bool, back: int) -> None:
        posted = list(self.world.board.posted)
        if len(posted) <= back:
            return
        answer_by = self.world.react if is_sign else self.world.press
        answer_by(who, posted[-1 - back], answer)

    def _content(self, size: int) -> bytes:
        """Bytes that were never there before."""
        self.writes += 1
        return b"%08d" % self.writes + b"." * (size - 8)

    def _die(self) -> None:
        raise Died
