"""The release decision. Only here a `Clearance` comes into being; nothing ends an instance without one."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, assert_never

from bot.domain.lease import Lease
from bot.domain.question import Question, QuestionState

CLEARANCE_LIFE: Final = timedelta(minutes=15)
_MINT: Final = object()


class Ground(StrEnum):
    """Why a machine may be released."""

    NEVER_HANDED_OVER = "never-handed-over"
    APPROVED = "approved"


class Clearance:
    """Leave to end one lease's instance. Made by `decide` alone; dies with the moment it was made for."""

    __slots__ = ("by", "expires_at", "ground", "lease_id", "question_id")

    def __init__(
        self,
        mint: object,
        lease_id: str,
        ground: Ground,
        expires_at: datetime,
        by: str,
        question_id: str | None,
    ) -> None:
        if mint is not _MINT:
            raise TypeError("a clearance is made by bot.domain.release.decide alone")
        self.lease_id: Final = lease_id
        self.ground: Final = ground
        self.expires_at: Final = expires_at
        self.by: Final = by
        self.question_id: Final = question_id


@dataclass(frozen=True, slots=True)
class Clear:
    """The instance may be released now."""

    clearance: Clearance


@dataclass(frozen=True, slots=True)
class Wait:
    """A valid yes is in its grace; look again at ``until``."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Ask:
    """There is no valid yes: a person has to be asked (anew)."""


@dataclass(frozen=True, slots=True)
class Open:
    """The question is out and nobody has answered it yet."""


Decision = Clear | Wait | Ask | Open


def decide(lease: Lease, question: Question | None, now: datetime, grace: timedelta) -> Decision:
    """May ``lease``'s instance be released at ``now``?

    ``question`` is the lease's latest one. What was never handed over holds nobody's data and is cleared
    at once; all else needs a yes that is past its grace and younger than `CLEARANCE_LIFE`.
    """
    if lease.handed_over_at is None:
        return Clear(Clearance(_MINT, lease.id, Ground.NEVER_HANDED_OVER, now + CLEARANCE_LIFE, lease.owner, None))
    if question is None or question.lease_id != lease.id:
        return Ask()
    match question.state:
        case QuestionState.OPEN:
            return Open()
        case QuestionState.NO | QuestionState.SUPERSEDED:
            return Ask()
        case QuestionState.YES:
            return _after_yes(lease, question, now, grace)
        case unreachable:
            assert_never(unreachable)


def _after_yes(lease: Lease, question: Question, now: datetime, grace: timedelta) -> Decision:
    if question.answered_at is None or question.answered_by is None:
        return Ask()
    ripe_at = question.answered_at + grace
    if now < ripe_at:
        return Wait(ripe_at)
    expires_at = ripe_at + CLEARANCE_LIFE
    if now >= expires_at:
        return Ask()
    return Clear(Clearance(_MINT, lease.id, Ground.APPROVED, expires_at, question.answered_by, question.id))
