"""The judge: what a release destroyed, against what the looks saw, what people were shown, and what they said.

It believes the truth (files, archive, reactions, presses) and takes from the product only what it told people.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from bot.domain.inventory.inventory import Inventory
from bot.domain.lease import Lease
from bot.domain.question import Question, QuestionState
from bot.domain.release import CLEARANCE_LIFE
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
    disk_looks: list[Look] = field(default_factory=list)
    """At the data disk alone, which is kept."""
    walks: list[Sights] = field(default_factory=list)
    """What each walk saw."""
    is_fenced: bool = False
    is_open: bool = True
    releases: int = 0
    lost: list[str] = field(default_factory=list)
    lost_bytes: int = 0

    def judged(self) -> tuple[int, list[str], int]:
        """What was destroyed since it was last asked: how often, what of it without a yes, and its bytes."""
        judged = self.releases, self.lost, self.lost_bytes
        self.releases, self.lost, self.lost_bytes = 0, [], 0
        return judged

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

    def walked(self) -> None:
        """A walk has ended."""
        self.walks.append(self.witness())

    def looked_at_disk(self, lease: Lease, told: Inventory, before: Sights, walks: int) -> None:
        """The bot knows what is on a disk that is kept. ``before``: what was there when it began, ``walks``: how many
        there had been; the first one after that is what it tells."""
        walk = self.walks[walks] if len(self.walks) > walks and told.told else {}
        seen = on_data_disk(self.belongs(walk))
        there = on_data_disk(self.belongs(self.truth()))
        unseen = {path: one for path, one in there.items() if path not in seen and before.get(path) == one}
        owed = sum(not self.holds(lease, path, one.content) for path, one in seen.items())
        self.disk_looks.append(Look(told, seen, there, unseen, owed, is_fenced=True, is_open=False))

    def showing(self, told: Inventory) -> Look | None:
        """The look that a question shows."""
        which = (told.told, told.taken_at)
        looks = reversed((*self.looks, *self.disk_looks))
        return next((look for look in looks if (look.told.told, look.told.taken_at) == which), None)

    def released(self, lease: Lease, truth: Sights, now: datetime, *, keeps_disk: bool = False) -> None:
        """The machine is gone by our doing; ``truth``: what was on it. A disk that is kept loses nothing."""
        last = self.looks[-1] if self.looks else None
        yeses = [yes for yes in self.board.yeses() if self._is_valid(yes, lease, now, of_disk=False)]
        at_stake = self._at_stake(last, self.belongs(truth), bool(yeses))
        kept = on_data_disk(at_stake) if keeps_disk else {}
        self._destroyed(lease, {path: one for path, one in at_stake.items() if path not in kept}, yeses, last)

    def disk_deleted(self, lease: Lease, truth: Sights, now: datetime) -> None:
        """A kept disk is gone by our doing; ``truth``: what was on it. At stake is what the last look saw, or
        should have; where there is none, everything."""
        last = self.disk_looks[-1] if self.disk_looks else None
        yeses = [yes for yes in self.board.yeses() if self._is_valid(yes, lease, now, of_disk=True)]
        there = self.belongs(truth)
        if last is not None and not last.is_unknown:
            looked_at = last.seen | last.unseen
            there = {path: one for path, one in there.items() if looked_at.get(path) == one}
        self._destroyed(lease, there, yeses, last)

    def _destroyed(self, lease: Lease, at_stake: Sights, yeses: list[Yes], last: Look | None) -> None:
        self.releases += 1
        for path, one in at_stake.items():
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

    def _is_valid(self, yes: Yes, lease: Lease, now: datetime, *, of_disk: bool) -> bool:
        """By the rules that people are told, from what they did."""
        question, shown = self.question_of(yes.question_id), yes.shown
        if question is None or (question.disk_id is not None) != of_disk:
            return False
        if shown is None or not self.board.may(yes.by, lease.owner):
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


def on_data_disk(sights: Sights) -> Sights:
    """What lies below the data path."""
    return {path: one for path, one in sights.items() if path.startswith(b"~/work/")}
