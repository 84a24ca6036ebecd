"""Five hundred random histories on a simulated machine: no byte is lost without a yes. And broken rules are found."""

import contextlib
from collections.abc import Callable, Iterator

import pytest

from tests.soak import mutants
from tests.soak.mutants import Patch
from tests.soak.play import BATCH, Tally, Theatre, in_memory, play

HISTORIES, FIRST = 500, 1
BATCHES = range(FIRST, FIRST + -(-HISTORIES // BATCH))
FOUND = {mutants.no_last_look: 5, mutants.any_inventory_will_do: 5, mutants.unknown_is_clean: 4}
"""Each with the batch of histories that is known to find it."""


@pytest.fixture(scope="module")
def theatre() -> Iterator[Theatre]:
    with in_memory() as theatre:
        yield theatre


@pytest.mark.timeout(900)
def test_no_byte_is_lost_without_a_yes(theatre: Theatre) -> None:
    tally = play(theatre, HISTORIES, FIRST)
    assert tally.histories >= HISTORIES
    assert tally.releases >= HISTORIES / 10, "histories that destroy nothing show nothing"
    assert tally.lost_bytes == 0


@pytest.mark.parametrize(("mutant", "batch"), FOUND.items(), ids=[mutant.__name__ for mutant in FOUND])
@pytest.mark.timeout(900)
def test_chance_finds_what_is_broken(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch, mutant: Callable[[Patch], None], batch: int
) -> None:
    """If that batch no longer does, another one of the five hundred has to. `test_judge` has a short history each."""
    mutant(monkeypatch)
    for seed in dict.fromkeys((batch, *BATCHES)):
        tally = Tally()
        with contextlib.suppress(AssertionError):
            play(theatre, BATCH, seed, tally=tally, shrinks=False)
        if tally.lost_bytes:
            return
    pytest.fail("something was lost without a yes, and nobody saw it")
