"""Somebody's first machine without a key, and words that are nearly right."""

import pytest

from tests.e2e.deployment import Deployment

HINT = "To log in I need your public key first: `/gpu key add ssh-ed25519 AAAA…"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWL7Nvdh4wuL7TC61LMPNYtjwxQeF3fgvEUeItB8v2M ana@laptop"


def test_the_first_machine_tells_what_is_missing_and_the_second_does_not_again(town: Deployment) -> None:
    town.handed_over("amber-fox")
    assert HINT in town.in_thread("amber-fox", "is ready").words
    refused = town.ana("/gpu ssh amber-fox").words
    assert "You have no key here yet" in refused
    assert "`/gpu key add ssh-ed25519 AAAA…`" in refused
    town.handed_over("blue-owl")
    assert "`/gpu ssh blue-owl` shows how to log in" in town.in_thread("blue-owl", "is ready").words
    assert "Added `ana@laptop`" in town.ana(f"/gpu key add {KEY}").words
    assert "Log in to *amber-fox*" in town.ana("/gpu ssh amber-fox").words
    assert "Starting *amber-fox/1*" in town.ana("/gpu run amber-fox name=sweep -- true").words


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("status ambr-fox", "Did you mean `amber-fox`?"),
        ("stop owl", "Did you mean `blue-owl`?"),
        ("logs swep", "Did you mean `amber-fox/1`?"),
        ("logs amber-fox/9", "The latest is `amber-fox/1`"),
        ("kill amber-fox/9", "The latest is `amber-fox/1`"),
        ("rent cpu 1h provider=lcal", "Did you mean `local`?"),
        ("rent cpu 1h region=her-1", "Did you mean `here-1`"),
        ("rent cpu 1h nme=x", "Did you mean `name=`?"),
        ("rent h10 4h", "Did you mean `h100`"),
        ("key remove laptop", "Did you mean `/gpu key remove 1` (`ana@laptop`)?"),
        ("key remove x", "`/gpu key list` numbers them"),
        ("key ad x", "Did you mean `add`?"),
        ("relase amber-fox", "Did you mean `release`"),
        ("help relase", "Did you mean `release`"),
        ("run amber-fox nmae=x -- true", "Did you mean `name=`?"),
    ],
)
def test_nearly_right(town: Deployment, typed: str, meant: str) -> None:
    assert meant in town.ana(f"/gpu {typed}").words
