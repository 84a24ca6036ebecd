"""``rent`` and ``offers``."""

from collections.abc import Callable

import pytest

from bot.domain.commands import Command, Offers, Refusal, RefusalCode, Rent, RentForm, Verb

Parsed = Callable[[str], Command | Refusal]


def _as_typed(rent: Rent) -> str:
    extras = {"name": rent.name, "disk": rent.disk_gib, "provider": rent.provider, "region": rent.region}
    said = [rent.gpu.spelling, str(rent.duration.duration_s)]
    return " ".join([*said, *(f"{key}={value}" for key, value in extras.items() if value is not None)])


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("rent a100 4h", "a100 14400"),
        ("RENT A100 4H", "a100 14400"),
        ("/gpu rent a100 4h", "a100 14400"),
        ("gpu rent a100 4h", "a100 14400"),
        ("`rent a100 4h`", "a100 14400"),
        ("```rent a100 4h```", "a100 14400"),
        ("rent `a100-80` 4h", "a100-80 14400"),
        ("rent 4h a100", "a100 14400"),
        ("rent a100 2 hours", "a100 7200"),
        ("rent a100 for 2 hours", "a100 7200"),
        ("rent a100 1d 12h", "a100 129600"),
        ("rent 2 a100 4h", "a100x2 14400"),
        ("rent 4h 16 a100", "a100x16 14400"),
        ("rent 2 x h100 4h", "h100x2 14400"),
        ("rent 8xh100 90m", "h100x8 5400"),
        ("rent a100 80gb 4h", "a100-80 14400"),
        ("rent rtx 4090 4h", "rtx4090 14400"),
        ("rent a100 until 18:00", "a100 21600"),
        ("rent a100 until=18:00", "a100 21600"),
        ("rent until 6 pm a100", "a100 21600"),
        ("rent a100 until tomorrow 12:00", "a100 86400"),
        (
            "rent 2xh100 1d12h name=ablation disk=200 provider=lambda",
            "h100x2 129600 name=ablation disk=200 provider=lambda",
        ),
        ("rent name=Ablation a100 disk=200GB 4h", "a100 14400 name=ablation disk=200"),
        ("rent a100 4h disk=1tb region=us-east-1", "a100 14400 disk=1024 region=us-east-1"),
        ("rent a100 4h --name ablation --disk=200gib", "a100 14400 name=ablation disk=200"),
        ("rent a100 4h —name ablation –-disk 200", "a100 14400 name=ablation disk=200"),
        ("rent a100 4h name=“ablation”", "a100 14400 name=ablation"),
        ("rent\u00a0a100\u202f4h\u200b", "a100 14400"),
        ("rent a100–80 4h", "a100-80 14400"),
        ("rent h100×8 4h", "h100x8 14400"),
    ],
)
def test_rent(parsed: Parsed, text: str, meant: str) -> None:
    rent = parsed(text)
    assert isinstance(rent, Rent), rent
    assert _as_typed(rent) == meant


def test_nothing_said_asks_for_the_form(parsed: Parsed) -> None:
    assert parsed("rent") == RentForm()
    assert parsed(" rent \n") == RentForm()


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [
        ("rent 4h", RefusalCode.MISSING_GPU, ""),
        ("rent name=x1 4h", RefusalCode.MISSING_GPU, ""),
        ("rent a100", RefusalCode.MISSING_DURATION, ""),
        ("rent a100 4", RefusalCode.DURATION_NO_UNIT, "4"),
        ("rent a100 4hh", RefusalCode.BAD_DURATION, "4hh"),
        ("rent a100 1,5h", RefusalCode.DECIMAL_COMMA, "1,5h"),
        ("rent a100 1m", RefusalCode.DURATION_TOO_SHORT, "1m"),
        ("rent a100 90d", RefusalCode.DURATION_TOO_LONG, "90d"),
        ("rent a100 until teatime", RefusalCode.BAD_TIME, "teatime"),
        ("rent a100 until", RefusalCode.BAD_TIME, ""),
        ("rent a100 until today 9:00", RefusalCode.TIME_PAST, "today 9:00"),
        ("rent v100 4h", RefusalCode.UNKNOWN_GPU, "v100"),
        ("rent h100x17 4h", RefusalCode.GPU_COUNT, "17"),
        ("rent cpux2 4h", RefusalCode.GPU_COUNT, "2"),
        ("rent h100 8 4h", RefusalCode.EXTRA_WORD, "8"),
        ("rent a100 h100 4h", RefusalCode.EXTRA_WORD, "h100"),
        ("rent a100 4h 2h", RefusalCode.EXTRA_WORD, "2h"),
        ("rent a b c d e f g h i j k l m", RefusalCode.EXTRA_WORD, "k"),
        ("rent a100 4h nmae=x", RefusalCode.UNKNOWN_OPTION, "nmae=x"),
        ("rent a100 4h --spot", RefusalCode.UNKNOWN_OPTION, "--spot"),
        ("rent a100 4h name=a1 name=b1", RefusalCode.DUPLICATE_OPTION, "name=b1"),
        ("rent a100 4h name=", RefusalCode.EMPTY_OPTION, "name="),
        ("rent a100 4h --name", RefusalCode.EMPTY_OPTION, "--name"),
        ("rent a100 4h name=a/b", RefusalCode.BAD_LEASE, "a/b"),
        ("rent a100 4h name=9lives", RefusalCode.BAD_LEASE, "9lives"),
        ("rent a100 4h disk=9big", RefusalCode.BAD_DISK, "9big"),
        ("rent a100 4h disk=0", RefusalCode.BAD_DISK, "0"),
        ("rent a100 4h disk=17t", RefusalCode.BAD_DISK, "17t"),
        ("rent a100 4h provider=a/b", RefusalCode.BAD_OPTION, "a/b"),
        ('rent a100 4h name="x', RefusalCode.UNBALANCED_QUOTES, ""),
    ],
)
def test_refused(parsed: Parsed, text: str, code: RefusalCode, word: str) -> None:
    refusal = parsed(text)
    assert isinstance(refusal, Refusal), refusal
    assert (refusal.code, refusal.verb, refusal.word) == (code, Verb.RENT, word)


def test_guesses(parsed: Parsed) -> None:
    def guesses(text: str) -> tuple[str, ...]:
        refusal = parsed(text)
        assert isinstance(refusal, Refusal)
        return refusal.nearest

    assert "name=" in guesses("rent a100 4h nmae=x")
    assert "h100" in guesses("rent h10 4h")
    assert "h100" in guesses("rent please h10 4h")


def test_offers(parsed: Parsed) -> None:
    assert parsed("offers") == Offers(None)
    eight = parsed("offers 8xh100")
    assert isinstance(eight, Offers)
    assert eight.gpu is not None
    assert eight.gpu.spelling == "h100x8"
    refusal = parsed("offers a100 4h")
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.word) == (RefusalCode.EXTRA_WORD, "4h")


def test_a_disk_is_a_size_or_a_kept_one_by_name(parsed: Parsed) -> None:
    for text, size_gib, name in (("200", 200, None), ("1t", 1024, None), ("Models", None, "models")):
        command = parsed(f"rent a100 4h disk={text}")
        assert isinstance(command, Rent)
        assert (command.disk_gib, command.disk) == (size_gib, name)
