"""The schema's way from one version to the next; safe to start in several processes at once."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from bot.errors import SettingsError, StoreUnavailable
from storage.engines import open_engine, parse_url

_MIGRATIONS: Final = Path(__file__).parent / "migrations"
_LOCK: Final = 0x67707562_6F74  # "gpubot": one advisory lock of the whole database
_WAIT_S: Final = 120.0


def migrate(database_url: str) -> tuple[str, ...]:
    """Bring the database to this code's schema; the revisions that were applied, none where it was there already.

    All or nothing, and one process at a time: another one waits, and then finds nothing to do.

    Raises:
        SettingsError: a newer gpubot was here before.
        StoreUnavailable: the database is locked or away.
    """
    url = parse_url(database_url)
    # SQLite rebuilds tables to change them, which foreign keys would not allow
    engine = open_engine(url, wait_s=_WAIT_S, checks_foreign_keys=False)
    try:
        with engine.begin() as connection:
            if url.get_backend_name() == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            return _upgrade(connection)
    except OperationalError as error:
        raise StoreUnavailable(str(error.orig)) from error
    finally:
        engine.dispose()


def head() -> str:
    """The revision that this code works with."""
    return str(ScriptDirectory(str(_MIGRATIONS)).get_current_head())


def current(database_url: str) -> str | None:
    """The revision that the database is at; None for an empty one.

    Raises:
        StoreUnavailable: the database is locked or away.
    """
    engine = open_engine(parse_url(database_url))
    try:
        with engine.begin() as connection:
            return MigrationContext.configure(connection).get_current_revision()
    except OperationalError as error:
        raise StoreUnavailable(str(error.orig)) from error
    finally:
        engine.dispose()


def draft(database_url: str, message: str) -> Path:
    """For developers: write the next migration, from a migrated database to what `storage.tables` declares now."""
    engine = open_engine(parse_url(database_url), checks_foreign_keys=False)
    try:
        with engine.begin() as connection:
            number = f"{int(head()) + 1:04d}"
            script = command.revision(_config(connection, []), message, autogenerate=True, rev_id=number)
    finally:
        engine.dispose()
    if not isinstance(script, Script):
        raise TypeError(f"one revision was to be written, not {script}")
    return Path(script.path)


def _upgrade(connection: Connection) -> tuple[str, ...]:
    known = {script.revision for script in ScriptDirectory(str(_MIGRATIONS)).walk_revisions()}
    here = MigrationContext.configure(connection).get_current_revision()
    if here is not None and here not in known:
        raise SettingsError(
            (
                f"database_url: the database is at schema {here}, which this version of gpubot does not know"
                f" (it knows up to {head()}); start the newer version that was used with it",
            )
        )
    applied: list[str] = []
    command.upgrade(_config(connection, applied), "head")
    return tuple(applied)


def _config(connection: Connection, applied: list[str]) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("file_template", "r%%(rev)s_%%(slug)s")
    config.attributes.update(connection=connection, applied=applied)
    return config
