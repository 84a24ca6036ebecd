"""The store of kept data disks."""

from datetime import datetime

from sqlalchemy import ColumnElement, or_, update
from sqlmodel import Session, col, select

from bot.domain.disk import Disk, DiskState
from bot.domain.inventory.listed import Listed
from bot.domain.living import Subject
from bot.domain.notice import Priority
from bot.domain.on_disk import OnDisk
from storage.data import inventory_of, told_of
from storage.living import SqlLiving
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables import LeaseRow, QuestionRow
from storage.tables.disks import DiskLookRow, DiskRow

_LIVE: ColumnElement[bool] = col(DiskRow.state).not_in([DiskState.DELETED, DiskState.LOST])


class SqlDisks(Shelf):
    """Disks in the database, and what looks saw on them; the question about one shows how it is."""

    def __init__(self, session: Session, living: SqlLiving) -> None:
        super().__init__(session)
        self._living = living

    def add(self, disk: Disk) -> None:
        """A new one."""
        self._store(DiskRow, columns_of(disk))

    def get(self, disk_id: str) -> Disk | None:
        """One."""
        return self._one(col(DiskRow.id) == disk_id)

    def lock(self, disk_id: str) -> Disk | None:
        """Read it for change: nobody else writes it until the transaction ends."""
        row = self._locked(select(DiskRow).where(col(DiskRow.id) == disk_id))
        return None if row is None else value_of(Disk, row)

    def save(self, disk: Disk) -> None:
        """Write it back; the message of its latest question is behind where that shows something else now."""
        before = self.get(disk.id)
        self._write(DiskRow, disk.id, columns_of(disk))
        if before is not None and _shown(before) == _shown(disk):
            return
        query = select(QuestionRow.id).where(col(QuestionRow.disk_id) == disk.id)
        latest = self._first(query.order_by(col(QuestionRow.number).desc()))
        if latest is not None:
            self._living.touch(Subject.QUESTION, latest, Priority.STATE)

    def look(self, disk_id: str) -> OnDisk | None:
        """The latest look at it."""
        query = select(DiskLookRow).where(col(DiskLookRow.disk_id) == disk_id)
        row = self._first(query.order_by(col(DiskLookRow.number).desc()))
        return None if row is None else _look(row)

    def looked(self, disk_id: str, found: OnDisk, at: datetime) -> None:
        """One more look; the latest counts, and all stay."""
        inventory, listed = found.inventory, found.listed
        columns = {
            "disk_id": disk_id,
            "lease_id": found.lease_id,
            "looked_at": at,
            **told_of(inventory),
            "files": found.files,
            "size_bytes": found.size_bytes,
            "listed_files": listed.files if listed is not None else None,
            "listed_is_whole": listed.is_whole if listed is not None else None,
            "listed": listed.packed if listed is not None else None,
        }
        self._store(DiskLookRow, columns)

    def look_now(self, disk_id: str, now: datetime) -> None:
        """Make it due."""
        self._run(update(DiskRow).where(col(DiskRow.id) == disk_id).values(next_look_at=now))

    def had_by(self, volume_id: str) -> tuple[str, ...]:
        """Ids of all leases whose machines had it."""
        return tuple(self._all(select(LeaseRow.id).where(col(LeaseRow.volume_id) == volume_id)))

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
    return disk.state, disk.lease_id, disk.fault


def _look(row: DiskLookRow) -> OnDisk:
    listed = None
    if row.listed is not None and row.listed_files is not None:
        listed = Listed(row.listed_files, bool(row.listed_is_whole), row.listed)
    return OnDisk(row.lease_id, inventory_of(row), row.files, row.size_bytes, listed)
