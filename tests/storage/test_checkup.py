"""Looking at a database changes nothing in it, and says what a start would do."""

import sqlite3
from pathlib import Path

import pytest

from bot.domain.checklist import Verdict
from bot.domain.checkup import Finding, Kind
from storage.checkup import look_at_database
from storage.schema import head, revisions


def look(database_url: str) -> dict[Kind, Finding]:
    return {finding.kind: finding for finding in look_at_database(database_url)}


def execute(file: Path, statement: str) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute(statement)
    connection.close()


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert set(look(f"sqlite:///{tmp_path}/new/gpubot.db")) == {Kind.DATABASE_NEW}
    assert list(tmp_path.iterdir()) == []


def test_what_would_be_migrated_is_named_and_not_done(tmp_path: Path) -> None:
    file, url = tmp_path / "gpubot.db", f"sqlite:///{tmp_path}/gpubot.db"
    execute(file, "CREATE TABLE alembic_version (version_num TEXT)")
    oldest = revisions()[-1]
    execute(file, f"INSERT INTO alembic_version VALUES ('{oldest}')")  # noqa: S608 - a name of ours
    for _ in range(2):
        found = look(url)
        assert found[Kind.DATABASE_BEHIND].facts["count"] == len(revisions()) - 1
        assert str(found[Kind.DATABASE_BEHIND].facts["pending"]).endswith(head())
        assert found[Kind.DATABASE_WRITES].verdict is Verdict.OK


def test_a_migrated_one_is_written_to_and_left_as_it_was(database_url: str) -> None:
    for _ in range(2):
        assert set(look(database_url)) == {Kind.DATABASE_READY, Kind.DATABASE_WRITES}


@pytest.mark.parametrize("url", ["sqlite:///{0}/not-one", "postgresql://u:sesame@127.0.0.1:1/x"])
def test_one_that_cannot_be_used_is_said_without_its_password(tmp_path: Path, url: str) -> None:
    (tmp_path / "not-one").write_bytes(b"no database at all, but long enough to be looked at" * 100)
    found = look(url.format(tmp_path))
    assert [finding.verdict for finding in found.values()] == [Verdict.FAIL]
    assert "sesame" not in str(found)


def test_one_of_a_newer_gpubot_is_said(tmp_path: Path) -> None:
    execute(tmp_path / "gpubot.db", "CREATE TABLE alembic_version (version_num TEXT)")
    execute(tmp_path / "gpubot.db", "INSERT INTO alembic_version VALUES ('9999')")
    found = look(f"sqlite:///{tmp_path}/gpubot.db")
    assert found[Kind.DATABASE_WRONG].verdict is Verdict.FAIL
