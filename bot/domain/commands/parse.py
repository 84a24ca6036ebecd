"""From a text as Slack delivers it to a command or a refusal."""

import re

from bot.domain.commands.arguments import ParseContext
from bot.domain.commands.refusal import Refusal, RefusalCode, RefusalError, refused
from bot.domain.commands.table import PARSERS, Command, Help, as_verb
from bot.domain.commands.text import Line, read
from bot.domain.commands.verbs import nearest_verbs

MAX_TEXT_CHARS = 40_000
"""The longest message Slack delivers."""

_START = re.compile(r"\s*(?:/?gpu(?!\S)\s*)?(\S*)", re.IGNORECASE)
_ASKS_FOR_HELP = frozenset({"help", "--help", "-h", "?"})


def parse(text: str, context: ParseContext) -> Command | Refusal:
    """Read one command. ``text`` is Slack's, entities and links included, without the mention of the bot.

    Never raises, whatever the text. No text at all asks for help; so does ``VERB --help``.
    """
    if len(text) > MAX_TEXT_CHARS:
        return Refusal(RefusalCode.TEXT_TOO_LONG, high=MAX_TEXT_CHARS)
    try:
        return _parse_line(read(text), context)
    except RefusalError as error:
        return error.refusal


def _parse_line(line: Line, context: ParseContext) -> Command:
    start = _START.match(line.plain)
    word = start[1] if start else ""
    if not start or not word:
        return Help(None)
    verb = as_verb(word)
    if verb is None:
        raise refused(RefusalCode.UNKNOWN_VERB, word=word, nearest=nearest_verbs(word))
    rest = line.after(start.end())
    if rest.plain.strip().lower() in _ASKS_FOR_HELP:
        return Help(verb)
    return PARSERS[verb](rest, context)
