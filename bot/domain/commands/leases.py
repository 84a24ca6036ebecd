"""The verbs that act on one lease, and ``status``."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from bot.domain.commands.arguments import PERSON, Arguments, ParseContext, read_arguments, read_lease
from bot.domain.commands.lengths import read_duration, take_duration
from bot.domain.commands.refusal import RefusalCode, RefusalError, refused
from bot.domain.commands.text import Line
from bot.domain.commands.verbs import Verb
from bot.domain.durations import Duration


@dataclass(frozen=True, slots=True)
class All:
    """Everybody's."""


ALL: Final = All()


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, by Slack's user id."""

    user: str


@dataclass(frozen=True, slots=True)
class Status:
    """``target`` is a lease's name, a person, everybody, or None for what the place and the asker suggest."""

    target: str | Person | All | None


@dataclass(frozen=True, slots=True)
class OneLease:
    """``name`` is None where it was left out: the thread's lease, or the asker's only one."""

    name: str | None


@dataclass(frozen=True, slots=True)
class Release:
    """End billing for good; with ``keep_disk`` the data disk stays, as a thing of its own."""

    name: str | None
    keep_disk: bool = False


class Stop(OneLease):
    """Halt the machine, keep its disk."""


class Start(OneLease):
    """Start a stopped machine."""


class Ssh(OneLease):
    """How to log in."""


class Check(OneLease):
    """The health checklist."""


@dataclass(frozen=True, slots=True)
class Extend:
    """A longer lease: until ``duration.until`` where that is set, else ``duration_s`` past its end."""

    name: str | None
    duration: Duration


@dataclass(frozen=True, slots=True)
class Keep:
    """No idle reminders for a while, counted from now."""

    name: str | None
    duration: Duration


_One = TypeVar("_One", bound=OneLease)
_Timed = TypeVar("_Timed", Extend, Keep)


def one_lease(verb: Verb, make: Callable[[str | None], _One]) -> Callable[[Line, ParseContext], _One]:
    """A parser for a verb that takes a lease's name or nothing."""

    def parse_one(line: Line, _context: ParseContext) -> _One:
        arguments = read_arguments(line.plain, verb)
        name = arguments.take_lease()
        arguments.done()
        return make(name)

    return parse_one


def timed_lease(verb: Verb, make: Callable[[str | None, Duration], _Timed]) -> Callable[[Line, ParseContext], _Timed]:
    """A parser for a verb that takes a name or nothing, and a duration, in either order."""

    def parse_timed(line: Line, context: ParseContext) -> _Timed:
        arguments = read_arguments(line.plain, verb)
        duration = take_duration(arguments, context)
        if duration is None:
            raise _without_duration(arguments)
        name = arguments.take_lease()
        arguments.done()
        return make(name, duration)

    return parse_timed


def parse_release(line: Line, _context: ParseContext) -> Release:
    """``release amber-fox``, ``release amber-fox --keep-disk``."""
    arguments = read_arguments(line.plain, Verb.RELEASE, flags=frozenset({"keep-disk"}))
    name = arguments.take_lease()
    arguments.done()
    return Release(name, "keep-disk" in arguments.options)


def parse_status(line: Line, _context: ParseContext) -> Status:
    """``status``, ``status amber-fox``, ``status @who``, ``status all``."""
    arguments = read_arguments(line.plain, Verb.STATUS)
    target = take_target(arguments)
    arguments.done()
    return Status(target)


def take_target(arguments: Arguments) -> str | Person | All | None:
    """A lease's name, a person or everybody. ``me`` is nobody in particular: the asker."""
    word = arguments.take(lambda _: True)
    if word is None or word.lower() in ("me", "mine"):
        return None
    if word.lower() == "all":
        return ALL
    if person := PERSON.fullmatch(word):
        return Person(person[1])
    if word.startswith("@"):
        raise refused(RefusalCode.UNKNOWN_PERSON, arguments.verb, word)
    return read_lease(word, arguments.verb)


def _without_duration(arguments: Arguments) -> RefusalError:
    if arguments.words and (len(arguments.words) > 1 or not arguments.words[0][:1].isalpha()):
        read_duration(arguments.words[-1], arguments.verb)  # says what is wrong with it
    lease = f"{read_lease(arguments.words[0], arguments.verb)} " if arguments.words else ""
    return refused(RefusalCode.MISSING_DURATION, arguments.verb, suggestion=f"{arguments.verb} {lease}2h")
