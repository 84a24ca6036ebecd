"""The store of wishes for outputs as files."""

from datetime import datetime

from sqlalchemy import or_, update
from sqlmodel import col, select

from bot.domain.jobs.log_file import LogWish
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables import LogWishRow


class SqlLogs(Shelf):
    """Wishes in the database; those that have ended stay."""

    def add(self, wish: LogWish) -> None:
        """A new one."""
        self._run(self._insert(LogWishRow, columns_of(wish)))

    def get(self, wish_id: str) -> LogWish | None:
        """One."""
        row = self._first(select(LogWishRow).where(col(LogWishRow.id) == wish_id))
        return None if row is None else value_of(LogWish, row)

    def save(self, wish: LogWish) -> None:
        """Write it back."""
        self._run(update(LogWishRow).where(col(LogWishRow.id) == wish.id).values(columns_of(wish)))

    def due(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of those that have not ended and may be tried now, longest asked for first."""
        may = or_(col(LogWishRow.next_try_at).is_(None), col(LogWishRow.next_try_at) <= now)
        query = select(LogWishRow.id).where(col(LogWishRow.ended_at).is_(None), may)
        return tuple(self._all(query.order_by(col(LogWishRow.asked_at)).limit(limit)))
