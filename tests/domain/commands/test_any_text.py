"""Ten thousand texts: each is a command or a refusal that shows the right form. None raises."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.domain.commands import Help, ParseContext, Refusal, RefusalCode, Run, Verb, parse
from handlers.words.help import verb_list
from handlers.words.help_verbs import HELP
from handlers.words.refusals import sentence

_ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe")
_WORDS = st.sampled_from(
    "a100 a100-80 8xh100 h100:8 h100x99 2 x rtx 4090 v100 cpu 4h 90m 1d12h 1,5h 4 61d until 18:00 2:30 6pm "
    "tomorrow for by amber-fox silver-owl amber-fox/3 #3 3 all me <@U123> <@U123|ada> <#C1|gpus> @ada "
    "name=ablation name= disk=200gb disk=x provider=lambda region=us-1 nmae=x env=A=1 LR=3 max=2h every=5m "
    "then=release after=amber-fox/2 -- — – –- —then release --file grep=nan metric=loss python train.py "
    "<http://train.py|train.py> <mailto:a@b.example|a@b.example> &amp;&amp; &lt; &gt; ` ``` `x` ```y``` “ ” ’ \" ' \\ "
    "add list remove set HF_TOKEN ssh-ed25519 AAAA SHA256:x day week * _ … \u00a0 \u200b \u200d \x00 = =x --".split(" ")
)
_VERBS = st.sampled_from([*Verb, "/gpu rent", "gpu run", "RENT", "relaese", "terminate", ""])
_GAPS = st.sampled_from([" ", " ", " ", "  ", "\n", "\u00a0", ""])


@st.composite
def _grammatical(draw: st.DrawFn) -> str:
    words = draw(st.lists(st.tuples(_GAPS, _WORDS | st.text(max_size=6)), max_size=9))
    return draw(_VERBS) + "".join(draw(_GAPS) + word if i == 0 else gap + word for i, (gap, word) in enumerate(words))


@st.composite
def _mutated(draw: st.DrawFn) -> str:
    """A good command with a piece of it lost, doubled or replaced."""
    text = draw(st.sampled_from([example for about in HELP.values() for example, _ in about.examples]))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 6)))
    between = draw(st.just("") | st.just(text[start:end] * 2) | st.text(max_size=4) | _WORDS)
    return text[:start] + between + text[end:]


_TEXTS = st.one_of(_grammatical(), _mutated(), st.text(st.characters(codec=None), max_size=60))
_MOMENTS = st.integers(0, 2 * 365 * 24 * 60).map(lambda m: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=m))


@pytest.mark.timeout(900)
@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(texts=st.lists(_TEXTS, min_size=20, max_size=20), now=_MOMENTS, zone=st.sampled_from(_ZONES))
def test_any_text_is_a_command_or_a_refusal_with_the_right_form(texts: list[str], now: datetime, zone: str) -> None:
    """Twenty texts an example: making an example costs more than making its texts."""
    for text in texts:
        parsed = parse(text, ParseContext(now, ZoneInfo(zone)))
        if isinstance(parsed, Refusal):
            said = sentence(parsed)
            if parsed.verb is None or parsed.code is RefusalCode.UNKNOWN_VERB:
                assert verb_list() in said
            else:
                assert HELP[parsed.verb].form in said
            assert "<" not in said
            assert ">" not in said
            assert said.count("`") % 2 == 0
            assert len(said) < 3000
            said.encode()
        elif isinstance(parsed, Run):
            assert parsed.command.strip()
            parsed.command.encode()
            assert "\0" not in parsed.command
        else:
            assert parsed == Help(None) or text.strip()
