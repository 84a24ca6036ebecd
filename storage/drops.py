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

    def left_over(self, lease_id: str) -> tuple[Drop, ...]:
        """Those of a lease that have ended and left something on its machine."""
        query = select(DropRow).where(col(DropRow.lease_id) == lease_id, col(DropRow.ended_at).is_not(None))
        ended = (value_of(Drop, row) for row in self._all(query.order_by(col(DropRow.asked_at))))
        return tuple(drop for drop in ended if drop.left_over)
