"""Help: complete, true to the parser, and short enough to post."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.domain.commands import ParseContext, Refusal, Verb, parse
from bot.domain.commands.table import PARSERS
from bot.domain.commands.text import read
from handlers.words.help import FIRST_STEPS, GROUPS, help_text
from handlers.words.help_verbs import HELP

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


def test_help_on_all_names_every_verb_once_in_its_group() -> None:
    first, *groups = help_text(None).split("\n\n")[:-1]
    assert [part.splitlines()[0].strip("*") for part in groups] == list(GROUPS)
    listed = [line.split("`")[1].split()[1] for part in groups for line in part.splitlines()[1:]]
    assert sorted(listed) == sorted(Verb)
    assert len(first.splitlines()) == 1 + len(FIRST_STEPS)


@pytest.mark.parametrize("step", [step for step, _ in FIRST_STEPS if "AAAA…" not in step])
def test_first_steps_work_as_they_stand(step: str) -> None:
    assert not isinstance(parse(step, NOON), Refusal)


@pytest.mark.parametrize("verb", [verb for verb in Verb if verb is not Verb.POLICY])
def test_every_verb_has_two_to_four_examples(verb: Verb) -> None:
    """The policy is shown whole: there is only one way to ask."""
    assert 2 <= len(HELP[verb].examples) <= 4
