"""SQLite's locks belong to the process: a second store on the same file must not drop those of the first."""

import subprocess
import sys
from pathlib import Path

from storage.schema import migrate
from storage.store import SqlStore

_TAKE_THE_LOG_AWAY = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0)
try:
    print(connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0])
except sqlite3.OperationalError as error:
    print(error)
"""


def test_another_process_cannot_take_the_log_away_after_a_second_store_was_made(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    first = SqlStore(url)
    with first.read() as tx:
        assert tx.leases.live() == ()
    SqlStore(url).close()
    other = subprocess.run(
        [sys.executable, "-c", _TAKE_THE_LOG_AWAY, str(tmp_path / "gpubot.db")],
        capture_output=True,
        text=True,
        check=True,
    )
    first.close()
    assert "locked" in other.stdout
