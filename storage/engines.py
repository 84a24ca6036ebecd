"""Engines: how connections to SQLite and PostgreSQL are made, so that nothing waits for ever."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.errors import SettingsError, StoreUnavailable

WAIT_S: Final = 5.0
"""How long one transaction waits for another before the database counts as locked."""


def parse_url(database_url: str) -> URL:
    """The address with its driver.

    Raises:
        SettingsError: it is none of a SQLite file or a PostgreSQL database.
    """
    try:
        url = make_url(database_url)
    except ArgumentError as error:
        # the text itself is not repeated: it may hold a password
        raise SettingsError(("database_url: not an address like sqlite:///gpubot.db",)) from error
    match url.get_backend_name():
        case "sqlite" if url.database and url.database != ":memory:" and "uri" not in url.query:
            return url.set(drivername="sqlite")
        case "sqlite":
            raise SettingsError(("database_url: SQLite needs a file, as in sqlite:///gpubot.db",))
        case "postgres" | "postgresql":
            return url.set(drivername="postgresql+psycopg")
        case other:
            raise SettingsError((f"database_url: sqlite or postgresql, not {other}",))


def open_engine(url: URL, *, writes: bool = True, wait_s: float = WAIT_S, checks_foreign_keys: bool = True) -> Engine:
    """An engine whose transactions wait ``wait_s`` for others. Nothing is connected yet.

    Raises:
        StoreUnavailable: the file of a SQLite database cannot be made.
        SettingsError: the driver of the database is not installed.
    """
    if url.get_backend_name() == "sqlite":
        return _open_sqlite(url, writes, wait_s, checks_foreign_keys)
    try:
        return _open_postgres(url, wait_s)
    except ModuleNotFoundError as error:
        raise SettingsError((f"database_url: PostgreSQL needs the package {error.name}",)) from error


def _open_sqlite(url: URL, writes: bool, wait_s: float, checks_foreign_keys: bool) -> Engine:
    _make_file(Path(str(url.database)))
    # writers queue here, in order, for one connection: SQLite's own waiting is not fair to many threads
    size: dict[str, Any] = {"pool_size": 1, "max_overflow": 0} if writes else {"pool_size": 10, "max_overflow": 20}
    engine = create_engine(
        url, connect_args={"timeout": wait_s}, pool_timeout=max(wait_s, 1.0), hide_parameters=True, **size
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        # without this the driver begins transactions by itself, too late, and updates get lost
        connection.isolation_level = None
        for pragma in (
            "journal_mode = WAL",
            f"foreign_keys = {int(checks_foreign_keys)}",
            f"query_only = {int(not writes)}",
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _make_file(path: Path) -> None:
    """The file, for its owner alone; SQLite gives the files beside it the same mode.

    One that is there is not even opened: closing it again would drop every lock that this process holds on it
    (POSIX locks are the process's), and another process could then take the log away from under our readers.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        if not path.is_file():
            raise StoreUnavailable(f"{path}: no file can be there") from None
        return
    except OSError as error:
        raise StoreUnavailable(f"{path}: {error.strerror}") from error


def _open_postgres(url: URL, wait_s: float) -> Engine:
    engine = create_engine(
        url,
        pool_size=10,
        max_overflow=20,
        pool_timeout=max(wait_s, 1.0),
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={
            "connect_timeout": 5,
            "tcp_user_timeout": 10_000,
            "application_name": url.query.get("application_name", "gpubot"),
        },
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.execute(f"SET lock_timeout = {round(wait_s * 1000)}")
        # a process that was frozen in the middle must not hold its locks for ever
        connection.execute("SET idle_in_transaction_session_timeout = 60000")
        connection.commit()

    return engine


@contextmanager
def errors_translated() -> Iterator[None]:
    """What the database cannot do now becomes `StoreUnavailable`; bugs of ours stay what they are."""
    try:
        yield
    except PoolTimeout as error:
        raise StoreUnavailable(str(error)) from error
    except DBAPIError as error:
        # the plain DatabaseError is SQLite's for a file that is damaged or something else
        if not (isinstance(error, OperationalError) or error.connection_invalidated or type(error) is DatabaseError):
            raise
        # what the database said, without our statement
        raise StoreUnavailable(str(error.orig)) from error
