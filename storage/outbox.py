"""The store of notices."""

from datetime import datetime
from typing import Any

from sqlalchemy import or_, update
from sqlmodel import col, select

from bot.domain.notice import Notice
from bot.ports.delivery_store import QueuedNotice
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables import NoticeRow
from storage.tables.messages import NOTICE_WAITS


class SqlOutbox(Shelf):
    """Notices in the database; said ones stay, so that an occasion comes once."""

    def put(self, notice: Notice, now: datetime) -> bool:
        """Queue it; False when its occasion was there before (then nothing happens)."""
        insert = self._insert(NoticeRow, {**columns_of(notice), "queued_at": now, "attempts": 0})
        new = insert.on_conflict_do_nothing(index_elements=[col(NoticeRow.occasion)]).returning(col(NoticeRow.id))
        return self._session.exec(new).first() is not None

    def has(self, occasion: str) -> bool:
        """Whether it was ever queued."""
        return self._first(select(NoticeRow).where(col(NoticeRow.occasion) == occasion)) is not None

    def settled_at(self, occasion: str) -> datetime | None:
        """When it was said, or given up; None: neither yet."""
        row = self._first(select(NoticeRow).where(col(NoticeRow.occasion) == occasion))
        return None if row is None else row.said_at or row.given_up_at

    def due(self, now: datetime, limit: int) -> tuple[QueuedNotice, ...]:
        """What may be said now: by priority, then in the order it was written."""
        query = (
            select(NoticeRow)
            .where(NOTICE_WAITS, or_(col(NoticeRow.next_try_at).is_(None), col(NoticeRow.next_try_at) <= now))
            .order_by(col(NoticeRow.priority), col(NoticeRow.id))
            .limit(limit)
        )
        return tuple(
            QueuedNotice(row.id, value_of(Notice, row), row.attempts, row.queued_at) for row in self._all(query)
        )

    def said(self, notice_id: int, now: datetime) -> None:
        """It is out (or, for a reminder, about to go out)."""
        self._settle(notice_id, said_at=now)

    def postpone(self, notice_id: int, until: datetime) -> None:
        """One more try later; a reminder that was about to go out has not gone."""
        self._run(
            update(NoticeRow)
            .where(col(NoticeRow.id) == notice_id, col(NoticeRow.given_up_at).is_(None))
            .values(said_at=None, next_try_at=until, attempts=col(NoticeRow.attempts) + 1)
        )

    def give_up(self, notice_id: int, now: datetime, reason: str) -> None:
        """It cannot be said anywhere; kept with the reason."""
        self._settle(notice_id, given_up_at=now, given_up_reason=reason)

    def _settle(self, notice_id: int, **columns: Any) -> None:
        self._run(update(NoticeRow).where(col(NoticeRow.id) == notice_id, NOTICE_WAITS).values(**columns))
