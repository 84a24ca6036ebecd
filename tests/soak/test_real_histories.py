"""Twenty random histories on real parts: local instances, SSH, rclone, the shipped scripts on a real kernel."""

from pathlib import Path

import pytest

from tests.soak.play import play, quiet
from tests.soak.real import LocalTheatre

HISTORIES, SEED, STEPS = 20, 7, 6


@pytest.mark.timeout(600)
def test_no_byte_is_lost_without_a_yes_on_real_parts(tmp_path: Path) -> None:
    with quiet():
        theatre = LocalTheatre(tmp_path)
        try:
            tally = play(theatre, HISTORIES, SEED, shrinks=False, batch=HISTORIES // 2, steps=STEPS)
        finally:
            theatre.close()
    assert tally.histories >= HISTORIES
    assert tally.releases >= 3, "histories that destroy nothing show nothing"
    assert tally.lost_bytes == 0
