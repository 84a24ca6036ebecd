"""Fixtures of the tests through the front door."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.deployment import Deployment

Deploy = Callable[..., Deployment]


@pytest.fixture
def deploy(tmp_path: Path) -> Iterator[Deploy]:
    """Makes deployments (not started yet) and ends them."""
    made: list[Deployment] = []

    def make(**settings: object) -> Deployment:
        root = tmp_path / f"d{len(made)}"
        root.mkdir()
        made.append(Deployment(root, **settings))
        return made[-1]

    yield make
    for deployment in made:
        deployment.close()


@pytest.fixture
def deployment(deploy: Deploy) -> Deployment:
    """A running one."""
    running = deploy()
    running.start()
    return running


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """One running deployment for all tests of a file; machines are kept apart by their names."""
    running = Deployment(tmp_path_factory.mktemp("town"), local_boot_limit_s=2)
    running.start()
    yield running
    running.close()
