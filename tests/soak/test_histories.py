"""Five hundred random histories on a simulated machine: no byte is lost without a yes. And broken rules are seen."""

import contextlib
from collections.abc import Callable, Iterator

import pytest

from tests.soak.mutants import MUTANTS, Patch
from tests.soak.play import BATCH, Tally, Theatre, in_memory, play

HISTORIES, FIRST = 500, 1
BATCHES = range(FIRST, FIRST + -(-HISTORIES // BATCH))


@pytest.fixture(scope="module")
def theatre() -> Iterator[Theatre]:
    with in_memory() as theatre:
        yield theatre


@pytest.mark.timeout(900)
def test_no_byte_is_lost_without_a_yes(theatre: Theatre) -> None:
    tally = play(theatre, HISTORIES, FIRST)
    assert tally.histories >= HISTORIES
    assert tally.releases >= HISTORIES / 5, "histories that destroy nothing show nothing"
    assert tally.lost_bytes == 0


@pytest.mark.parametrize(("mutant", "batch"), MUTANTS.items(), ids=[mutant.__name__ for mutant in MUTANTS])
@pytest.mark.timeout(900)
def test_a_rule_that_is_taken_away_is_missed(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch, mutant: Callable[[Patch], None], batch: int
) -> None:
    """``batch``: the one of the above that is known to see it; if it no longer does, another one has to."""
    mutant(monkeypatch)
    for seed in dict.fromkeys((batch, *BATCHES)):
        tally = Tally()
        with contextlib.suppress(AssertionError):
            play(theatre, BATCH, seed, tally=tally, shrinks=False)
        if tally.lost_bytes:
            return
    pytest.fail("something was lost without a yes, and nobody saw it")
