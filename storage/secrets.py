"""The store of people's secrets."""

from sqlalchemy import delete
from sqlmodel import col, select

from bot.domain.kept_secret import KeptSecret
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables import SecretRow


class SqlSecrets(Shelf):
    """Secrets in the database, sealed before they come here."""

    def put(self, secret: KeptSecret) -> None:
        """Keep it, in place of an older one of that person and name."""
        columns = columns_of(secret)
        keys = [col(SecretRow.owner), col(SecretRow.name)]
        insert = self._insert(SecretRow, columns)
        changed = {"sealed": columns["sealed"], "set_at": columns["set_at"]}
        self._run(insert.on_conflict_do_update(index_elements=keys, set_=changed))

    def of(self, owner: str) -> tuple[KeptSecret, ...]:
        """A person's, by name."""
        rows = self._all(select(SecretRow).where(col(SecretRow.owner) == owner).order_by(col(SecretRow.name)))
        return tuple(value_of(KeptSecret, row) for row in rows)

    def remove(self, owner: str, name: str) -> bool:
        """Forget it; False where there is none."""
        gone = delete(SecretRow).where(col(SecretRow.owner) == owner, col(SecretRow.name) == name)
        return self._run(gone).rowcount > 0
