"""The store of the audit: rows are added and read, nothing else."""

from sqlmodel import col, select

from bot.domain.audit import AuditEntry
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables import AuditRow


class SqlAudit(Shelf):
    """Who did what, in the database."""

    def add(self, entry: AuditEntry) -> None:
        """Append it."""
        self._store(AuditRow, columns_of(entry))

    def of(self, lease_id: str | None, limit: int) -> tuple[AuditEntry, ...]:
        """Newest first; of everything when no lease is given."""
        query = select(AuditRow)
        if lease_id is not None:
            query = query.where(col(AuditRow.lease_id) == lease_id)
        rows = self._all(query.order_by(col(AuditRow.id).desc()).limit(limit))
        return tuple(value_of(AuditEntry, row) for row in rows)
