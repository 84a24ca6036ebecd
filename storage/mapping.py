"""From values of the domain to columns and back: they have the same names, and a test holds them to it."""

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Column, Table

from storage.columns import storable
from storage.tables import Row

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

V = TypeVar("V", bound="DataclassInstance")


def columns_of(value: "DataclassInstance") -> dict[str, Any]:
    """A value's fields, to be written."""
    columns = {field.name: getattr(value, field.name) for field in fields(value)}
    return {name: storable(field) if type(field) is str else field for name, field in columns.items()}


def table_of(row: type[Row]) -> Table:
    """The table that holds such rows."""
    return row.metadata.tables[str(row.__tablename__)]


@cache
def columns_for(kind: type["DataclassInstance"], row: type[Row]) -> tuple[Column[Any], ...]:
    """The columns that hold a value's fields, in their order."""
    table = table_of(row)
    return tuple(table.c[field.name] for field in fields(kind))


def value_of(kind: type[V], row: Row) -> V:
    """The value that a row holds."""
    return kind(**{field.name: getattr(row, field.name) for field in fields(kind)})
