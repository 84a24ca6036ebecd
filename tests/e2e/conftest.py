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
