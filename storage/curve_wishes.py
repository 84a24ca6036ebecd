"""The store of wishes for pictures."""

from datetime import datetime

from sqlalchemy import or_, update
from sqlmodel import col, select

from bot.domain.jobs.curve_wish import CurveWish
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables import CurveWishRow


class SqlCurveWishes(Shelf):
    """Wishes in the database; those that have ended stay."""

    def add(self, wish: CurveWish) -> None:
        """A new one."""
        self._run(self._insert(CurveWishRow, columns_of(wish)))

    def get(self, wish_id: str) -> CurveWish | None:
        """One."""
        row = self._first(select(CurveWishRow).where(col(CurveWishRow.id) == wish_id))
        return None if row is None else value_of(CurveWish, row)

    def save(self, wish: CurveWish) -> None:
        """Write it back."""
        self._run(update(CurveWishRow).where(col(CurveWishRow.id) == wish.id).values(columns_of(wish)))

    def due(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of those that have not ended and may be tried now, longest asked for first."""
        may = or_(col(CurveWishRow.next_try_at).is_(None), col(CurveWishRow.next_try_at) <= now)
        query = select(CurveWishRow.id).where(col(CurveWishRow.ended_at).is_(None), may)
        return tuple(self._all(query.order_by(col(CurveWishRow.asked_at)).limit(limit)))
