"""What holds for all tests."""

from pathlib import Path
from typing import Final

import pytest

LONGEST_ID: Final = 40
SLOWEST_FIRST: Final = (
    "test_crashes.py",
    "test_histories.py",
    "test_question.py",
    "test_chaos.py",
    "test_jobs.py",
    "test_real_histories.py",
    "test_archive.py",
    "test_disks.py",
    "test_misbehaviour.py",
)
"""Files that take minutes begin first, so that none of them is left running alone at the end."""


def pytest_make_parametrize_id(val: object) -> str | None:
    """Long texts (keys made at random among them) do not name a test: workers have to agree on the names."""
    return "text" if isinstance(val, str | bytes) and len(val) > LONGEST_ID else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slowest files first, all else in its order."""

    def turn(item: pytest.Item) -> int:
        name = Path(item.path).name
        return SLOWEST_FIRST.index(name) if name in SLOWEST_FIRST else len(SLOWEST_FIRST)

    items.sort(key=turn)
