"""Refusals: what was wrong, the right form, and nothing that Slack would act on."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.domain.commands import ParseContext, Refusal, RefusalCode, Verb, parse
from handlers.words.help_verbs import HELP
from handlers.words.refusals import as_code, sentence

NOON = ParseContext(datetime(2026, 5, 4, 10, 0, tzinfo=UTC), ZoneInfo("Europe/Berlin"))


def _said(text: str) -> str:
    refusal = parse(text, NOON)
    assert isinstance(refusal, Refusal), refusal
    return sentence(refusal)


@pytest.mark.parametrize("code", RefusalCode)
@pytest.mark.parametrize("verb", [None, Verb.RENT, Verb.KEY])
@pytest.mark.parametrize("word", ["", "`<!channel>&"])
def test_every_code_makes_a_sentence(code: RefusalCode, verb: Verb | None, word: str) -> None:
    said = sentence(Refusal(code, verb, word, option=word, nearest=("a", "b"), low=300, high=86400 * 60))
    assert "<" not in said
    assert "!" not in said.replace("`'&lt;!channel&gt;&amp;`", "")
    assert "{" not in said
    assert said.count("`") % 2 == 0
    assert said[0] == "`" or said[0].isupper()
    assert len(said) < 3000


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("rent v100 4h", ["no GPU called `v100`", "Did you mean `h100` or `a100`?"]),
        ("rent zzz 4h", ["no GPU called `zzz`", "There are `cpu`, `t4`"]),
        ("rent a100 1,5h", ["`1,5h`", "Perhaps `1.5h`?"]),
        ("rent a100 1m", ["`1m` is shorter than 5 minutes"]),
        ("rent a100 90d", ["`90d` is longer than 60 days"]),
        ("rent h100x17 4h", ["1 to 16 `h100`, not `17`"]),
        ("rent cpux2 4h", ["One machine can have 1 `cpu`, not `2`"]),
        ("rent a100 4h nmae=x", ["no option `nmae`", "Did you mean `name=`?"]),
        ("rent a100 4h disk=x", ["`x` is not a size of disk", "1 to 16,384"]),
        ("rent h10 4h", ["for example `rent a100 4h`"]),
        ("run python a.py", ["Write `run -- python a.py`."]),
        ("run python a.py &lt; x &amp;&amp; y", ["Write `run -- python a.py &lt; x &amp;&amp; y`."]),
        ("terminate amber-fox", ["do not know `terminate`", "Did you mean `release`?", "`offers`"]),
        ("key add", ["no key in the text", "Write `key add ssh-ed25519"]),
    ],
)
def test_sentences_say_what_and_how(text: str, parts: list[str]) -> None:
    said = _said(text)
    for part in parts:
        assert part in said
    verb = text.split()[0]
    assert verb not in list(Verb) or HELP[Verb(verb)].form in said


def test_secrets_are_not_echoed() -> None:
    assert "hf_abc" not in _said("secret set HF_TOKEN hf_abc")
    assert "hf_abc" not in _said("secret hf_abc")
    assert "b3BlbnNzaC1" not in _said("key add -----BEGIN OPENSSH PRIVATE KEY----- b3BlbnNzaC1")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a<b>&c", "`a&lt;b&gt;&amp;c`"),
        ("a`b```c", "`a'b'''c`"),
        ("a\n  b\u202e\u200b", "`a b`"),
        ("", "that"),
        ("\u200b`", "`'`"),
        ("<" * 200, "`" + "&lt;" * 79 + "…`"),
    ],
)
def test_foreign_text_as_code(text: str, shown: str) -> None:
    assert as_code(text) == shown
    assert not re.search(r"<[!@#]", as_code(text))
