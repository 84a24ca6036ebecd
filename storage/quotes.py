"""The store of quotes."""

from datetime import datetime

from sqlmodel import Session, col, select

from bot.domain.living import Subject
from bot.domain.notice import Priority
from bot.domain.quote import Quote, QuoteState
from storage.living import SqlLiving
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables import QuoteRow


class SqlQuotes(Shelf):
    """Quotes in the database, each with its living message in the channel it was asked in."""

    def __init__(self, session: Session, living: SqlLiving) -> None:
        super().__init__(session)
        self._living = living

    def add(self, quote: Quote) -> None:
        """Store a new one."""
        self._store(QuoteRow, columns_of(quote))
        self._living.add(Subject.QUOTE, quote.id, quote.channel, None, Priority.PERSON)

    def get(self, quote_id: str) -> Quote | None:
        """The quote of that id."""
        row = self._first(select(QuoteRow).where(col(QuoteRow.id) == quote_id))
        return None if row is None else value_of(Quote, row)

    def lock(self, quote_id: str) -> Quote | None:
        """Read it for change."""
        row = self._locked(select(QuoteRow).where(col(QuoteRow.id) == quote_id))
        return None if row is None else value_of(Quote, row)

    def save(self, quote: Quote) -> None:
        """Write it back; its message is behind now."""
        self._write(QuoteRow, quote.id, columns_of(quote))
        self._living.touch(Subject.QUOTE, quote.id, Priority.PERSON)

    def open(self, now: datetime) -> tuple[Quote, ...]:
        """Those that wait for a button and are not too old, oldest first."""
        query = select(QuoteRow).where(col(QuoteRow.expires_at) > now, col(QuoteRow.state) == QuoteState.OPEN)
        return tuple(
            value_of(Quote, row) for row in self._all(query.order_by(col(QuoteRow.asked_at), col(QuoteRow.id)))
        )
