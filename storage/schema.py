"""The schema's way from one version to the next; safe to start in several processes at once.

Alembic is loaded where it is used: most starts find the schema as it should be, and loading it takes longer than all
that they ask of the database.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import URL, Connection, inspect, text

from bot.errors import SettingsError
from storage.engines import WAIT_S, errors_translated, open_engine, parse_url

if TYPE_CHECKING:
    from alembic.config import Config

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
    with _connected(url, wait_s=_WAIT_S) as connection:
        if url.get_backend_name() == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        return () if _is_current(connection) else _upgrade(connection)


def head() -> str:
    """The revision that this code works with."""
    from alembic.script import ScriptDirectory

    return str(ScriptDirectory(str(_MIGRATIONS)).get_current_head())


def revisions() -> tuple[str, ...]:
    """All revisions that this code knows, newest first."""
    from alembic.script import ScriptDirectory

    return tuple(script.revision for script in ScriptDirectory(str(_MIGRATIONS)).walk_revisions())


def current(database_url: str) -> str | None:
    """The revision that the database is at; None for an empty one.

    Raises:
        StoreUnavailable: the database is locked or away.
    """
    from alembic.migration import MigrationContext

    with _connected(parse_url(database_url)) as connection:
        return MigrationContext.configure(connection).get_current_revision()


def draft(database_url: str, message: str) -> Path:
    """For developers: write the next migration, from a migrated database to what `storage.tables` declares now."""
    from alembic import command
    from alembic.script import Script

    number = len(revisions()) + 1
    with _connected(parse_url(database_url)) as connection:
        script = command.revision(_config(connection, []), message, autogenerate=True, rev_id=f"{number:04d}")
    if not isinstance(script, Script):
        raise TypeError(f"one revision was to be written, not {script}")
    return Path(script.path)


@contextmanager
def _connected(url: URL, wait_s: float = WAIT_S) -> Iterator[Connection]:
    # SQLite rebuilds tables to change them, which checked foreign keys would not allow
    engine = open_engine(url, wait_s=wait_s, checks_foreign_keys=False)
    try:
        with errors_translated(), engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def _is_current(connection: Connection) -> bool:
    """Whether there is nothing to do: the newest file is the head, for they are numbered in one line."""
    newest = max(path.name for path in (_MIGRATIONS / "versions").glob("r*.py"))
    if not inspect(connection).has_table("alembic_version"):
        return False
    here = connection.scalars(text("SELECT version_num FROM alembic_version")).all()
    return here == [newest.removeprefix("r").partition("_")[0]]


def _upgrade(connection: Connection) -> tuple[str, ...]:
    from alembic import command
    from alembic.migration import MigrationContext

    known = revisions()
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


def _config(connection: Connection, applied: list[str]) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("file_template", "r%%(rev)s_%%(slug)s")
    config.attributes.update(connection=connection, applied=applied)
    return config
