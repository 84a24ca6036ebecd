"""``git=URL[@REF]``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.jobs.git import GitSource, read_git


@pytest.mark.parametrize(
    ("text", "url", "ref"),
    [
        ("https://github.com/o/r", "https://github.com/o/r", ""),
        ("https://github.com/o/r.git@v1.2", "https://github.com/o/r.git", "v1.2"),
        ("https://github.com/o/r@feature/x", "https://github.com/o/r", "feature/x"),
        ("https://me:token@host.org/o/r@main", "https://me:token@host.org/o/r", "main"),
        ("https://me@host.org/o/r", "https://me@host.org/o/r", ""),
        ("git@github.com:o/r.git", "git@github.com:o/r.git", ""),
        ("git@github.com:o/r.git@0123abc", "git@github.com:o/r.git", "0123abc"),
        ("ssh://git@host:2222/o/r@main", "ssh://git@host:2222/o/r", "main"),
        ("github.com/o/r@main", "https://github.com/o/r", "main"),
        ("host:o/r", "host:o/r", ""),
        ("/srv/code.git@v1", "/srv/code.git", "v1"),
        ("~/code", "~/code", ""),
    ],
)
def test_addresses(text: str, url: str, ref: str) -> None:
    assert read_git(text) == GitSource(url, ref)


@pytest.mark.parametrize(
    "text", ["", " ", "-x", "https://", "https://host", "https://host/r@", "/x@-f", "/x@a..b", "a b"]
)
def test_no_addresses(text: str) -> None:
    assert read_git(text) is None


def test_a_password_is_not_shown() -> None:
    source = read_git("https://me:token@host.org/o/r@main")
    assert source is not None
    assert source.shown == "https://host.org/o/r@main"
    assert GitSource("git@github.com:o/r").shown == "git@github.com:o/r"


@given(st.text())
def test_no_text_raises(text: str) -> None:
    found = read_git(text)
    assert found is None or not found.ref.startswith("-")
