"""The stores of watched paths and of wishes to get something from the archive."""

from hashlib import blake2b
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, func, or_
from sqlmodel import col, select

from bot.domain.fetching.browse import ArchivedFile
from bot.domain.fetching.run import FetchRun
from bot.domain.inventory.hashes import HashKind
from bot.domain.inventory.wishes import WatchedPath
from bot.domain.lease import Lease
from bot.ports.fetch_store import Holding
from storage.errands import SqlErrands
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables import LeaseRow
from storage.tables.data import ManifestRow
from storage.tables.fetches import FetchRow, WatchedRow


class SqlWatched(Shelf):
    """Paths that people named, in the database."""

    def put(self, wish: WatchedPath) -> None:
        """Name one; what was said of the same path before no longer counts."""
        columns = {**columns_of(wish), "path_key": _key(wish.path)}
        keys = [col(WatchedRow.lease_id), col(WatchedRow.path_key)]
        self._run(self._insert(WatchedRow, columns).on_conflict_do_update(index_elements=keys, set_=columns))

    def remove(self, lease_id: str, path: bytes) -> bool:
        """False where it was not named."""
        is_it = and_(col(WatchedRow.lease_id) == lease_id, col(WatchedRow.path_key) == _key(path))
        return bool(self._run(delete(WatchedRow).where(is_it)).rowcount)

    def of(self, lease_id: str) -> tuple[WatchedPath, ...]:
        """In the order they were named."""
        query = select(WatchedRow).where(col(WatchedRow.lease_id) == lease_id)
        rows = self._all(query.order_by(col(WatchedRow.at), col(WatchedRow.path)))
        return tuple(value_of(WatchedPath, row) for row in rows)


class SqlFetches(SqlErrands[FetchRun]):
    """Manifests as what can be had, and the wishes for it."""

    kind, row = FetchRun, FetchRow

    def called(self, name: str) -> tuple[tuple[Lease, bool], ...]:
        """Leases that have or had that name, or whose folder in the archive is called so, each with whether the archive
        holds something of it; the newest first."""
        bare, _, lease_id = name.rpartition("-")
        by_folder = and_(col(LeaseRow.name) == bare, col(LeaseRow.id) == lease_id)
        query = select(LeaseRow, _has_copies()).where(or_(col(LeaseRow.name) == name, by_folder))
        newest_first = (col(LeaseRow.requested_at).desc(), col(LeaseRow.id).desc())
        rows = self._session.exec(query.order_by(*newest_first)).all()
        return tuple((value_of(Lease, row), bool(has_copies)) for row, has_copies in rows)

    def holdings(self, owner: str, limit: int) -> tuple[Holding, ...]:
        """An owner's leases with at least one verified copy, the newest first."""
        return self._holdings(and_(col(LeaseRow.owner) == owner, _has_copies()), limit)

    def names(self, limit: int) -> tuple[str, ...]:
        """Of leases with at least one verified copy, the newest first."""
        query = select(LeaseRow.name).where(_has_copies()).order_by(col(LeaseRow.requested_at).desc())
        return tuple(dict.fromkeys(self._all(query.limit(limit))))

    def files(self, lease_id: str) -> tuple[ArchivedFile, ...]:
        """All with a verified copy, by path; without when they were verified."""
        query = select(ManifestRow.path, ManifestRow.size_bytes).where(col(ManifestRow.lease_id) == lease_id)
        return tuple(sorted(ArchivedFile(path, size_bytes) for path, size_bytes in self._session.exec(query)))

    def file(self, lease_id: str, path: bytes) -> ArchivedFile | None:
        """One with a verified copy."""
        is_it = and_(col(ManifestRow.lease_id) == lease_id, col(ManifestRow.path_key) == _key(path))
        row = self._first(select(ManifestRow).where(is_it))
        return None if row is None else ArchivedFile(row.path, row.size_bytes, row.verified_at)

    def below(self, lease_id: str, path: bytes) -> tuple[int, int]:
        """(files, bytes) with a verified copy in a folder, however deep."""
        start = path.rstrip(b"/")
        is_in = and_(col(ManifestRow.path) >= start + b"/", col(ManifestRow.path) < start + b"0")  # what follows ``/``
        query = select(func.count(), func.coalesce(func.sum(col(ManifestRow.size_bytes)), 0))
        files, size_bytes = self._session.exec(query.where(col(ManifestRow.lease_id) == lease_id, is_in)).one()
        return int(files), int(size_bytes)

    def hash_of(self, lease_id: str, path: bytes) -> tuple[HashKind, str] | None:
        """Of the verified copy of a file."""
        is_it = and_(col(ManifestRow.lease_id) == lease_id, col(ManifestRow.path_key) == _key(path))
        row = self._first(select(ManifestRow).where(is_it))
        return None if row is None else (row.hash_kind, row.hash)

    def _holdings(self, where: ColumnElement[bool], limit: int) -> tuple[Holding, ...]:
        newest_first = (col(LeaseRow.requested_at).desc(), col(LeaseRow.id).desc())
        rows = self._all(select(LeaseRow).where(where).order_by(*newest_first).limit(limit))
        sums = (func.count(), func.coalesce(func.sum(col(ManifestRow.size_bytes)), 0))
        ids = [row.id for row in rows]
        query: Any = select(ManifestRow.lease_id, *sums).where(col(ManifestRow.lease_id).in_(ids))
        held = {
            lease_id: (int(files), int(size))
            for lease_id, files, size in self._session.exec(query.group_by(col(ManifestRow.lease_id)))
        }
        return tuple(Holding(value_of(Lease, row), *held.get(row.id, (0, 0))) for row in rows)


def _has_copies() -> ColumnElement[bool]:
    return select(ManifestRow.lease_id).where(col(ManifestRow.lease_id) == col(LeaseRow.id)).exists()


def _key(path: bytes) -> bytes:
    return blake2b(path, digest_size=16).digest()
