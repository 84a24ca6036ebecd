"""Every row of the trainers' table reads the line that it was made for, and no earlier row takes it."""

import pytest

from bot.domain.metrics.lines import text_of, without_fill
from bot.domain.metrics.shape import number, split_numbers
from bot.domain.metrics.trainers import ROWS, CounterRow


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.trainer)
def test_reads_its_example(row: CounterRow) -> None:
    shape, numbers = split_numbers(text_of(without_fill(row.example.encode())))
    first = next(other for other in ROWS if other.pattern.match(shape))
    assert first is row
    match = row.pattern.match(shape)
    assert match
    seen = {
        group: number(numbers[shape.count("\0", 0, match.start(group))])
        for group, text in match.groupdict().items()
        if text is not None
    }
    assert seen == row.reads
