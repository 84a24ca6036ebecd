"""Looks at a database without changing it: can it be reached, is it migrated, can it be written to."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from alembic.migration import MigrationContext
from sqlalchemy import URL, Connection, text
from sqlalchemy.exc import DBAPIError

from bot.domain.checklist import Verdict
from bot.domain.checkup import Finding, Group, Kind
from bot.domain.problem import Facts
from bot.errors import SettingsError, StoreUnavailable
from storage.engines import errors_translated, open_engine, parse_url
from storage.schema import head, revisions

_DATABASE: Final = Group.DATABASE


def look_at_database(database_url: str) -> Iterator[Finding]:
    """What there is to say of the database; it is not migrated, and a file that is not there is not made."""
    try:
        url = parse_url(database_url)
        if (missing := _missing_file(url)) is not None:
            yield _about_new_file(missing)
            return
        engine = open_engine(url)
        try:
            with errors_translated(), engine.connect() as connection:
                yield _about_schema(connection, url)
                yield _about_writing(connection)
        finally:
            engine.dispose()
    except SettingsError as error:
        for fault in error.faults:
            yield Finding(_DATABASE, Kind.DATABASE_WRONG, Verdict.FAIL, {"fault": fault})
    except StoreUnavailable as error:
        yield Finding(_DATABASE, Kind.DATABASE_AWAY, Verdict.FAIL, {"detail": error.detail})


def _missing_file(url: URL) -> Path | None:
    file = Path(str(url.database)) if url.get_backend_name() == "sqlite" else None
    return file if file is not None and not file.exists() else None


def _about_new_file(file: Path) -> Finding:
    near = next(folder for folder in file.absolute().parents if folder.exists())
    if not near.is_dir() or not os.access(near, os.W_OK | os.X_OK):
        facts = {"detail": f"{file}: no file can be made in {near}"}
        return Finding(_DATABASE, Kind.DATABASE_AWAY, Verdict.FAIL, facts)
    return Finding(_DATABASE, Kind.DATABASE_NEW, facts={"where": str(file)})


def _about_schema(connection: Connection, url: URL) -> Finding:
    where = url.render_as_string(hide_password=True)
    here = MigrationContext.configure(connection).get_current_revision()
    known = revisions()
    if here is not None and here not in known:
        fault = f"it is at schema {here}, of a newer gpubot than this one, which knows schemas up to {head()}"
        return Finding(_DATABASE, Kind.DATABASE_WRONG, Verdict.FAIL, {"fault": fault})
    pending = known if here is None else known[: known.index(here)]
    if pending:
        facts: Facts = {"where": where, "pending": ", ".join(reversed(pending)), "count": len(pending)}
        return Finding(_DATABASE, Kind.DATABASE_BEHIND, facts=facts)
    return Finding(_DATABASE, Kind.DATABASE_READY, facts={"where": where, "schema": head()})


def _about_writing(connection: Connection) -> Finding:
    """Makes a table, as migrations do, writes to it and rolls all of it back."""
    try:
        connection.execute(text("CREATE TABLE gpubot_checkup (written INTEGER NOT NULL)"))
        connection.execute(text("INSERT INTO gpubot_checkup (written) VALUES (1)"))
        connection.execute(text("SELECT written FROM gpubot_checkup")).scalar_one()
    except DBAPIError as error:
        return Finding(_DATABASE, Kind.DATABASE_READ_ONLY, Verdict.FAIL, {"detail": str(error.orig)})
    finally:
        connection.rollback()
    return Finding(_DATABASE, Kind.DATABASE_WRITES)
