"""What every store does: run statements in the session of its transaction."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import BindParameter, CursorResult, UpdateBase, bindparam
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from storage.mapping import columns_for
from storage.tables import Row

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R")
V = TypeVar("V", bound="DataclassInstance")


class Query(Generic[V]):
    """A query for many values that is asked often: put together once, what it depends on are its parameters."""

    def __init__(self, kind: type[V], row: type[Row], query: SelectOfScalar[Any]) -> None:
        self.kind = kind
        self.statement = query.with_only_columns(*columns_for(kind, row), maintain_column_froms=True)


def any_of(name: str) -> BindParameter[Any]:
    """A parameter of a `Query` that is a list."""
    return bindparam(name, expanding=True)


class Shelf:
    """A store of one aggregate. It writes by statements alone; the session keeps no rows that could be stale."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def _all(self, query: SelectOfScalar[R]) -> Sequence[R]:
        return self._session.exec(query, execution_options={"populate_existing": True}).all()

    def _values(self, kind: type[V], row: type[Row], query: SelectOfScalar[Any]) -> list[V]:
        """The values that a query for ``row`` finds: for many, since no row is mapped and kept account of."""
        return self._found(Query(kind, row, query))

    def _found(self, query: Query[V], **parameters: Any) -> list[V]:
        rows = self._session.connection().execute(query.statement, parameters).all()
        return [query.kind(*columns) for columns in rows]

    def _first(self, query: SelectOfScalar[R]) -> R | None:
        return self._session.exec(query.limit(1), execution_options={"populate_existing": True}).first()

    def _locked(self, query: SelectOfScalar[R]) -> R | None:
        # in the mode that lets others refer to the row: a foreign key must not wait for it
        return self._first(query.with_for_update(key_share=True))

    def _run(self, statement: UpdateBase) -> CursorResult[*tuple[Any, ...]]:
        return self._session.exec(statement, execution_options={"synchronize_session": False})

    def _insert(self, table: type[Row], columns: dict[str, Any]) -> postgresql.Insert | sqlite.Insert:
        """An insert that knows ON CONFLICT; both databases spell it the same."""
        return self._insert_all(table, columns)

    def _insert_all(
        self, table: type[Row], rows: dict[str, Any] | list[dict[str, Any]]
    ) -> postgresql.Insert | sqlite.Insert:
        if self._session.get_bind().dialect.name == "postgresql":
            return postgresql.insert(table).values(rows)
        return sqlite.insert(table).values(rows)
