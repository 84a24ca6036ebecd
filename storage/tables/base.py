"""What all tables share: one metadata with named constraints, and how they declare serial numbers and indexes."""

from typing import Any, Final

from sqlalchemy import BigInteger, Index, Integer, MetaData, text
from sqlmodel import SQLModel

SERIAL: Final = BigInteger().with_variant(Integer(), "sqlite")
"""A number the database counts up; SQLite does so for INTEGER only."""


class Row(SQLModel):
    """A row of a table. Rows stay inside `storage`: they become values of the domain in `storage.mapping`."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def partial_index(name: str, *columns: Any, where: str, unique: bool = False) -> Index:
    """An index over the rows that matter only, so that what has ended costs nothing.

    The condition is text, so that it can be written into migrations.
    """
    return Index(name, *columns, unique=unique, sqlite_where=text(where), postgresql_where=text(where))
