"""Why a text is no command: codes and facts, from which `handlers.words.refusals` makes sentences."""

from dataclasses import dataclass
from enum import StrEnum

from bot.domain.commands.verbs import Verb


class RefusalCode(StrEnum):
    """What was wrong with a text."""

    UNKNOWN_VERB = "unknown-verb"
    UNKNOWN_ACTION = "unknown-action"
    TEXT_TOO_LONG = "text-too-long"
    UNBALANCED_QUOTES = "unbalanced-quotes"
    EXTRA_WORD = "extra-word"
    UNKNOWN_OPTION = "unknown-option"
    DUPLICATE_OPTION = "duplicate-option"
    EMPTY_OPTION = "empty-option"
    BAD_OPTION = "bad-option"
    MISSING_GPU = "missing-gpu"
    UNKNOWN_GPU = "unknown-gpu"
    GPU_COUNT = "gpu-count"
    MISSING_DURATION = "missing-duration"
    BAD_DURATION = "bad-duration"
    DURATION_NO_UNIT = "duration-no-unit"
    DECIMAL_COMMA = "decimal-comma"
    DURATION_TOO_SHORT = "duration-too-short"
    DURATION_TOO_LONG = "duration-too-long"
    BAD_TIME = "bad-time"
    TIME_PAST = "time-past"
    TIME_SKIPPED = "time-skipped"
    BAD_DISK = "bad-disk"
    BAD_LEASE = "bad-lease"
    BAD_JOB = "bad-job"
    BAD_LINES = "bad-lines"
    UNKNOWN_PERSON = "unknown-person"
    MISSING_SEPARATOR = "missing-separator"
    MISSING_COMMAND = "missing-command"
    MISPLACED_OPTION = "misplaced-option"
    MISSING_DISK = "missing-disk"
    MISSING_PATH = "missing-path"
    MISSING_KEY = "missing-key"
    BAD_KEY = "bad-key"
    PRIVATE_KEY = "private-key"
    BAD_KEY_CHOICE = "bad-key-choice"
    MISSING_NAME = "missing-name"
    BAD_NAME = "bad-name"
    SECRET_SHOWN = "secret-shown"  # noqa: S105  a code, no secret


@dataclass(frozen=True, slots=True)
class Refusal:
    """A text that is no command.

    ``verb`` is None where none was recognised. ``word`` is the offending piece as typed, at most 200
    characters and never anything secret. ``option`` is the option it was given for. ``nearest`` are
    acceptable words in its place, best first; ``suggestion`` a text that would be accepted in place of the
    whole command (or, for durations, of the word). ``low`` and ``high`` bound what is accepted: cards, GiB,
    seconds, lines or characters.
    """

    code: RefusalCode
    verb: Verb | None = None
    word: str = ""
    option: str = ""
    nearest: tuple[str, ...] = ()
    suggestion: str = ""
    low: int | None = None
    high: int | None = None


class RefusalError(Exception):
    """Carries a refusal out of the parser's depths; `parse` turns it into a value."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


_LONGEST_WORD = 200


def refused(
    code: RefusalCode,
    verb: Verb | None = None,
    word: str = "",
    *,
    option: str = "",
    nearest: tuple[str, ...] = (),
    suggestion: str = "",
    low: int | None = None,
    high: int | None = None,
) -> RefusalError:
    """These facts, ready to be raised; words are cut."""
    cut = word[:_LONGEST_WORD]
    return RefusalError(Refusal(code, verb, cut, option[:_LONGEST_WORD], nearest, suggestion, low, high))
