"""The store of people's public keys."""

from typing import Final

from sqlalchemy import delete
from sqlmodel import col, select

from bot.domain.keys import PublicKey
from storage.mapping import columns_of
from storage.shelf import Query, Shelf, given
from storage.tables import KeyRow

_OF: Final = Query(PublicKey, KeyRow, select(KeyRow).where(col(KeyRow.user) == given("user")).order_by(col(KeyRow.id)))


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
        return tuple(self._found(_OF, user=user))

    def remove(self, user: str, fingerprint: str) -> bool:
        """False when the person has no such key."""
        gone = delete(KeyRow).where(col(KeyRow.user) == user, col(KeyRow.fingerprint) == fingerprint)
        return self._run(gone).rowcount > 0
