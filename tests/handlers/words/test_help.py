"""Help: complete, true to the parser, and short enough to post."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.domain.commands import ParseContext, Refusal, Verb, parse
from bot.domain.commands.table import PARSERS
from bot.domain.commands.text import read
from handlers.words.help import HELP, help_text

NOON = ParseContext(datetime(2026, 5, 4, 10, 0, tzinfo=UTC), ZoneInfo("Europe/Berlin"))


def test_every_verb_has_help() -> None:
    assert set(HELP) == set(Verb)


@pytest.mark.parametrize(
    ("verb", "example"), [(verb, example) for verb, about in HELP.items() for example, _ in about.examples]
)
def test_examples_are_commands_of_their_verb(verb: Verb, example: str) -> None:
    assert example.split()[0] == verb
    command = parse(example, NOON)
    assert not isinstance(command, Refusal), command
    assert command == PARSERS[verb](read(example.removeprefix(verb)), NOON)


@pytest.mark.parametrize("verb", [None, *Verb])
def test_examples_come_first_and_all_of_it_can_be_posted(verb: Verb | None) -> None:
    text = help_text(verb)
    assert len(text) < 3000
    if verb:
        assert text.index(HELP[verb].examples[0][0]) < text.index(f"In general: `{HELP[verb].form}`")


def test_help_on_all_names_every_verb() -> None:
    lines = help_text(None).splitlines()
    assert [line.split("`")[1].split()[0] for line in lines[: len(Verb)]] == list(HELP)


def test_what_this_version_lacks_is_said() -> None:
    assert "`watch" not in help_text(None, lacking={Verb.WATCH})
    assert "not available yet" in help_text(Verb.WATCH, lacking={Verb.WATCH})
    assert "not available yet" not in help_text(Verb.WATCH)
