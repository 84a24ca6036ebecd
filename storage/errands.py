"""The stores of errands: what people wait for in a direct message. Those that have ended stay."""

from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar

from sqlalchemy import Table, or_
from sqlmodel import select

from bot.domain.errand import Errand
from bot.domain.inventory.list_wish import ListWish
from bot.domain.jobs.curve_wish import CurveWish
from bot.domain.jobs.log_file import LogWish
from storage.mapping import columns_of, table_of, value_of
from storage.shelf import Shelf
from storage.tables import CurveWishRow, ListWishRow, LogWishRow, Row

E = TypeVar("E", bound=Errand)


class SqlErrands(Shelf, Generic[E]):
    """Errands of one ``kind``, a ``row`` each with their fields, ``id`` and ``asked_at`` among them."""

    kind: ClassVar[type[Any]]
    row: ClassVar[type[Row]]

    def add(self, errand: E) -> None:
        """A new one."""
        self._store(self.row, columns_of(errand))

    def get(self, errand_id: str) -> E | None:
        """One."""
        row = self._first(select(self.row).where(self._table.c.id == errand_id))
        found: E | None = None if row is None else value_of(self.kind, row)
        return found

    def save(self, errand: E) -> None:
        """Write it back."""
        columns = columns_of(errand)
        self._write(self.row, columns["id"], columns)

    def due(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of those that have not ended and may be tried now, longest asked for first."""
        its = self._table.c
        may = or_(its.next_try_at.is_(None), its.next_try_at <= now)
        query = select(its.id).where(its.ended_at.is_(None), may).order_by(its.asked_at)
        return tuple(self._all(query.limit(limit)))

    @property
    def _table(self) -> Table:
        return table_of(self.row)


class SqlLogs(SqlErrands[LogWish]):
    """Wishes for outputs as files."""

    kind, row = LogWish, LogWishRow


class SqlLists(SqlErrands[ListWish]):
    """Wishes for the whole list of what a question was about."""

    kind, row = ListWish, ListWishRow


class SqlCurveWishes(SqlErrands[CurveWish]):
    """Wishes for pictures."""

    kind, row = CurveWish, CurveWishRow
