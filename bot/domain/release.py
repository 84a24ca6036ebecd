"""The release decision. Only here a `Clearance` comes into being; nothing ends an instance without one."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, assert_never

from bot.domain.inventory.compare import Change, Changed, compare
from bot.domain.inventory.inventory import Verdict
from bot.domain.lease import Lease
from bot.domain.looks import NO_LOOKS, LastLook, Looks
from bot.domain.question import Question, QuestionState

CLEARANCE_LIFE: Final = timedelta(minutes=15)
UNREAD: Final = timedelta(seconds=1)
"""How soon to look again whether the reactions under a question were read."""
_MINT: Final = object()


class Ground(StrEnum):
    """Why a machine may be released."""

    NEVER_HANDED_OVER = "never-handed-over"
    CLEAN = "clean"
    """A whole look after fencing found nothing that is not verified in the archive, and nobody at work."""
    APPROVED = "approved"
    """A person's yes covers all that the look after fencing saw."""


class Clearance:
    """Leave to end one lease's instance. Made by `decide` alone; dies with the moment it was made for."""

    __slots__ = ("by", "expires_at", "ground", "keeps_disk", "lease_id", "question_id")

    def __init__(
        self,
        mint: object,
        lease_id: str,
        ground: Ground,
        expires_at: datetime,
        by: str,
        question_id: str | None,
        keeps_disk: bool = False,
    ) -> None:
        if mint is not _MINT:
            raise TypeError("a clearance is made by bot.domain.release.decide alone")
        self.lease_id: Final = lease_id
        self.ground: Final = ground
        self.expires_at: Final = expires_at
        self.by: Final = by
        self.question_id: Final = question_id
        self.keeps_disk: Final = keeps_disk
        """The data disk is not covered: it has to be kept."""


@dataclass(frozen=True, slots=True)
class Clear:
    """The instance may be released now."""

    clearance: Clearance


@dataclass(frozen=True, slots=True)
class Wait:
    """A valid yes is in its grace, or somebody was just at work; look again at ``until``."""

    until: datetime


@dataclass(frozen=True, slots=True)
class TakeLastLook:
    """Fence, and take the inventory once more."""


@dataclass(frozen=True, slots=True)
class Ask:
    """There is no valid yes: a person has to be asked (anew), and told in what the machine ``changes``."""

    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Open:
    """The question is being prepared, waits for an answer, or has one that is being carried out elsewhere."""


Decision = Clear | Wait | TakeLastLook | Ask | Open
SETTLE: Final = timedelta(seconds=60)


def decide(
    lease: Lease,
    question: Question | None,
    now: datetime,
    grace: timedelta,
    looks: Looks = NO_LOOKS,
    settle: timedelta = SETTLE,
) -> Decision:
    """May ``lease``'s instance be released at ``now``?

    ``question`` is the lease's latest one, ``looks`` are those of that question. What was never handed over holds
    nobody's data and is cleared at once. All else needs a last look after fencing, and either that it finds nothing
    to lose (and nothing written for ``settle``), or a yes past its grace, younger than `CLEARANCE_LIFE`, that was still
    there when the reactions were read after the grace, to an inventory that the last look equals but for growth of
    files shown as open.
    """
    if lease.handed_over_at is None:
        return _clear(lease, Ground.NEVER_HANDED_OVER, now + CLEARANCE_LIFE, lease.owner, None)
    if question is None or question.lease_id != lease.id:
        return Ask()
    match question.state:
        case QuestionState.LOOKING | QuestionState.OPEN | QuestionState.SAVING:
            return Open()
        case QuestionState.NO | QuestionState.SUPERSEDED:
            return Ask()
        case QuestionState.YES:
            return _after_yes(lease, question, now, grace, looks)
        case QuestionState.CLEAN:
            return _when_clean(lease, question, now, looks, settle)
        case unreachable:
            assert_never(unreachable)


def _after_yes(lease: Lease, question: Question, now: datetime, grace: timedelta, looks: Looks) -> Decision:
    shown, last = looks.shown, looks.last
    if question.answered_at is None or question.answered_by is None:
        return Ask()
    if shown is None or shown.fingerprint != question.fingerprint:
        return Ask()  # nobody knows any more what the yes was to
    ripe_at = question.answered_at + grace
    if now < ripe_at:
        return Wait(ripe_at)
    expires_at = ripe_at + CLEARANCE_LIFE
    if now >= expires_at:
        return Ask()
    if question.signs_read_at is None or question.signs_read_at < ripe_at:
        return Wait(now + UNREAD)  # somebody may have said no, or taken it back, and we did not hear of it
    if last is None or last.inventory.taken_at < ripe_at:
        return TakeLastLook()
    compared = compare(shown, last.inventory)
    if isinstance(compared, Changed):
        return Ask(compared.what)
    return _clear(lease, Ground.APPROVED, expires_at, question.answered_by, question.id)


def _when_clean(lease: Lease, question: Question, now: datetime, looks: Looks, settle: timedelta) -> Decision:
    last = looks.last
    if question.answered_at is None or question.answered_by is None:
        return Ask()
    if now < question.answered_at:
        return Wait(question.answered_at)  # the clock was set back: no look would be a later one
    if last is None or last.inventory.taken_at < question.answered_at:
        return TakeLastLook()  # an older one was for a yes that was taken back
    if now >= last.inventory.taken_at + CLEARANCE_LIFE:
        return TakeLastLook()
    inventory = last.inventory
    if inventory.verdict is not Verdict.CLEAN or not last.is_fenced:
        return Ask(_changes(looks, last))
    if not inventory.is_settled:
        if now >= question.answered_at + CLEARANCE_LIFE:
            return Ask((Change.WRITERS,))
        settled_at = inventory.taken_at + settle
        return Wait(settled_at) if now < settled_at else TakeLastLook()
    expires_at = inventory.taken_at + CLEARANCE_LIFE
    return _clear(lease, Ground.CLEAN, expires_at, question.answered_by, question.id)


def _clear(lease: Lease, ground: Ground, expires_at: datetime, by: str, question_id: str | None) -> Clear:
    return Clear(Clearance(_MINT, lease.id, ground, expires_at, by, question_id, lease.keeps_disk))


def _changes(looks: Looks, last: LastLook) -> tuple[Change, ...]:
    """In what the last look differs from the clean one; none where only the doors could not be closed."""
    if looks.shown is None:
        return (Change.SIGHT,)
    compared = compare(looks.shown, last.inventory)
    return compared.what if isinstance(compared, Changed) else ()
