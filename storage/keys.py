"""The store of people's public keys."""

from sqlalchemy import delete
from sqlmodel import col, select

from bot.domain.keys import PublicKey
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables import KeyRow


class SqlKeys(Shelf):
    """Public keys in the database."""

    def add(self, key: PublicKey) -> bool:
        """False when the person has it already."""
        insert = self._insert(KeyRow, columns_of(key)).on_conflict_do_nothing(
            index_elements=[col(KeyRow.user), col(KeyRow.fingerprint)]
        )
        return self._session.exec(insert.returning(col(KeyRow.id))).first() is not None

    def of(self, user: str) -> tuple[PublicKey, ...]:
        """In the order they were added."""
        rows = self._all(select(KeyRow).where(col(KeyRow.user) == user).order_by(col(KeyRow.id)))
        return tuple(value_of(PublicKey, row) for row in rows)

    def remove(self, user: str, fingerprint: str) -> bool:
        """False when the person has no such key."""
        gone = delete(KeyRow).where(col(KeyRow.user) == user, col(KeyRow.fingerprint) == fingerprint)
        return self._run(gone).rowcount > 0
