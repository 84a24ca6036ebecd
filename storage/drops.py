"""The store of files that people drop into machines' threads."""

from sqlmodel import col, select

from bot.domain.drops.drop import Drop
from storage.errands import SqlErrands
from storage.mapping import value_of
from storage.tables.drops import DropRow


class SqlDrops(SqlErrands[Drop]):
    """Drops in the database."""

    kind, row = Drop, DropRow

    def lock(self, drop_id: str) -> Drop | None:
        """Read it for change: nobody else writes it until the transaction ends."""
        row = self._locked(select(DropRow).where(col(DropRow.id) == drop_id))
        return None if row is None else value_of(Drop, row)
