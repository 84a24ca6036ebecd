"""``try``, ``jobs``, ``logs``, ``kill`` and ``loss``: looking at what runs."""

import re
from dataclasses import dataclass

from bot.domain.commands.arguments import LEASE, Arguments, ParseContext, fold_name, read_arguments
from bot.domain.commands.leases import OneLease
from bot.domain.commands.lengths import read_duration
from bot.domain.commands.refusal import RefusalCode, refused
from bot.domain.commands.text import Line
from bot.domain.commands.verbs import Verb

MAX_LOG_LINES = 1000


@dataclass(frozen=True, slots=True)
class JobRef:
    """A job as typed: ``amber-fox/3``, ``3`` (of the lease at hand), ``amber-fox/baseline`` (by the name that it was
    given), or a lease alone (its latest job)."""

    lease: str | None
    number: int | None
    title: str | None = None


class Try(OneLease):
    """Run the built-in small training."""


class Jobs(OneLease):
    """List a lease's jobs."""


@dataclass(frozen=True, slots=True)
class Logs:
    """The last ``lines`` (None: as many as fit), only those with ``grep`` in them, or all as a file."""

    job: JobRef | None
    lines: int | None = None
    grep: str | None = None
    as_file: bool = False


@dataclass(frozen=True, slots=True)
class Kill:
    """End a job. ``job`` None: the one that runs."""

    job: JobRef | None


@dataclass(frozen=True, slots=True)
class Loss:
    """Draw the curve of one job, or of several over each other. ``metrics``: as typed; none is the main curve.

    ``first`` is the first of the metrics read as a job, where it can be meant so: ``amber-fox/baseline``, but also
    ``train/loss``. Only who knows the leases can tell.
    """

    jobs: tuple[JobRef, ...]
    metrics: tuple[str, ...] = ()
    is_log: bool = False
    last_s: int | None = None
    first: JobRef | None = None

    @property
    def has_options(self) -> bool:
        """Whether a picture of its own is wanted."""
        return len(self.jobs) > 1 or bool(self.metrics) or self.is_log or self.last_s is not None


_JOB = re.compile(r"(?:([a-z][a-z0-9-]{1,30})/)?#?([0-9]{1,9})")
_TITLED = re.compile(r"([a-z][a-z0-9-]{1,30})/(\w[\w.-]{0,59})", re.ASCII)
_MOST_CURVES = 6


def read_job(word: str, verb: Verb) -> JobRef:
    """``amber-fox/3``, ``3``, ``#3``, ``amber-fox/baseline`` or ``amber-fox``."""
    folded = fold_name(word)
    if found := _JOB.fullmatch(folded):
        return JobRef(found[1], int(found[2]))
    if found := _TITLED.fullmatch(folded):
        return JobRef(found[1], None, found[2])
    if LEASE.fullmatch(folded):
        return JobRef(folded, None)
    raise refused(RefusalCode.BAD_JOB, verb, word)


def parse_logs(line: Line, _context: ParseContext) -> Logs:
    """``logs``, ``logs amber-fox/3``, ``logs amber-fox/3 200``, ``logs 3 grep=nan``, ``logs 3 --file``."""
    arguments = read_arguments(line.plain, Verb.LOGS, options=frozenset({"lines", "grep"}), flags=frozenset({"file"}))
    job = _take_job(arguments)
    lines = arguments.option("lines")
    if arguments.words and lines is None:
        lines = arguments.words.pop(0)
    arguments.done()
    return Logs(
        job,
        lines=None if lines is None else _read_lines(lines),
        grep=arguments.option("grep"),
        as_file="file" in arguments.options,
    )


def parse_kill(line: Line, _context: ParseContext) -> Kill:
    """``kill`` or ``kill amber-fox/3``."""
    arguments = read_arguments(line.plain, Verb.KILL)
    job = _take_job(arguments)
    arguments.done()
    return Kill(job)


def parse_loss(line: Line, _context: ParseContext) -> Loss:
    """``loss``, ``loss amber-fox/3 val_loss lr --log --last 1h``, ``loss amber-fox/3 vs amber-fox/4``.

    A lease's name is first or after ``vs``; a metric that looks like one is said with ``metric=``.
    """
    arguments = read_arguments(
        line.plain, Verb.LOSS, options=frozenset({"metric", "last"}), flags=frozenset({"log"}),
        repeatable=frozenset({"metric"}),
    )  # fmt: skip
    words = list(arguments.words)
    versus = next((at for at, word in enumerate(words) if word.lower().rstrip(".") == "vs"), len(words))
    jobs: list[JobRef] = []
    metrics: list[str] = []
    for at, word in enumerate(words[:versus]):
        is_job = _JOB.fullmatch(fold_name(word)) or (at == 0 and LEASE.fullmatch(fold_name(word)))
        if is_job:
            jobs.append(read_job(word, Verb.LOSS))
        else:
            metrics.append(word)
    others = [read_job(word, Verb.LOSS) for word in words[versus + 1 :]]
    if versus < len(words):
        if not others:
            raise refused(RefusalCode.BAD_JOB, Verb.LOSS, words[versus])
        jobs = [*(jobs or [JobRef(None, None)]), *others]
    metrics += arguments.options.get("metric", [])
    if len(jobs) > _MOST_CURVES or len(metrics) > _MOST_CURVES:
        raise refused(RefusalCode.EXTRA_WORD, Verb.LOSS, words[-1] if words else metrics[-1])
    last = arguments.option("last")
    last_s = None if last is None else read_duration(last, Verb.LOSS, option="last").duration_s
    may_be_job = bool(words) and metrics[:1] == words[:1] and _TITLED.fullmatch(fold_name(words[0])) is not None
    first = read_job(words[0], Verb.LOSS) if may_be_job else None
    return Loss(tuple(jobs), tuple(dict.fromkeys(metrics)), "log" in arguments.options, last_s, first)


def _take_job(arguments: Arguments) -> JobRef | None:
    word = arguments.take(lambda _: True)
    return None if word is None else read_job(word, arguments.verb)


def _read_lines(value: str) -> int:
    lines = int(value) if re.fullmatch("[0-9]{1,6}", value) else 0
    if not 1 <= lines <= MAX_LOG_LINES:
        raise refused(RefusalCode.BAD_LINES, Verb.LOGS, value, low=1, high=MAX_LOG_LINES)
    return lines
