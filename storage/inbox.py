"""The store of deliveries that were taken in."""

from datetime import datetime

from sqlalchemy import delete
from sqlmodel import col

from storage.shelf import Shelf
from storage.tables import DeliveryRow


class SqlInbox(Shelf):
    """Deliveries in the database."""

    def first_time(self, delivery: str, now: datetime) -> bool:
        """True exactly once per delivery, if the transaction is committed."""
        insert = self._insert(DeliveryRow, {"delivery": delivery, "taken_at": now}).on_conflict_do_nothing(
            index_elements=[col(DeliveryRow.delivery)]
        )
        return self._session.exec(insert.returning(col(DeliveryRow.delivery))).first() is not None

    def forget_before(self, then: datetime) -> None:
        """Drop those that nobody delivers again."""
        self._run(delete(DeliveryRow).where(col(DeliveryRow.taken_at) < then))
