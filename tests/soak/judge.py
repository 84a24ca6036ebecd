"""The judge: what a release destroyed, against what the looks saw, what people were shown, and what they said.

It believes the truth (files, archive, reactions, presses) and takes from the product only what it told people.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from bot.domain.instance import InstanceRef, ReleaseOutcome
from bot.domain.inventory.files import FileState, KnownFiles
from bot.domain.inventory.hashes import Answers, HashKind
from bot.domain.inventory.inventory import Inventory
from bot.domain.inventory.listed import Listed
from bot.domain.lease import Lease
from bot.domain.on_disk import Familiar, OnDisk
from bot.domain.question import Question, QuestionState
from bot.domain.release import CLEARANCE_LIFE, Clearance
from bot.errors import NotAllowed
from bot.ports.provider import Provider
from bot.ports.remote import Login, Remote, Step, StepOutput
from bot.ports.surveyor import Surveyor
from tests.soak.board import Board, Yes
from tests.soak.files import Seen, is_left_out

GRACE: Final = timedelta(seconds=60)
SLACK: Final = timedelta(seconds=5)
"""Between the decision and the vendor's answer."""
Sights = dict[bytes, Seen]


@dataclass(frozen=True, slots=True)
class Look:
    """One inventory: what it saw, truly, and what the bot made of it."""

    told: Inventory
    seen: Sights
    truth: Sights
    """All that was there when it ended."""
    unseen: Sights
    """What was there all the while, and it did not see."""
    owed: int
    """How many files it had to count at least."""
    is_fenced: bool
    """The doors were to be closed before it."""
    is_open: bool
    """They were not."""

    @property
    def is_unknown(self) -> bool:
        return self.told.why_unknown is not None

    def shows(self, path: bytes, now: Seen) -> bool:
        """Whether who read of it knew of these bytes, or of an open file that grew to them."""
        before = self.seen.get(path)
        if before is None or self.told.files < self.owed:
            return False
        is_grown = now.inode == before.inode and len(now.content) > len(before.content)
        return now.content == before.content or (path in self.told.open.first and is_grown)

    def blinds(self, path: bytes) -> bool:
        """Whether it lies in a place that was named as not to be seen."""
        return any(path.startswith(spot.path + b"/") for spot in self.told.blind.first)


@dataclass
class Judge:
    """``truth``: all files now; ``witness``: what the walk that just ended saw; ``holds``: what the archive has."""

    truth: Callable[[], Sights]
    witness: Callable[[], Sights]
    holds: Callable[[Lease, bytes, bytes], bool]
    board: Board
    question_of: Callable[[str], Question | None]
    image: dict[bytes, bytes] = field(default_factory=dict)
    settle_s: float = 60.0
    skipped: set[bytes] = field(default_factory=set)
    """Folders of which people said that they can be had again, and were told that it is so."""
    looks: list[Look] = field(default_factory=list)
    is_fenced: bool = False
    is_open: bool = True
    releases: int = 0
    lost: list[str] = field(default_factory=list)
    lost_bytes: int = 0

    def belongs(self, sights: Sights) -> Sights:
        """What is a person's: not what the image brought, nor what rules leave out."""
        return {
            path: seen
            for path, seen in sights.items()
            if not is_left_out(path, self.skipped) and self.image.get(path) != seen.content
        }

    def looked(self, lease: Lease, told: Inventory, before: Sights) -> None:
        """The bot has an inventory; ``before``: what was there when it began."""
        seen = self.belongs(self.witness()) if told.told else {}
        truth = self.belongs(self.truth())
        unseen = {path: one for path, one in truth.items() if path not in seen and before.get(path) == one}
        owed = sum(not self.holds(lease, path, one.content) for path, one in seen.items())
        self.looks.append(Look(told, seen, truth, unseen, owed, self.is_fenced, self.is_open))

    def showing(self, told: Inventory) -> Look | None:
        """The look that a question shows."""
        which = (told.told, told.taken_at)
        return next((look for look in reversed(self.looks) if (look.told.told, look.told.taken_at) == which), None)

    def released(self, lease: Lease, truth: Sights, now: datetime) -> None:
        """The machine is gone by our doing; ``truth``: what was on it."""
        self.releases += 1
        last = self.looks[-1] if self.looks else None
        yeses = [yes for yes in self.board.yeses() if self._is_valid(yes, lease, now)]
        for path, one in self._at_stake(last, self.belongs(truth), bool(yeses)).items():
            if self.holds(lease, path, one.content) or any(_covers(yes, path, one, last) for yes in yeses):
                continue
            self.lost_bytes += len(one.content)
            self.lost.append(f"{path!r} ({one.content[:12]!r}): {len(yeses)} valid yes, {_of(last)}")

    def _at_stake(self, last: Look | None, truth: Sights, has_yes: bool) -> Sights:
        """What the last look saw, or should have: without one after the doors were closed, all that was there. Doors
        that cannot be closed need a yes."""
        if last is None or not last.is_fenced or (last.is_open and not has_yes):
            return truth
        if last.is_unknown:
            return last.truth
        return last.seen | last.unseen

    def _is_valid(self, yes: Yes, lease: Lease, now: datetime) -> bool:
        """By the rules that people are told, from what they did."""
        question, shown = self.question_of(yes.question_id), yes.shown
        if question is None or shown is None or not self.board.may(yes.by, lease.owner):
            return False
        is_heard = question.state is QuestionState.YES and question.answered_by == yes.by
        given_at = max(yes.at, question.answered_at or yes.at) if is_heard else yes.at
        ripe_at = given_at + GRACE
        if not ripe_at <= now < ripe_at + CLEARANCE_LIFE + SLACK or not self.board.stands(yes, lease.owner, ripe_at):
            return False
        is_approver = yes.by in self.board.approvers and yes.by != question.asked_by
        if (shown.is_unknown or shown.told.size_bytes > self.board.approver_above_bytes) and not is_approver:
            return False
        is_of_another = question.cause is None and question.asked_by != lease.owner
        if not is_of_another or yes.by == lease.owner:
            return True
        counts_from = self._owner_counts_from(question)
        return counts_from is not None and given_at >= counts_from

    def _owner_counts_from(self, question: Question | None) -> datetime | None:
        """The owner is told when somebody asks, not again when the same wish is asked anew."""
        while question is not None:
            if (told := self.board.owner_counts_from(question.id)) is not None:
                return told
            question = self.question_of(question.follows) if question.follows is not None else None
        return None


def _of(last: Look | None) -> str:
    if last is None:
        return "no look"
    told = last.told
    return f"last look: {told.verdict}, {told.files} files, {told.why_unknown}, after the doors: {last.is_fenced}"


def _covers(yes: Yes, path: bytes, one: Seen, last: Look | None) -> bool:
    shown = yes.shown
    if shown is None:
        return False
    could_not_see = shown.is_unknown and (last is None or last.is_unknown)
    return could_not_see or shown.shows(path, one) or shown.blinds(path)


@dataclass(frozen=True, slots=True)
class WatchedProvider:
    """The bot's provider, with the judge beside it."""

    inner: Provider
    judge: Judge
    lease: Callable[[], Lease]
    now: Callable[[], datetime]

    @property
    def name(self) -> str:
        return self.inner.name

    def release(self, ref: InstanceRef, clearance: Clearance) -> ReleaseOutcome:
        truth, is_gone = self.judge.truth(), True
        try:
            return self.inner.release(ref, clearance)
        except NotAllowed:
            is_gone = False
            raise
        finally:
            if is_gone:
                self.judge.released(self.lease(), truth, self.now())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass(frozen=True, slots=True)
class WatchedRemote:
    """The bot's way to machines, with the judge beside it: who puts people's keys opens the doors."""

    inner: Remote
    judge: Judge

    def run(self, login: Login, step: Step, args: tuple[str, ...], stdin: bytes, deadline_s: float) -> StepOutput:
        done = self.inner.run(login, step, args, stdin, deadline_s)
        if step is Step.PUT_KEYS and done.exit_status == 0:
            self.judge.is_open = stdin.count(b"\n") > 1
            self.judge.is_fenced = self.judge.is_fenced and not self.judge.is_open
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass(frozen=True, slots=True)
class WatchedSurveyor:
    """The bot's surveyor, with the judge beside it."""

    inner: Surveyor
    judge: Judge

    def inventory(
        self,
        lease: Lease,
        known: KnownFiles,
        at: datetime,
        jobs: tuple[str, ...] = (),
        again: Inventory | None = None,
    ) -> Inventory:
        before = self.judge.truth()
        told = self.inner.inventory(lease, known, at, jobs, again)
        self.judge.looked(lease, told, before)
        return told

    def close_doors(self, lease: Lease) -> bool:
        is_closed = self.inner.close_doors(lease)
        self.judge.is_fenced = True
        return is_closed

    def login(self, lease: Lease) -> Login:
        return self.inner.login(lease)

    def baseline(self, lease: Lease) -> KnownFiles:
        return self.inner.baseline(lease)

    def listing(self, lease: Lease, known: KnownFiles, share: tuple[int, int]) -> tuple[FileState, ...]:
        return self.inner.listing(lease, known, share)

    def listed(self, lease: Lease, known: KnownFiles, inventory: Inventory) -> Listed | None:
        return self.inner.listed(lease, known, inventory)

    def on_disk(self, lease: Lease, known: Familiar, at: datetime) -> OnDisk:
        return self.inner.on_disk(lease, known, at)

    def hashes(self, lease: Lease, paths: Sequence[bytes], kind: HashKind) -> Answers:
        return self.inner.hashes(lease, paths, kind)
