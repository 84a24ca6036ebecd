"""The store of kept data disks."""

from datetime import datetime

from sqlalchemy import ColumnElement, or_, update
from sqlmodel import Session, col, select

from bot.domain.disk import Disk, DiskState
from bot.domain.living import Subject
from bot.domain.notice import Priority
from storage.living import SqlLiving
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables.disks import DiskRow

_LIVE: ColumnElement[bool] = col(DiskRow.state).not_in([DiskState.DELETED, DiskState.LOST])


class SqlDisks(Shelf):
    """Disks in the database; whether one is deleted is asked in a living message of its own."""

    def __init__(self, session: Session, living: SqlLiving) -> None:
        super().__init__(session)
        self._living = living

    def add(self, disk: Disk) -> None:
        """A new one."""
        self._run(self._insert(DiskRow, columns_of(disk)))

    def get(self, disk_id: str) -> Disk | None:
        """One."""
        return self._one(col(DiskRow.id) == disk_id)

    def lock(self, disk_id: str) -> Disk | None:
        """Read it for change: nobody else writes it until the transaction ends."""
        row = self._locked(select(DiskRow).where(col(DiskRow.id) == disk_id))
        return None if row is None else value_of(Disk, row)

    def save(self, disk: Disk) -> None:
        """Write it back. A question is posted with its first wish, in the thread of the machine that had it."""
        before = self.get(disk.id)
        self._run(update(DiskRow).where(col(DiskRow.id) == disk.id).values(columns_of(disk)))
        living = self._living.get(Subject.DISK, disk.id)
        if living is None and disk.asked_at is not None:
            self._living.add(Subject.DISK, disk.id, disk.channel, disk.lease_id, Priority.PERSON)
        elif living is not None and (before is None or _shown(before) != _shown(disk)):
            self._living.touch(Subject.DISK, disk.id, Priority.STATE)

    def called(self, name: str) -> Disk | None:
        """The live one of that name."""
        return self._one(col(DiskRow.name) == name, _LIVE)

    def of_lease(self, lease_id: str) -> Disk | None:
        """The live one that a lease's machine has, is to leave, or had last."""
        return self._one(col(DiskRow.lease_id) == lease_id, _LIVE)

    def live(self, owner: str | None = None) -> tuple[Disk, ...]:
        """Those that may still exist, by name."""
        query = select(DiskRow).where(_LIVE)
        if owner is not None:
            query = query.where(col(DiskRow.owner) == owner)
        return tuple(value_of(Disk, row) for row in self._all(query.order_by(col(DiskRow.name))))

    def billed(self, owner: str | None) -> tuple[Disk, ...]:
        """Those that ever cost something by themselves."""
        query = select(DiskRow)
        if owner is not None:
            query = query.where(col(DiskRow.owner) == owner)
        rows = self._all(query.order_by(col(DiskRow.name), col(DiskRow.id)))
        return tuple(value_of(Disk, row) for row in rows if row.intervals)

    def due(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of live ones whose next look is due, longest overdue first."""
        is_due = or_(col(DiskRow.next_look_at).is_(None), col(DiskRow.next_look_at) <= now)
        query = select(DiskRow.id).where(_LIVE, is_due).order_by(col(DiskRow.next_look_at).nulls_first())
        return tuple(self._all(query.limit(limit)))

    def _one(self, *where: ColumnElement[bool]) -> Disk | None:
        row = self._first(select(DiskRow).where(*where))
        return None if row is None else value_of(Disk, row)


def _shown(disk: Disk) -> tuple[object, ...]:
    return disk.state, disk.asked_at, disk.answered_at, disk.lease_id, disk.fault
