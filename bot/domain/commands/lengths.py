"""Durations among the words of a command."""

from dataclasses import dataclass

from bot.domain.commands.arguments import Arguments, ParseContext
from bot.domain.commands.refusal import RefusalCode, refused
from bot.domain.commands.verbs import Verb
from bot.domain.durations import (
    MAX_DURATION_S,
    MIN_DURATION_S,
    Duration,
    DurationFault,
    DurationProblem,
    is_bare_number,
    is_length,
    is_unit,
    parse_duration,
    parse_until,
)

_CODES = {
    DurationFault.NOT_A_DURATION: RefusalCode.BAD_DURATION,
    DurationFault.NO_UNIT: RefusalCode.DURATION_NO_UNIT,
    DurationFault.DECIMAL_COMMA: RefusalCode.DECIMAL_COMMA,
    DurationFault.TOO_SHORT: RefusalCode.DURATION_TOO_SHORT,
    DurationFault.TOO_LONG: RefusalCode.DURATION_TOO_LONG,
    DurationFault.NOT_A_TIME: RefusalCode.BAD_TIME,
    DurationFault.TIME_PAST: RefusalCode.TIME_PAST,
    DurationFault.TIME_SKIPPED: RefusalCode.TIME_SKIPPED,
}
_FILLERS = frozenset({"for", "by"})


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    text: str


def take_duration(arguments: Arguments, context: ParseContext) -> Duration | None:
    """Remove and return the one duration among the words, wherever it stands; None if there is none."""
    until = _find_until(arguments.words)
    found = until or _find_length(arguments.words)
    if found is None:
        return None
    parsed = parse_until(found.text, context.now, context.tz) if until else parse_duration(found.text)
    duration = _accept(parsed, arguments.verb)
    start = found.start
    if start and arguments.words[start - 1].lower() in _FILLERS:
        start -= 1
    del arguments.words[start : found.end]
    return duration


def read_duration(text: str, verb: Verb, *, option: str = "") -> Duration:
    """``text`` as a duration, or a refusal that says what is wrong with it."""
    return _accept(parse_duration(text), verb, option)


def _accept(parsed: Duration | DurationProblem, verb: Verb, option: str = "") -> Duration:
    if isinstance(parsed, Duration):
        return parsed
    raise refused(
        _CODES[parsed.fault],
        verb,
        parsed.word,
        option=option,
        suggestion=parsed.suggestion,
        low=MIN_DURATION_S,
        high=MAX_DURATION_S,
    )


def _find_until(words: list[str]) -> _Found | None:
    for start, word in enumerate(words):
        if word.lower() != "until":
            continue
        end = start + 1
        if words[end : end + 1] and words[end].lower() in ("today", "tomorrow"):
            end += 1
        end = min(end + 1, len(words))
        if words[end : end + 1] and words[end].lower() in ("am", "pm"):
            end += 1
        return _Found(start, end, " ".join(words[start + 1 : end]))
    return None


def _find_length(words: list[str]) -> _Found | None:
    """The first length, with the shorter ones right behind it (``1d 12h``, ``2 hours``)."""
    position = 0
    found: _Found | None = None
    while position < len(words):
        end = _length_end(words, position)
        if end is None:
            if found:
                break
            position += 1
            continue
        text = "".join(words[position:end])
        if found and not is_length(found.text + text):
            break
        found = _Found(found.start, end, found.text + text) if found else _Found(position, end, text)
        position = end
    return found


def _length_end(words: list[str], start: int) -> int | None:
    # "2 hours" is two words; "8 4h" are a count and a length, so only a bare unit is drawn to a number.
    if is_length(words[start]):
        return start + 1
    if is_bare_number(words[start]) and start + 1 < len(words) and is_unit(words[start + 1]):
        return start + 2
    return None
