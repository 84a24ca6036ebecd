"""What every store does: run statements in the session of its transaction."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import (
    BindParameter,
    CursorResult,
    Executable,
    Insert,
    Update,
    UpdateBase,
    bindparam,
    insert,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from storage.mapping import columns_for, table_of
from storage.tables import Row

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R")
V = TypeVar("V", bound="DataclassInstance")


class Query(Generic[V]):
    """A query for values that is asked often. Putting a statement together costs more than running it: this one is
    put together once, what it depends on are its parameters."""

    def __init__(self, kind: type[V], row: type[Row], query: SelectOfScalar[Any]) -> None:
        self.kind = kind
        self.statement = query.with_only_columns(*columns_for(kind, row), maintain_column_froms=True)


def given(name: str) -> BindParameter[Any]:
    """A parameter of a `Query`."""
    return bindparam(name)


def any_of(name: str) -> BindParameter[Any]:
    """A parameter of a `Query` that is a list."""
    return bindparam(name, expanding=True)


def for_change(query: SelectOfScalar[R]) -> SelectOfScalar[R]:
    """In the mode that lets others refer to the row: a foreign key must not wait for it."""
    return query.with_for_update(key_share=True)


def insert_into(row: type[Row], dialect: str) -> postgresql.Insert | sqlite.Insert:
    """An insert that knows ON CONFLICT; both databases spell it the same."""
    return postgresql.insert(table_of(row)) if dialect == "postgresql" else sqlite.insert(table_of(row))


@cache
def _new(row: type[Row]) -> Insert:
    return insert(table_of(row))


@cache
def _overwrite(row: type[Row]) -> Update:
    table = table_of(row)
    return update(table).where(table.c.id == bindparam("its_id"))


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
        return [query.kind(*columns) for columns in self._ask(query.statement, parameters).all()]

    def _found_first(self, query: Query[V], **parameters: Any) -> V | None:
        columns = self._ask(query.statement, parameters).first()
        return None if columns is None else query.kind(*columns)

    def _store(self, row: type[Row], columns: Mapping[str, Any]) -> None:
        self._ask(_new(row), columns)

    def _write(self, row: type[Row], row_id: str, columns: Mapping[str, Any]) -> None:
        self._ask(_overwrite(row), {"its_id": row_id, **columns})

    def _ask(
        self, statement: Executable, parameters: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None
    ) -> CursorResult[*tuple[Any, ...]]:
        """Without mapping to rows; of many sets of parameters it is run for each."""
        return self._session.connection().execute(statement, parameters)

    def _first(self, query: SelectOfScalar[R]) -> R | None:
        return self._session.exec(query.limit(1), execution_options={"populate_existing": True}).first()

    def _locked(self, query: SelectOfScalar[R]) -> R | None:
        return self._first(for_change(query))

    def _run(self, statement: UpdateBase) -> CursorResult[*tuple[Any, ...]]:
        return self._session.exec(statement, execution_options={"synchronize_session": False})

    @property
    def _dialect(self) -> str:
        return self._session.get_bind().dialect.name

    def _insert(self, table: type[Row], columns: dict[str, Any]) -> postgresql.Insert | sqlite.Insert:
        """An insert that knows ON CONFLICT; both databases spell it the same."""
        return insert_into(table, self._dialect).values(columns)
