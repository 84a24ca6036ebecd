"""What is typed into the fields of the rent form: the words of the command, one at a time."""

import re
from collections.abc import Callable
from typing import TypeVar

from bot.domain.commands.arguments import Arguments, ParseContext, read_lease, split
from bot.domain.commands.lengths import read_duration, take_duration
from bot.domain.commands.refusal import Refusal, RefusalError
from bot.domain.commands.rent import read_disk
from bot.domain.commands.text import read
from bot.domain.commands.verbs import Verb
from bot.domain.durations import Duration

T = TypeVar("T")


def length_in(text: str, context: ParseContext) -> Duration | Refusal:
    """``4h``, ``for 2 hours``, ``1d12h``, ``until tomorrow 9:00``. Never raises; the others do not either."""
    return _or_refusal(lambda: _length(read(text).plain, context))


def name_in(text: str) -> str | Refusal:
    """A lease's name, lower case."""
    return _or_refusal(lambda: read_lease(read(text).plain.strip(), Verb.RENT))


def disk_in(text: str) -> int | Refusal:
    """``200``, ``200 GiB``, ``1tb``, in GiB."""
    return _or_refusal(lambda: read_disk(read(text).plain.strip()))


def _length(text: str, context: ParseContext) -> Duration:
    arguments = Arguments(Verb.RENT, split(re.sub(r"(?<!\S)until=", "until ", text), Verb.RENT))
    duration = take_duration(arguments, context)
    if duration is None:
        return read_duration(" ".join(arguments.words), Verb.RENT)
    arguments.done()
    return duration


def _or_refusal(read_it: Callable[[], T]) -> T | Refusal:
    try:
        return read_it()
    except RefusalError as error:
        return error.refusal
