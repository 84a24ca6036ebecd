"""The words after a verb: split, sorted into options and positionals, and taken one by one."""

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.domain.commands.refusal import RefusalCode, refused
from bot.domain.commands.text import Line
from bot.domain.commands.verbs import Verb, nearest


@dataclass(frozen=True, slots=True)
class ParseContext:
    """What a text depends on beside itself: the moment of asking (aware) and the asker's time zone."""

    now: datetime
    tz: ZoneInfo


@dataclass(slots=True)
class Arguments:
    """What stands after a verb: ``words`` not yet taken, in order, and ``options`` by lower-case key."""

    verb: Verb
    words: list[str]
    options: dict[str, list[str]] = field(default_factory=dict)

    def option(self, key: str) -> str | None:
        """The value of an option that may be given once."""
        return self.options[key][0] if key in self.options else None

    def take(self, belongs: Callable[[str], bool]) -> str | None:
        """Remove and return the first word if ``belongs`` says so of it."""
        return self.words.pop(0) if self.words and belongs(self.words[0]) else None

    def take_lease(self) -> str | None:
        """Remove and return the lease's name if there is a word; refused a word that cannot be one."""
        return read_lease(self.words.pop(0), self.verb) if self.words else None

    def done(self) -> None:
        """Refuse whatever was not taken."""
        if self.words:
            raise refused(RefusalCode.EXTRA_WORD, self.verb, self.words[0])


LEASE = re.compile(r"[a-z][a-z0-9-]{1,30}")
PERSON = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")
_WRITTEN_OPTION = re.compile(r"(?:--)?([A-Za-z][A-Za-z0-9_-]*)=(.*)", re.DOTALL)
_DASHED_OPTION = re.compile(r"--([A-Za-z][A-Za-z0-9_-]*)")


def fold_name(word: str) -> str:
    """A name without what people and clients put around it: capitals, emphasis, a full stop."""
    return word.strip("*_~").rstrip(".,;:!?").lower()


def read_lease(word: str, verb: Verb) -> str:
    """A lease's name, lower case."""
    name = fold_name(word)
    if not LEASE.fullmatch(name):
        raise refused(RefusalCode.BAD_LEASE, verb, word)
    return name


def split(text: str, verb: Verb) -> list[str]:
    """Words by the rules of a shell: quotes hold together what belongs together."""
    try:
        return shlex.split(text)
    except ValueError:
        raise refused(RefusalCode.UNBALANCED_QUOTES, verb) from None


def words_of(line: Line, verb: Verb) -> list[str]:
    """As `split`, but a code span behind prose is one word, exactly as it stands: that is how any name can be said."""
    words: list[str] = []
    is_behind_prose = False
    for piece in line.pieces:
        words += [piece.text] if piece.is_code and is_behind_prose else split(piece.text, verb)
        is_behind_prose = is_behind_prose or not piece.is_code
    return words


def read_arguments(
    text: str,
    verb: Verb,
    *,
    options: frozenset[str] = frozenset(),
    flags: frozenset[str] = frozenset(),
    repeatable: frozenset[str] = frozenset(),
) -> Arguments:
    """Split ``text`` and take out its options: ``key=value``, ``--key=value``, ``--key value``, ``--flag``.

    A flag that is present has the value ``""``. Unknown, repeated and empty options are refused.
    """
    found = Arguments(verb, [])
    words = iter(split(text, verb))
    for word in words:
        written, dashed = _WRITTEN_OPTION.fullmatch(word), _DASHED_OPTION.fullmatch(word)
        if written is None and dashed is None:
            found.words.append(word)
            continue
        typed = (written or dashed)[1]  # type: ignore[index]
        key = typed.lower()
        if key not in options and not (key in flags and dashed):
            alike = tuple(f"{k}=" if k in options else f"--{k}" for k in nearest(key, sorted(options | flags)))
            raise refused(RefusalCode.UNKNOWN_OPTION, verb, word, option=typed, nearest=alike)
        if key in found.options and key not in repeatable:
            raise refused(RefusalCode.DUPLICATE_OPTION, verb, word, option=key)
        value = "" if key in flags else written[2] if written else next(words, "")
        if not value and key not in flags:
            raise refused(RefusalCode.EMPTY_OPTION, verb, word, option=key)
        found.options.setdefault(key, []).append(value)
    return found
