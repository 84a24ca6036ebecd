"""Values of secrets are taken out of texts and outputs, also where they come in pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.jobs.output import take_output
from bot.domain.jobs.status import JobStatus, Seen
from bot.domain.redaction import Redactor
from tests.domain.jobs.samples import job

KEY = "hf_0123456789"
SECRETS = Redactor({"HF_TOKEN": KEY, "LONGER": KEY + "abc", "NOTE": "first line\nsecond line"})


def test_the_longest_value_first_and_lines_of_their_own() -> None:
    assert SECRETS.text(f"{KEY} {KEY}abc") == "•••HF_TOKEN••• •••LONGER•••"
    assert SECRETS.output(b"x second line y") == "x •••NOTE••• y".encode()
    assert KEY not in repr(SECRETS)


def test_a_command_comes_back_as_it_was_typed() -> None:
    command = f"curl -H 'Authorization: {KEY}' host"
    assert SECRETS.restored(SECRETS.text(command)) == command
    assert SECRETS.names_in(command) == ("HF_TOKEN",)


@given(cuts=st.lists(st.integers(0, 60), max_size=8))
def test_in_whatever_pieces_it_comes(cuts: list[int]) -> None:
    whole = f"say {KEY}{KEY} and hf_0 and {KEY}abc\n".encode()
    one, taken = job(), b""
    for size in (*sorted(min(cut, len(whole)) for cut in cuts), len(whole)):
        if size < one.offset_bytes:
            continue
        status = JobStatus("j1", Seen.RUNNING, size_bytes=size, offset_bytes=one.offset_bytes,
                           output=whole[one.offset_bytes : size])  # fmt: skip
        one, piece, _ = take_output(one, status, SECRETS)
        taken += piece
        assert not one.has_unread_output
        assert b"hf_01" not in taken
    assert taken == "say •••HF_TOKEN••••••HF_TOKEN••• and hf_0 and •••LONGER•••\n".encode()


@pytest.mark.parametrize(
    ("piece", "held"), [(b"x hf_0123", 7), (b"x hf_0123456789", 13), (b"hf_01234567890 h", 1), (b"x", 0)]
)
def test_what_may_be_a_beginning_waits(piece: bytes, held: int) -> None:
    assert SECRETS.begun_at_end(piece) == held
