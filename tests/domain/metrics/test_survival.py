"""Any bytes at all: no exception, the same points however they are cut, and time in proportion."""

import json
import time
from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.curve_files import as_json
from bot.domain.metrics import ReaderState, read
from bot.domain.metrics.reader import _Reading
from bot.domain.run_reading import RunReader
from handlers.words.verdicts import reading_words
from tests.domain.metrics.reading import AT, SAMPLES, read_all

_OUTPUTS = sorted(path.read_bytes()[:3000] for path in SAMPLES.iterdir() if path.suffix != ".toml")
_NOISE = st.sampled_from(
    [b"\0", b"\r", b"\n", b"\x1b[", b"\xff", b"nan", b"|", b"{", b'"', b",", b"1e999", b"%|", b"\b"]
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A sample with pieces cut out, doubled, and noise put in."""
    output = draw(st.sampled_from(_OUTPUTS))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(output)))
        end = start + draw(st.integers(0, 200))
        middle = draw(st.one_of(_NOISE, st.binary(max_size=20), st.just(output[start:end] * 2)))
        output = output[:start] + middle + output[end:]
    return output


@settings(max_examples=300, deadline=None)
@given(mutated(), st.integers(1, 700))
def test_mutated_samples_read_the_same_in_any_pieces(output: bytes, piece_bytes: int) -> None:
    whole, progress, state = read_all(output)
    pieces, progress_of_pieces, state_of_pieces = read_all(output, piece_bytes)
    assert repr(sorted(pieces.items())) == repr(sorted(whole.items()))  # repr: nan is nan
    assert progress_of_pieces == progress
    assert state_of_pieces == state


@pytest.mark.parametrize(
    "output",
    [
        b"=" * 20_000 + b" loss: 1\n",
        b'  File "' + b"a" * 20_000 + b'", line 3\nstep 1 loss 2.5\n',
        b" 10%|#   | 1/10 [00:10]\ntotal_steps: 300\n{'loss': 0.5, 'epoch': 0.1}\n",
        b" 10%|#   | 1/10 [00:10]\nstep 5/200 loss: 0.5\nstep 6/200 loss: 0.5\n",
        b' 10%|#   | 1/10 [00:10]\n{\n"max_steps": 300\n}\n',
        b" 10%|#   | 1/10 [00:10]\nstep,total_steps,loss\n1,300,0.5\n",
    ],
    ids=["fill", "frame", "total", "step", "record", "row"],
)
def test_what_is_far_into_a_line_or_above_its_total_reads_the_same_in_any_pieces(output: bytes) -> None:
    assert [read_all(output, size) for size in (1, 100)] == [read_all(output)] * 2


@settings(max_examples=150, deadline=None)
@given(st.lists(mutated(), min_size=1, max_size=4))
def test_the_quick_way_reads_what_the_long_way_reads(outputs: list[bytes]) -> None:
    output = b"\n".join(outputs)
    quick = read_all(output, 1000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Reading, "_reads_quickly", lambda *_: False)
        assert repr((sorted(quick[0].items()), quick[1:])) == repr(
            (sorted((long := read_all(output, 1000))[0].items()), long[1:])
        )


@settings(max_examples=100, deadline=None)
@given(mutated())
def test_mutated_samples_are_told_in_words_and_as_data(output: bytes) -> None:
    reader = RunReader(AT)
    began = time.process_time()
    for start in range(0, len(output), 1000):
        reader.take(output[start : start + 1000])
    reading = reader.reading()
    json.dumps(as_json(reading), allow_nan=False)
    assert reading_words(reading)
    assert time.process_time() - began < 5.0


def test_metrics_without_number_do_not_pile_up() -> None:
    output = "".join(f"loss_{first}{second}: 0.5\n" for first in ascii_lowercase for second in ascii_lowercase)
    state, points, _ = read(ReaderState(), output.encode(), AT)
    assert len(state.position.unnumbered) == len(points) == 64


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=2000))
def test_any_bytes(output: bytes) -> None:
    read_all(output, 100)


@pytest.mark.parametrize(
    ("begin", "repeated", "times", "end"),
    [
        (b"", b"a", 16_000, b""),
        (b"", b"loss=1 ", 2300, b""),
        (b"loss", b" ", 16_000, b""),
        (b"", b"| ", 8000, b"loss"),
        (b"", b"ab ", 5000, b"loss: 1"),
        (b"", b"1 ", 7000, b"loss: 1"),
        (b"", b'"train": {', 1500, b'"loss": 1'),
        (b"", b'"train": { "loss": 1, ', 700, b""),
        (b"", b"epoch ", 2500, b"loss: 1"),
        (b"", b"epoch 1 | 2/", 1300, b"loss: 1"),
        (b"", b"[", 16_000, b"loss"),
        (b"", b"loss.", 3000, b""),
        (b"", b"- ", 8000, b"loss 1"),
        (b"", b'"loss" : ', 1700, b""),
        (b"", b"a_", 8000, b"loss: 1"),
        (b"", b"%|", 8000, b"loss: 1"),
        (b"", "第1/".encode(), 3000, b"loss: 1"),
    ],
)
def test_a_longer_line_takes_as_much_longer(begin: bytes, repeated: bytes, times: int, end: bytes) -> None:
    """What is tried anew at each byte would take sixteen times as long for four times the line."""

    def took_s(times: int) -> float:
        return min(_reading_s(begin + repeated * times + end) for _ in range(3))

    assert took_s(times) < 10 * took_s(times // 4) + 0.05


def _reading_s(line: bytes) -> float:
    # Each line differs in one byte, so that none is known from the one before.
    output = b"\n".join(line + b" %c" % (97 + index) for index in range(4)) + b"\n"
    began = time.process_time()
    read(ReaderState(), output, AT)
    return time.process_time() - began
