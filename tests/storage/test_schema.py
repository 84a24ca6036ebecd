"""Migrations: they lead to what is declared, once, also when two processes start together."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

import storage.migrations
from bot.errors import SettingsError
from storage import schema
from storage.engines import open_engine, parse_url
from storage.schema import current, draft, head, migrate
from storage.store import SqlStore
from storage.tables import Row
from tests.storage.samples import lease

ROOT = Path(storage.__file__).parents[1]


@contextmanager
def connected(database_url: str) -> Iterator[Connection]:
    """One transaction, straight to the database."""
    engine = open_engine(parse_url(database_url))
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def test_the_migrated_schema_is_the_declared_one(database_url: str) -> None:
    with connected(database_url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Row.metadata) == []


def test_its_indexes_are_too_with_their_conditions(empty_url: str) -> None:
    with connected(empty_url) as connection:
        Row.metadata.create_all(connection)
        declared = indexes(connection)
        Row.metadata.drop_all(connection)
    migrate(empty_url)
    with connected(empty_url) as connection:
        assert indexes(connection) == declared
    assert sum("WHERE" in definition for definition in declared) == 19


def indexes(connection: Connection) -> list[str]:
    """Every index as the database would write it."""
    if connection.dialect.name == "sqlite":
        query = "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql <> '' AND tbl_name NOT LIKE 'alembic%'"
    else:
        query = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE 'alembic%'"
    return sorted(str(row[0]) for row in connection.execute(text(query)))


def test_migrating_twice(empty_url: str) -> None:
    assert current(empty_url) is None
    assert migrate(empty_url)[-1] == head()
    assert migrate(empty_url) == ()
    assert current(empty_url) == head()


def test_a_start_with_nothing_to_do_does_not_load_alembic(database_url: str) -> None:
    program = "import sys; from storage.schema import migrate; print(migrate(sys.argv[1]), 'alembic' in sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", program, database_url], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert told.stdout == "() False\n"


def test_what_is_stored_survives_a_start(database_url: str, store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
    assert migrate(database_url) == ()
    with store.read() as tx:
        assert tx.leases.get("l1") == lease()


def test_two_processes_start_at_once(empty_url: str) -> None:
    program = (
        "import sys; from storage.schema import migrate; print('ready', flush=True); sys.stdin.readline();"
        "print(*migrate(sys.argv[1]))"
    )
    starting = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", program, empty_url],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in starting:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in starting:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    applied = sorted(process.communicate(timeout=60)[0].split() for process in starting)
    assert [process.returncode for process in starting] == [0, 0]
    assert applied[0] == []
    assert applied[1][-1] == head()


def test_a_database_that_is_newer_than_the_code(empty_url: str) -> None:
    migrate(empty_url)
    with connected(empty_url) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(SettingsError, match=r"schema 9999.*does not know.*newer version"):
        migrate(empty_url)
    assert current(empty_url) == "9999"


def test_a_draft_of_everything_leads_to_the_declared_schema(
    empty_url: str, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connected(database_url) as connection:
        declared = indexes(connection)
    migrations = shutil.copytree(ROOT / "storage" / "migrations", tmp_path / "migrations")
    for script in (migrations / "versions").glob("r*.py"):
        script.unlink()
    monkeypatch.setattr(schema, "_MIGRATIONS", migrations)
    drafted = draft(empty_url, "Everything anew")
    assert drafted.name == "r0001_everything_anew.py"
    assert "storage" not in drafted.read_text()
    assert migrate(empty_url) == ("0001",)
    with connected(empty_url) as connection:
        assert indexes(connection) == declared


def test_the_history_is_one_line() -> None:
    revisions = list(ScriptDirectory(str(Path(storage.migrations.__file__).parent)).walk_revisions())
    numbers = [script.revision for script in reversed(revisions)]
    assert numbers == [f"{number:04d}" for number in range(1, len(numbers) + 1)]
    files = sorted(path.name for path in Path(storage.migrations.__file__).parent.glob("versions/r*.py"))
    assert [name[1:].split("_")[0] for name in files] == numbers
    assert all(not script.is_branch_point and not script.is_merge_point for script in revisions)
