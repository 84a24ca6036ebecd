"""Column types: how the domain's values lie in a database, the same on SQLite and PostgreSQL."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import Enum, StrEnum
from functools import lru_cache
from math import isfinite, isnan, nan
from typing import Any, ClassVar, Final, TypeVar, get_origin

from pydantic import TypeAdapter
from sqlalchemy import JSON, DateTime, Dialect, Float, SmallInteger, String, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import TypeDecorator

from bot.domain.notice import Priority
from bot.domain.places import MessageRef

W = TypeVar("W", bound=StrEnum)
V = TypeVar("V")
_Read = Callable[[Any], Any]
_SHORT: Final = 1000


def storable(text: str) -> str:
    """``text`` without what a database cannot hold: NUL characters and halves of surrogate pairs."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def aware(moment: datetime) -> datetime:
    """The same moment in UTC.

    Raises:
        ValueError: it is naive, so nobody knows which moment it is.
    """
    if moment.utcoffset() is None:
        raise ValueError(f"naive datetime {moment!r}")
    return moment.astimezone(UTC)


class Sparse(TypeDecorator[V]):
    """A column that is read by the thousand and is often empty: what is empty costs no call."""

    def result_processor(self, dialect: Dialect, coltype: object) -> _Read | None:
        """As the column reads by itself."""
        read = super().result_processor(dialect, coltype)
        return read and (lambda value: None if value is None else read(value))


class Moment(Sparse[datetime]):
    """A moment in UTC; naive values are refused, and none come back."""

    impl = DateTime(timezone=True)
    cache_ok = True
    in_migrations: ClassVar[str] = "sa.DateTime(timezone=True)"

    def result_processor(self, dialect: Dialect, coltype: object) -> _Read | None:
        """SQLite's digits at once, for each machine has a dozen moments."""
        if dialect.name != "sqlite":
            return super().result_processor(dialect, coltype)
        read = datetime.fromisoformat
        return lambda digits: None if digits is None else read(f"{digits}+00:00")

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """To UTC; SQLite keeps the digits alone."""
        return None if value is None else aware(value)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Back, marked as UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Word(Sparse[W]):
    """One word of an enumeration, stored as it reads, so that a new word needs no migration."""

    impl = String
    cache_ok = True
    in_migrations: ClassVar[str] = "sa.String()"

    def __init__(self, words: type[W]) -> None:
        super().__init__()
        self.words = words

    def process_bind_param(self, value: W | None, _dialect: Dialect) -> str | None:
        """The word's text."""
        return None if value is None else self.words(value).value

    def process_result_value(self, value: str | None, _dialect: Dialect) -> W | None:
        """The word again."""
        return None if value is None else self.words(value)


class Rank(TypeDecorator[Priority]):
    """A priority, as the number it is sorted by."""

    impl = SmallInteger
    cache_ok = True
    in_migrations: ClassVar[str] = "sa.SmallInteger()"

    def process_bind_param(self, value: Priority | None, _dialect: Dialect) -> int | None:
        """The bare number: drivers have their own ideas about enumerations."""
        return None if value is None else int(value)

    def process_result_value(self, value: int | None, _dialect: Dialect) -> Priority | None:
        """The priority again."""
        return None if value is None else Priority(value)


class Message(Sparse[MessageRef]):
    """One message as ``channel/ts``, in one column so that it can be looked up."""

    impl = String
    cache_ok = True
    in_migrations: ClassVar[str] = "sa.String()"

    def process_bind_param(self, value: MessageRef | None, _dialect: Dialect) -> str | None:
        """Channel ids hold no slash."""
        return None if value is None else f"{value.channel}/{value.ts}"

    def process_result_value(self, value: str | None, _dialect: Dialect) -> MessageRef | None:
        """The reference again."""
        return None if value is None else MessageRef(*value.split("/", 1))


class Value(Sparse[Any]):
    """A nested value of the domain as JSON: what nobody queries by. A field that is new gets its default when read."""

    impl = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
    cache_ok = True
    in_migrations: ClassVar[str] = 'sa.JSON().with_variant(postgresql.JSONB(), "postgresql")'

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.kind = kind
        self._adapter: TypeAdapter[Any] = TypeAdapter(kind)

    def result_processor(self, dialect: Dialect, coltype: object) -> _Read | None:
        """Short texts that are the same are read once: most leases have one of few offers. Values are never changed
        in place; what is a mapping could be."""
        read = super().result_processor(dialect, coltype)
        if read is None or get_origin(self.kind) is Mapping or dialect.name != "sqlite":
            return read
        remembered = lru_cache(maxsize=512)(read)
        return lambda text: remembered(text) if text is None or len(text) < _SHORT else read(text)

    def process_bind_param(self, value: Any, _dialect: Dialect) -> Any:
        """Plain JSON."""
        return None if value is None else _plain(self._adapter.dump_python(value))

    def process_result_value(self, value: Any, _dialect: Dialect) -> Any:
        """The value again, checked against its declaration."""
        return None if value is None else self._adapter.validate_python(value)


class Exact(TypeDecorator[Any]):
    """A nested value of the domain as a text of JSON in which also NaN and infinity are kept."""

    impl = Text
    cache_ok = True
    in_migrations: ClassVar[str] = "sa.Text()"

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.kind = kind
        self._adapter: TypeAdapter[Any] = TypeAdapter(kind)

    def process_bind_param(self, value: Any, _dialect: Dialect) -> str | None:
        """ASCII, whatever is in it."""
        return None if value is None else json.dumps(self._adapter.dump_python(value))

    def process_result_value(self, value: str | None, _dialect: Dialect) -> Any:
        """The value again, checked against its declaration."""
        return None if value is None else self._adapter.validate_python(json.loads(value))


class Figure(TypeDecorator[float]):
    """Any float; NaN is kept as NULL, for SQLite has none."""

    impl = Float(53)
    cache_ok = True
    in_migrations: ClassVar[str] = "sa.Float(53)"

    def process_bind_param(self, value: float | None, _dialect: Dialect) -> float | None:
        """NaN as NULL."""
        return None if value is None or isnan(value) else value

    def process_result_value(self, value: float | None, _dialect: Dialect) -> float:
        """NULL as NaN."""
        return nan if value is None else value


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case str():
            return storable(value)
        case datetime():
            return aware(value).isoformat()
        case Mapping():
            return {storable(key): _plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_plain(inner) for inner in value]
        case float() if not isfinite(value):
            return None  # JSON has no such numbers
        case _:
            return value
