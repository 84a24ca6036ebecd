"""Names of people's things: a typing mistake and a part of the name are both recognised, anything else is not."""

import pytest

from bot.domain.near import near

NAMES = ("amber-fox", "red-fox", "blue-owl", "ana@laptop")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("amberfox", ["amber-fox"]),
        ("ambr-fox", ["amber-fox"]),
        ("AMBER-FX", ["amber-fox"]),
        ("fox", ["amber-fox", "red-fox"]),
        ("laptop", ["ana@laptop"]),
        ("zzz", []),
        ("", []),
        ("x" * 100_000, []),
    ],
)
def test_near(typed: str, meant: list[str]) -> None:
    assert list(near(typed, NAMES)) == meant


def test_three_at_most() -> None:
    assert len(near("fox", [f"fox-{n}" for n in range(9)])) == 3
