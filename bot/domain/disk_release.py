"""The decision to delete a kept disk. Only here a `DiskClearance` comes into being; nothing deletes a disk without."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.domain.disk import Disk, DiskState
from bot.domain.inventory.inventory import Inventory
from bot.domain.on_disk import OnDisk
from bot.domain.question import Question, QuestionState
from bot.domain.release import CLEARANCE_LIFE, UNREAD

_DISK_MINT: Final = object()


class DiskClearance:
    """Leave to delete one kept disk, by the vendor's id. Made by `decide_disk` alone, from a person's yes."""

    __slots__ = ("by", "disk_id", "expires_at")

    def __init__(self, mint: object, disk_id: str, by: str, expires_at: datetime) -> None:
        if mint is not _DISK_MINT:
            raise TypeError("a clearance is made by bot.domain.disk_release.decide_disk alone")
        self.disk_id: Final = disk_id
        self.by: Final = by
        self.expires_at: Final = expires_at


@dataclass(frozen=True, slots=True)
class ClearDisk:
    """It may be deleted now."""

    clearance: DiskClearance


@dataclass(frozen=True, slots=True)
class WaitDisk:
    """A valid yes is in its grace, or its reactions have to be read once more."""

    until: datetime


@dataclass(frozen=True, slots=True)
class VoidDisk:
    """The live question is not about what is on it now, or its yes ran out: it is over, and asked anew where a person
    had said yes."""


@dataclass(frozen=True, slots=True)
class KeepDisk:
    """There is no valid yes."""


DiskDecision = ClearDisk | WaitDisk | VoidDisk | KeepDisk


def decide_disk(
    disk: Disk, question: Question | None, shown: Inventory | None, on_disk: OnDisk, now: datetime, grace: timedelta
) -> DiskDecision:
    """May ``disk`` be deleted at ``now``? ``question`` is its latest one, ``shown`` what that one showed, ``on_disk``
    what is known of it now.

    Only while no machine has it, on a yes past its grace, younger than `CLEARANCE_LIFE`, that was still there when the
    reactions were read after the grace, to the very look that is the last one still. A deletion that was begun within
    the yes's life goes on: the vendor may have taken it.
    """
    is_begun = disk.state is DiskState.DELETING
    if disk.volume_id is None or not (is_begun or disk.state is DiskState.KEPT):
        return KeepDisk()
    if question is None or question.disk_id != disk.id or not question.is_live:
        return KeepDisk()
    if not is_begun and not _is_about(question, shown, on_disk):
        return VoidDisk()
    if question.state is not QuestionState.YES or question.answered_at is None or question.answered_by is None:
        return KeepDisk()
    ripe_at = question.answered_at + grace
    if now < ripe_at:
        return WaitDisk(ripe_at)
    expires_at = ripe_at + CLEARANCE_LIFE
    if now >= expires_at and not is_begun:
        return VoidDisk()
    if not is_begun and (question.signs_read_at is None or question.signs_read_at < ripe_at):
        return WaitDisk(now + UNREAD)
    lives_until = max(expires_at, now + CLEARANCE_LIFE) if is_begun else expires_at
    return ClearDisk(DiskClearance(_DISK_MINT, disk.volume_id, question.answered_by, lives_until))


def _is_about(question: Question, shown: Inventory | None, on_disk: OnDisk) -> bool:
    """Whether it showed the last look at the disk; of two that know nothing the later one is another."""
    if shown is None or shown.fingerprint != question.fingerprint or question.lease_id != on_disk.lease_id:
        return False
    now_known = on_disk.inventory
    return (now_known.fingerprint, now_known.taken_at) == (shown.fingerprint, shown.taken_at)
