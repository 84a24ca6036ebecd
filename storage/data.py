"""The stores of people's data: what is known to be safe, looks at machines, syncs."""

import zlib
from collections.abc import Iterable
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from sqlalchemy import Row, func
from sqlmodel import Session, col, select

from bot.domain.inventory.files import FileState, KnownFiles
from bot.domain.inventory.inventory import Inventory
from bot.domain.inventory.listed import Listed
from bot.domain.inventory.parse import parse_told
from bot.domain.inventory.verification import ManifestEntry
from bot.domain.living import Subject
from bot.domain.looks import LastLook, Looks
from bot.domain.notice import Priority
from bot.domain.sync import SyncRun
from storage.living import SqlLiving
from storage.mapping import columns_of, table_of, value_of
from storage.shelf import Query, Shelf, given
from storage.tables import LeaseRow
from storage.tables.data import BaselineRow, ListingRow, LookRow, ManifestRow, SyncRow

_SIGN: Final = 1 << 63
_SHOWN: Final = "shown"
_LAST: Final = "last"
_LOOKS: Final = (
    select(LookRow).with_only_columns(*table_of(LookRow).c).where(col(LookRow.question_id) == given("question"))
)
_BASELINE: Final = select(BaselineRow.keys).where(col(BaselineRow.lease_id) == given("lease"))
_MANIFEST: Final = (
    select(ManifestRow).with_only_columns(*table_of(ManifestRow).c).where(col(ManifestRow.lease_id) == given("lease"))
)
_SYNC: Final = Query(SyncRun, SyncRow, select(SyncRow).where(col(SyncRow.id) == given("its_id")))
_DUE_SYNCS: Final = (
    select(SyncRow.lease_id)
    .where(col(SyncRow.ended_at).is_(None))
    .order_by(col(SyncRow.asked_at))
    .limit(given("limit"))
)


class SqlSafe(Shelf):
    """Baselines and manifests in the database."""

    def keep_baseline(self, lease_id: str, baseline: KnownFiles, at: datetime) -> None:
        """Once a lease: a later one changes nothing."""
        insert = self._insert(BaselineRow, {"lease_id": lease_id, "keys": baseline.keys, "taken_at": at})
        self._run(insert.on_conflict_do_nothing(index_elements=[col(BaselineRow.lease_id)]))

    def baseline(self, lease_id: str) -> KnownFiles:
        """What the image brought."""
        return KnownFiles(self._ask(_BASELINE, {"lease": lease_id}).scalar() or b"")

    def known(self, lease_id: str) -> KnownFiles:
        """Baseline and verified copies together."""
        return self.baseline(lease_id).with_states(entry.state for entry in self.manifest(lease_id))

    def manifest(self, lease_id: str) -> tuple[ManifestEntry, ...]:
        """The newest verified copy of each file."""
        return tuple(_entry(row) for row in self._ask(_MANIFEST, {"lease": lease_id}))

    def archived(self, lease_id: str) -> tuple[int, int]:
        """(files, bytes) with a verified copy."""
        query = select(func.count(), func.coalesce(func.sum(col(ManifestRow.size_bytes)), 0))
        files, size_bytes = self._session.exec(query.where(col(ManifestRow.lease_id) == lease_id)).one()
        return int(files), int(size_bytes)

    def verified(self, lease_id: str, entries: Iterable[ManifestEntry]) -> None:
        """These are safe; each replaces an older copy of the same path."""
        for entry in entries:
            columns = _columns(lease_id, entry)
            insert = self._insert(ManifestRow, columns)
            keys = [col(ManifestRow.lease_id), col(ManifestRow.path_key)]
            self._run(insert.on_conflict_do_update(index_elements=keys, set_=columns))


class SqlLooks(Shelf):
    """Inventories in the database, as the machines told them, compressed."""

    def show(self, question_id: str, inventory: Inventory) -> None:
        """What a question shows."""
        self._put(question_id, _SHOWN, inventory, is_fenced=False)

    def last(self, question_id: str, look: LastLook) -> None:
        """The last look by which it is decided; a later one counts instead, and both stay."""
        before = select(func.count()).select_from(LookRow).where(col(LookRow.question_id) == question_id)
        number = int(self._session.exec(before).one())
        self._put(question_id, f"{_LAST}:{number:06d}", look.inventory, is_fenced=look.is_fenced)

    def listed(self, question_id: str) -> Listed | None:
        """All the files that it was about."""
        row = self._first(select(ListingRow).where(col(ListingRow.question_id) == question_id))
        return None if row is None else Listed(row.files, row.is_whole, row.packed)

    def keep_list(self, question_id: str, listed: Listed) -> None:
        """Once a question."""
        columns = {"question_id": question_id, **columns_of(listed)}
        self._run(self._insert(ListingRow, columns).on_conflict_do_nothing(index_elements=["question_id"]))

    def of(self, question_id: str) -> Looks:
        """Both, as far as there are any."""
        rows = {row.which: row for row in self._ask(_LOOKS, {"question": question_id}).all()}
        shown = rows.pop(_SHOWN, None)
        last = rows[max(rows)] if rows else None
        return Looks(
            None if shown is None else _inventory(shown),
            None if last is None else LastLook(_inventory(last), last.is_fenced),
        )

    def _put(self, question_id: str, which: str, inventory: Inventory, *, is_fenced: bool) -> None:
        columns = {
            "question_id": question_id,
            "which": which,
            **told_of(inventory),
            "jobs": inventory.jobs,
            "is_fenced": is_fenced,
        }
        self._store(LookRow, columns)


class SqlSyncs(Shelf):
    """Syncs in the database, each with its living message in the thread of its lease's card."""

    def __init__(self, session: Session, living: SqlLiving) -> None:
        super().__init__(session)
        self._living = living

    def add(self, run: SyncRun) -> None:
        """A new one."""
        channel = self._session.exec(select(LeaseRow.channel).where(col(LeaseRow.id) == run.lease_id)).one()
        self._store(SyncRow, columns_of(run))
        self._living.add(Subject.SYNC, run.id, channel, run.lease_id, Priority.STATE)

    def get(self, sync_id: str) -> SyncRun | None:
        """One."""
        return self._found_first(_SYNC, its_id=sync_id)

    def save(self, run: SyncRun, priority: Priority) -> None:
        """Write it back; its message is behind now."""
        self._write(SyncRow, run.id, columns_of(run))
        self._living.touch(Subject.SYNC, run.id, priority)

    def due(self, limit: int) -> tuple[str, ...]:
        """Ids of leases with a sync that has not ended, longest asked for first."""
        return tuple(dict.fromkeys(self._ask(_DUE_SYNCS, {"limit": limit}).scalars()))

    def open_of(self, lease_id: str) -> tuple[SyncRun, ...]:
        """A lease's that have not ended, oldest first."""
        query = select(SyncRow).where(col(SyncRow.lease_id) == lease_id, col(SyncRow.ended_at).is_(None))
        rows = self._all(query.order_by(col(SyncRow.asked_at), col(SyncRow.id)))
        return tuple(value_of(SyncRun, row) for row in rows)

    def latest(self, lease_id: str) -> SyncRun | None:
        """The newest of a lease."""
        query = select(SyncRow).where(col(SyncRow.lease_id) == lease_id).order_by(col(SyncRow.asked_at).desc())
        row = self._first(query)
        return None if row is None else value_of(SyncRun, row)


def told_of(inventory: Inventory) -> dict[str, Any]:
    """An inventory's columns, but for its jobs: as the machine told it, compressed."""
    return {
        "taken_at": inventory.taken_at,
        "why_unknown": inventory.why_unknown.value if inventory.why_unknown is not None else None,
        "told": zlib.compress(inventory.told.encode("ascii"), 6),
    }


def inventory_of(row: Any, jobs: tuple[str, ...] = ()) -> Inventory:
    """The way back, from a row with these columns."""
    told = zlib.decompress(row.told).decode("ascii")
    return parse_told(told, at=row.taken_at, why_unknown=row.why_unknown, jobs=jobs)


def _inventory(row: Row[Any]) -> Inventory:
    return inventory_of(row, tuple(row.jobs))


def _entry(row: Row[Any]) -> ManifestEntry:
    state = FileState(row.path, row.size_bytes, row.mtime_ns, row.ctime_ns, row.inode % (2 * _SIGN))
    return ManifestEntry(state, row.hash_kind, row.hash, row.verified_at)


def _columns(lease_id: str, entry: ManifestEntry) -> dict[str, object]:
    state = entry.state
    return {
        "lease_id": lease_id,
        "path_key": blake2b(state.path, digest_size=16).digest(),
        "path": state.path,
        "size_bytes": state.size_bytes,
        "mtime_ns": state.mtime_ns,
        "ctime_ns": state.ctime_ns,
        # inode numbers take all 64 bits, databases' numbers have a sign
        "inode": state.inode if state.inode < _SIGN else state.inode - 2 * _SIGN,
        "hash_kind": entry.hash_kind,
        "hash": entry.hash,
        "verified_at": entry.verified_at,
    }
