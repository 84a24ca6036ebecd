"""Plays histories, batch by batch: hypothesis finds them, and shrinks the first one in which something is lost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from logging import CRITICAL
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import structlog
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.soak.histories import History, Theatres
from tests.soak.simulated import Theatre

BATCH: Final = 12
"""Later in a batch hypothesis varies what it has; at its beginning it makes new ones."""
STEPS: Final = 14
_MEMORY: Final = Path("/dev/shm")


@dataclass
class Tally:
    """What was played."""

    histories: int = 0
    steps: int = 0
    releases: int = 0
    lost_bytes: int = 0
    """Destroyed without a yes in the last history; hypothesis ends with the one that it has shrunk."""


@contextmanager
def quiet() -> Iterator[None]:
    """Nothing is logged."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(CRITICAL))
    try:
        yield
    finally:
        structlog.configure(**before)


@contextmanager
def in_memory() -> Iterator[Theatre]:
    """A theatre whose database is on no disk, where there is such a place; nothing is logged."""
    with quiet(), TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        theatre = Theatre(Path(folder))
        try:
            yield theatre
        finally:
            theatre.close()


def play(
    theatre: Theatres,
    histories: int,
    seed: int,
    on_progress: Callable[[Tally], None] = lambda _: None,
    *,
    tally: Tally | None = None,
    shrinks: bool = True,
    batch: int = BATCH,
    steps: int = STEPS,
) -> Tally:
    """So many histories, the same ones for the same ``seed``; counted in ``tally``.

    Raises:
        AssertionError: something was lost; its notes tell the history.
    """
    played, stage = tally or Tally(), theatre

    class Played(History):
        theatre = stage

        @staticmethod
        def tell(history: History) -> None:
            played.histories = min(played.histories + 1, histories)  # hypothesis may play one or two more
            played.steps += history.steps
            played.releases += history.releases
            played.lost_bytes = history.lost_bytes

    phases = (Phase.generate, Phase.shrink) if shrinks else (Phase.generate,)
    while played.histories < histories:
        how = settings(
            max_examples=min(batch, histories - played.histories),
            stateful_step_count=steps,
            phases=phases,
            deadline=None,
            database=None,
            print_blob=False,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        )
        Played._hypothesis_internal_use_seed = seed  # type: ignore[attr-defined]
        run_state_machine_as_test(Played, settings=how)
        on_progress(played)
        seed += 1
    return played
