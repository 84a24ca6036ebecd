"""Homes: each person's own page in the app, what it shows, and when it is worth publishing anew."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.domain.disk import Disk
from bot.domain.jobs.view import JobView
from bot.domain.lease import Lease
from bot.domain.places import MessageRef
from bot.domain.question import Question, QuestionState
from bot.domain.views import LeaseView, QuoteView

LOOKED_AT: Final = timedelta(hours=1)
"""So long after it was opened a home is kept current; after that it is left alone until it is opened again."""
FIGURES_AGE: Final = timedelta(minutes=5)
"""How old a home's figures may be while nothing else of it changes."""


@dataclass(frozen=True, slots=True)
class Home:
    """A home that was opened, and what it shows. Opening it makes it due; so does a change of ``news``."""

    user: str
    team_id: str
    opened_at: datetime
    content: str = ""
    """Hash of what was published last; empty where nothing was, or where it is not there any more."""
    states: str = ""
    """Digest of what it told of states, without figures."""
    news: str = ""
    """What had changed in all until it was published."""
    shown_at: datetime | None = None
    looked_at: datetime | None = None
    """When what it should show was last read, published or not."""
    next_try_at: datetime | None = None
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class AskedAbout:
    """A question that waits for an answer, and where it stands."""

    question: Question
    lease: Lease
    message: MessageRef | None
    disk: Disk | None = None
    """The kept disk that it is about."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What somebody spent, in micro-dollars, by the calendar of their own time zone."""

    today: int
    this_week: int
    this_month: int


@dataclass(frozen=True, slots=True)
class TeamView:
    """What an approver sees of the others."""

    leases: tuple[LeaseView, ...]
    quotes: tuple[QuoteView, ...]
    """Those that wait for an approver."""


@dataclass(frozen=True, slots=True)
class HomeView:
    """Everything that one person's home shows."""

    user: str
    leases: tuple[LeaseView, ...]
    jobs: tuple[JobView, ...]
    """The latest, newest first."""
    spent: Spent
    has_key: bool
    quotes: tuple[QuoteView, ...]
    """The person's own that wait for a button."""
    questions: tuple[AskedAbout, ...]
    """Those that wait and that they may answer: about their own machines, for an approver about all."""
    team: TeamView | None
    """None for whoever is no approver."""
    now: datetime

    @property
    def states(self) -> str:
        """A digest of what it tells without figures: a change of it is news, the rest is the meter running on."""
        parts = [_lease_states(view) for view in (*self.leases, *(self.team.leases if self.team else ()))]
        parts += [f"{job.job.id}:{job.job.state}:{job.job.kill_wanted_by}" for job in self.jobs]
        parts += [view.quote.id for view in (*self.quotes, *(self.team.quotes if self.team else ()))]
        parts += [asked.question.id + (asked.message.ts if asked.message else "") for asked in self.questions]
        parts += [f"key:{self.has_key}", f"team:{self.team is not None}"]
        return blake2b("|".join(parts).encode(), digest_size=16).hexdigest()


def _lease_states(view: LeaseView) -> str:
    lease, question = view.lease, view.question
    asked = question.state if question is not None and question.is_live else ""
    return f"{lease.id}:{lease.state}:{lease.want}:{lease.ends_at}:{lease.problem}:{asked}:{len(view.jobs)}"


def is_worth_publishing(home: Home, states: str, now: datetime) -> bool:
    """Whether it should be published if it looks different: figures alone may wait."""
    if not home.content or home.shown_at is None or home.opened_at >= home.shown_at or states != home.states:
        return True
    return now - home.shown_at >= FIGURES_AGE


def is_waiting(question: Question | None) -> bool:
    """Whether people are to answer it."""
    return question is not None and question.state is QuestionState.OPEN


@dataclass(frozen=True, slots=True)
class Beginnings:
    """When somebody's day, week and month began."""

    day: datetime
    week: datetime
    month: datetime


def beginnings(now: datetime, zone: str | None) -> Beginnings:
    """By the calendar of a time zone (an IANA name); weeks begin on Monday."""
    try:
        tz = ZoneInfo(zone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        tz = ZoneInfo("UTC")
    today = now.astimezone(tz).replace(hour=0, minute=0, second=0, microsecond=0)
    # of wall-clock times, so that a clock that is put forward or back in between does not matter
    return Beginnings(today, today - timedelta(days=today.weekday()), today.replace(day=1))
