"""Every sample log, read as its index says, however it is cut into pieces."""

import math
import tomllib
from typing import Any

import pytest

from tests.domain.metrics.reading import SAMPLES, read_all

INDEX = tomllib.loads((SAMPLES / "index.toml").read_text())["log"]
NOT_PRINTED = {("nanogpt_char.log", "total_steps")}  # the file does not say it anywhere


def _same(seen: float, expected: float) -> bool:
    if math.isnan(expected):
        return math.isnan(seen)
    return math.isclose(seen, expected, rel_tol=1e-4)  # the index rounds


@pytest.mark.parametrize("piece_bytes", [1 << 20, 1000, 7, 1])
@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: str(entry["file"]))
def test_reads_as_the_index_says(entry: dict[str, Any], piece_bytes: int) -> None:
    points, progress, _ = read_all((SAMPLES / entry["file"]).read_bytes(), piece_bytes)
    for series in entry["series"]:
        found = sorted(
            (point for point in points.values() if point.metric == series["name"]), key=lambda point: point.x
        )
        assert len(found) == series["points"], series["name"]
        assert _same(found[0].value, float(series["first"])), series["name"]
        assert _same(found[-1].value, float(series["last"])), series["name"]
        assert len({point.x_kind for point in found}) == 1
    primary = sorted(point.x for point in points.values() if point.metric == entry["primary"])
    assert (primary[0], primary[-1]) == (entry["first_x"], entry["last_x"])
    kind = next(point.x_kind for point in points.values() if point.metric == entry["primary"])
    assert kind == entry["step_unit"]
    nonfinite = sum(not math.isfinite(p.value) for p in points.values() if p.metric == entry["primary"])
    assert nonfinite == entry["nonfinite"]
    said = {"last_epoch": progress.epoch, "total_epochs": progress.epochs, "total_steps": progress.steps}
    for key, seen in said.items():
        if key in entry and (entry["file"], key) not in NOT_PRINTED:
            assert seen == entry[key], key
