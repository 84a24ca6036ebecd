"""One machine that the tests of jobs share, and fresh ones for those that stop or fill theirs."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.providers.local.boot import marks_of
from bot.providers.local.places import Root
from bot.providers.local.processes import end_all
from bot.providers.local.provider import LocalProvider
from bot.providers.local.state import load_state
from tests.providers.world import fresh_key, spec
from tests.remote.jobs.world import Machine


@pytest.fixture(scope="session")
def new_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Machine]]:
    """Boots machines; all of them end with the tests."""
    folder = tmp_path_factory.mktemp("jobs")
    key, root = fresh_key(folder / "key"), folder / "cloud"
    machines: list[Machine] = []

    def boot() -> Machine:
        provider = LocalProvider(root, boot_s=0.0, host_gpus=())
        offer = next(one for one in provider.offers() if one.ref == "l4")
        ref = provider.launch(spec(offer, f"lease-{len(machines)}", key))
        machines.append(Machine(provider, ref, key, root))
        return machines[-1]

    yield boot
    for machine in machines:
        machine.remote.close()
        place = Root(root).place(machine.ref.id)
        state = load_state(place.state)
        assert state is not None
        assert end_all(marks_of(place, state))


@pytest.fixture(scope="session")
def machine(new_machine: Callable[[], Machine]) -> Machine:
    return new_machine()


@pytest.fixture
def home(machine: Machine) -> Path:
    return machine.home
