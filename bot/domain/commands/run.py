"""``run``: a command for a machine, kept exactly as it was meant."""

import re
import shlex
from dataclasses import dataclass, replace

from bot.domain.commands.arguments import LEASE, Arguments, ParseContext, fold_name, read_arguments
from bot.domain.commands.jobs import JobRef, read_job
from bot.domain.commands.lengths import read_duration
from bot.domain.commands.refusal import RefusalCode, RefusalError, refused
from bot.domain.commands.text import Line, without_mentions
from bot.domain.commands.verbs import Verb, nearest
from bot.domain.jobs.job import Continuation


@dataclass(frozen=True, slots=True)
class RunOptions:
    """``directory`` is the working directory on the machine, ``git`` a repository to check out there first.

    ``secrets`` are variables that take the person's secrets of those names. ``max_duration_s`` ends the job; every
    ``every_s`` seconds what is on its machine is copied; ``after`` is the job to wait for.
    """

    name: str | None = None
    directory: str | None = None
    env: tuple[tuple[str, str], ...] = ()
    secrets: tuple[str, ...] = ()
    git: str | None = None
    max_duration_s: int | None = None
    every_s: int | None = None
    after: JobRef | None = None
    then: Continuation | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """Start a job. ``command`` is text for a shell; may have several lines, never empty."""

    name: str | None
    options: RunOptions
    command: str


_OPTIONS = frozenset({"name", "dir", "env", "git", "max", "every", "after", "then"})
_SEPARATOR = re.compile(r"(?<!\S)--(?!\S)[ \t]*")
_VARIABLE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?", re.DOTALL)
_NAME = re.compile(r"\w[\w.-]{0,59}", re.ASCII)
_LATE_THEN = re.compile(r"\s--then(?:=|\s+)([a-z]+)\s*\Z")
_HEAD_WORD = re.compile(r"\s*(?:--)?(?:name|dir|env|git|max|every|after|then)=\S+", re.IGNORECASE)
# What a command begins with rather than a lease's name, though it could be one.
_PROGRAMS = frozenset(
    """
    accelerate awk bash cargo cat cd conda cp curl deepspeed docker echo env export git go htop ipython java
    julia jupyter kill ls make mamba mkdir mpirun mv node nohup npm nvcc nvidia-smi pip poetry ps python
    python3 rm sed sh source srun sudo tail tar time top torchrun uv uvx watch wget zsh
    """.split()
)


def parse_run(line: Line, _context: ParseContext) -> Run:
    """``run [NAME] [key=value …] -- COMMAND``; what stands in code after the ``--`` is taken literally."""
    head, tail = _divide(line)
    if tail is None:
        raise _undivided(head)
    arguments = _read_head(head)
    name = arguments.take_lease()
    if arguments.words:
        raise _undivided(line.plain)
    options = _read_options(arguments)
    return Run(name, options, _command_text(tail, head))


def _divide(line: Line) -> tuple[str, Line | None]:
    """What stands before and after the first ``--`` that stands alone; the edge of code sets it apart."""
    offset = 0
    for piece in line.pieces:
        if found := _SEPARATOR.search(piece.text):
            return line.plain[: offset + found.start()], line.after(offset + found.end())
        offset += len(piece.text)
    return line.plain, None


def _read_head(head: str) -> Arguments:
    try:
        return read_arguments(head, Verb.RUN, options=_OPTIONS, repeatable=frozenset({"env"}))
    except RefusalError as error:
        refusal = error.refusal
        if refusal.code is RefusalCode.UNKNOWN_OPTION and refusal.option.isupper():
            raise RefusalError(replace(refusal, nearest=(f"env={refusal.word}",))) from None
        raise


def _read_options(arguments: Arguments) -> RunOptions:
    after, then = arguments.option("after"), arguments.option("then")
    if then is not None and then.lower() not in list(Continuation):
        alike = nearest(then, Continuation) or tuple(Continuation)
        raise refused(RefusalCode.BAD_OPTION, Verb.RUN, then, option="then", nearest=alike)
    env, secrets = _read_env(arguments.options.get("env", []))
    return RunOptions(
        name=_read_name(arguments.option("name")),
        directory=arguments.option("dir"),
        env=env,
        secrets=secrets,
        git=arguments.option("git"),
        max_duration_s=_read_length(arguments, "max"),
        every_s=_read_length(arguments, "every"),
        after=None if after is None else _read_after(after),
        then=None if then is None else Continuation(then.lower()),
    )


def _read_after(word: str) -> JobRef:
    """A job; also by its name alone. One that could be a lease's is left as that: who knows the jobs can tell."""
    folded = fold_name(word)
    if _NAME.fullmatch(folded) and not folded.isdigit() and not LEASE.fullmatch(folded):
        return JobRef(None, None, folded)
    return read_job(word, Verb.RUN)


def _read_name(name: str | None) -> str | None:
    if name is not None and not _NAME.fullmatch(name):
        raise refused(RefusalCode.BAD_OPTION, Verb.RUN, name, option="name")
    return name


def _read_length(arguments: Arguments, key: str) -> int | None:
    value = arguments.option(key)
    return None if value is None else read_duration(value, Verb.RUN, option=key).duration_s


def _read_env(settings: list[str]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Variables with their values, and names alone: those take secrets."""
    env: dict[str, str | None] = {}
    for setting in settings:
        found = _VARIABLE.fullmatch(setting)
        if found is None:
            raise refused(RefusalCode.BAD_OPTION, Verb.RUN, setting, option="env")
        if found[1] in env:
            raise refused(RefusalCode.DUPLICATE_OPTION, Verb.RUN, setting, option=f"env={found[1]}")
        env[found[1]] = found[2]
    values = tuple((name, value) for name, value in env.items() if value is not None)
    return values, tuple(name for name, value in env.items() if value is None)


def _command_text(tail: Line, head: str) -> str:
    pieces = [piece for piece in tail.pieces if piece.text.strip()]
    if not pieces:
        raise refused(RefusalCode.MISSING_COMMAND, Verb.RUN, suggestion=_joined(head, "python train.py"))
    if len(pieces) == 1 and pieces[0].is_code:
        return pieces[0].text.strip("\r\n")
    command = "".join(piece.text if piece.is_code else without_mentions(piece.text) for piece in tail.pieces)
    command = command.strip()
    _refuse_late_then(command, head)
    try:
        shlex.split(command)
    except ValueError:
        raise refused(RefusalCode.UNBALANCED_QUOTES, Verb.RUN, command) from None
    return command


def _refuse_late_then(command: str, head: str) -> None:
    # Handed to the command it would be an unknown flag at best, at worst a machine that is never released.
    found = _LATE_THEN.search(command)
    if found and found[1] in list(Continuation):
        suggestion = _joined(f"{head} then={found[1]}", command[: found.start()])
        raise refused(RefusalCode.MISPLACED_OPTION, Verb.RUN, found[0].strip(), option="then", suggestion=suggestion)


def _undivided(text: str) -> RefusalError:
    """Say where the ``--`` belongs: after the lease's name and the options, as far as they look like it."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    end = 0
    if LEASE.fullmatch(fold_name(first)) and fold_name(first) not in _PROGRAMS:
        end = text.index(first) + len(first)
    while found := _HEAD_WORD.match(text, end):
        end = found.end()
    head, command = text[:end], text[end:].strip()
    if not command:
        return refused(RefusalCode.MISSING_COMMAND, Verb.RUN, suggestion=_joined(head, "python train.py"))
    return refused(RefusalCode.MISSING_SEPARATOR, Verb.RUN, command, suggestion=_joined(head, command))


def _joined(head: str, command: str) -> str:
    return " ".join(f"run {head}".split()) + f" -- {command}"
