"""What holds for all tests."""

from typing import Final

LONGEST_ID: Final = 40


def pytest_make_parametrize_id(val: object) -> str | None:
    """Long texts (keys made at random among them) do not name a test: workers have to agree on the names."""
    return "text" if isinstance(val, str | bytes) and len(val) > LONGEST_ID else None
