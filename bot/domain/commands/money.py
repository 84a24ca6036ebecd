"""``cost``, ``policy`` and ``audit``."""

import re
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.commands.arguments import ParseContext, read_arguments
from bot.domain.commands.leases import All, Person, take_target
from bot.domain.commands.refusal import RefusalCode, refused
from bot.domain.commands.text import Line
from bot.domain.commands.verbs import Verb


class Period(StrEnum):
    """A stretch of time that ends now."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class Cost:
    """What was spent: in a period (None: not said), by a person, for a lease, by all (None: not said)."""

    period: Period | None
    target: str | Person | All | None


@dataclass(frozen=True, slots=True)
class PolicyShow:
    """The team's limits."""


@dataclass(frozen=True, slots=True)
class Audit:
    """Who did what, of one lease or of all; or what one ``question`` was about, by the beginning of its number."""

    name: str | None
    question: str | None = None


_NUMBER = re.compile(r"[0-9a-f]{4,16}")


def parse_cost(line: Line, _context: ParseContext) -> Cost:
    """``cost``, ``cost week``, ``cost month @who``, ``cost amber-fox``; in either order."""
    arguments = read_arguments(line.plain, Verb.COST)
    at = next((i for i, word in enumerate(arguments.words) if word.lower() in list(Period)), None)
    period = None if at is None else Period(arguments.words.pop(at).lower())
    target = take_target(arguments)
    arguments.done()
    return Cost(period, target)


def parse_audit(line: Line, _context: ParseContext) -> Audit:
    """``audit``, ``audit amber-fox``, ``audit amber-fox list=3f09a1c2``."""
    arguments = read_arguments(line.plain, Verb.AUDIT, options=frozenset({"list"}))
    name, number = arguments.take_lease(), arguments.option("list")
    if number is not None and not _NUMBER.fullmatch(number := number.lower()):
        raise refused(RefusalCode.BAD_OPTION, Verb.AUDIT, number, option="list")
    arguments.done()
    return Audit(name, number)


def parse_policy(line: Line, _context: ParseContext) -> PolicyShow:
    """``policy`` alone."""
    read_arguments(line.plain, Verb.POLICY).done()
    return PolicyShow()
