"""``cost``, ``policy`` and ``audit``."""

from dataclasses import dataclass
from enum import StrEnum

from bot.domain.commands.arguments import ParseContext, read_arguments
from bot.domain.commands.leases import All, OneLease, Person, take_target
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


class Audit(OneLease):
    """Who did what, of one lease or of all."""


def parse_cost(line: Line, _context: ParseContext) -> Cost:
    """``cost``, ``cost week``, ``cost month @who``, ``cost amber-fox``; in either order."""
    arguments = read_arguments(line.plain, Verb.COST)
    at = next((i for i, word in enumerate(arguments.words) if word.lower() in list(Period)), None)
    period = None if at is None else Period(arguments.words.pop(at).lower())
    target = take_target(arguments)
    arguments.done()
    return Cost(period, target)


def parse_policy(line: Line, _context: ParseContext) -> PolicyShow:
    """``policy`` alone."""
    read_arguments(line.plain, Verb.POLICY).done()
    return PolicyShow()
