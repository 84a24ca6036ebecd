"""Local clouds for tests; whatever a test leaves running is ended."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.providers.local.boot import marks_of
from bot.providers.local.places import Root
from bot.providers.local.processes import end_all
from bot.providers.local.provider import LocalProvider
from bot.providers.local.state import load_state
from tests.providers.world import Key, fresh_key


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Key:
    return fresh_key(tmp_path_factory.mktemp("key") / "lease_key")


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A provider's root. All machines that were made in it end with the test."""
    path = tmp_path / "cloud"
    yield path
    instances = Root(path).instances
    for place in map(Root(path).place, [found.name for found in instances.iterdir()] if instances.exists() else []):
        state = load_state(place.state)
        assert state is not None
        assert end_all(marks_of(place, state))


@pytest.fixture
def cloud(root: Path) -> Callable[..., LocalProvider]:
    """Opens the cloud; takes the arguments of `LocalProvider`. Machines boot at once unless told otherwise."""
    return lambda **arguments: LocalProvider(root, **({"boot_s": 0.0, "host_gpus": ()} | arguments))


@pytest.fixture
def local(cloud: Callable[..., LocalProvider]) -> LocalProvider:
    return cloud()
