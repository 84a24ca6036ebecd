"""The fields of the rent form read what the command reads."""

import pytest

from bot.domain.commands import Refusal, RefusalCode
from bot.domain.commands.rent_fields import disk_in, length_in, name_in
from bot.domain.durations import Duration
from tests.domain.commands.conftest import NOON


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("4h", 14_400),
        (" 1d12h ", 129_600),
        ("for 2 hours", 7_200),
        ("until 18:00", 21_600),
        ("until=18:00", 21_600),
        ("until tomorrow 12:00", 86_400),
        ("4\u00a0h", 14_400),
    ],
)
def test_lengths(text: str, seconds: int) -> None:
    read = length_in(text, NOON)
    assert isinstance(read, Duration), read
    assert read.duration_s == seconds


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("soon", RefusalCode.BAD_DURATION),
        ("", RefusalCode.BAD_DURATION),
        ("4", RefusalCode.DURATION_NO_UNIT),
        ("1,5h", RefusalCode.DECIMAL_COMMA),
        ("10s", RefusalCode.DURATION_TOO_SHORT),
        ("90d", RefusalCode.DURATION_TOO_LONG),
        ("until 27:00", RefusalCode.BAD_TIME),
        ("4h name=x", RefusalCode.EXTRA_WORD),
        ('"4h', RefusalCode.UNBALANCED_QUOTES),
    ],
)
def test_what_is_no_length(text: str, code: RefusalCode) -> None:
    read = length_in(text, NOON)
    assert isinstance(read, Refusal)
    assert read.code is code


def test_names_and_disks() -> None:
    assert name_in(" Ablation ") == "ablation"
    assert disk_in("200 GiB") == disk_in("200") == 200
    assert disk_in("1tb") == 1024
    for refusal, code in ((name_in("my machine"), RefusalCode.BAD_LEASE), (disk_in("much"), RefusalCode.BAD_DISK)):
        assert isinstance(refusal, Refusal)
        assert refusal.code is code
