"""Views: everything that one living message shows, gathered; `handlers` turn it into blocks."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.disk import Disk
from bot.domain.instance import Capabilities
from bot.domain.inventory.inventory import Inventory, WhyUnknown
from bot.domain.jobs.view import JobView
from bot.domain.lease import Lease
from bot.domain.policy import Policy
from bot.domain.question import Question
from bot.domain.quote import Quote
from bot.domain.sync import SyncRun
from bot.domain.use import Activity


@dataclass(frozen=True, slots=True)
class LeaseView:
    """A lease's card."""

    lease: Lease
    cost_microusd: int
    capabilities: Capabilities | None
    question: Question | None
    now: datetime
    activity: Activity | None = None
    """How its machine is used; None where nobody looked yet."""
    jobs: tuple[JobView, ...] = ()
    """Those that run, by number."""


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question before a release."""

    question: Question
    lease: Lease
    capabilities: Capabilities | None
    policy: Policy
    grace_s: float
    now: datetime
    inventory: Inventory | None = None
    """What it shows; None as long as nothing was looked at."""
    sync: SyncRun | None = None
    """The copy that was made before it was asked, or that is made now."""
    has_archive: bool = False
    asked_again_at: datetime | None = None
    """After a no, past the lease's end: when it is asked again at the earliest."""
    stops_at: datetime | None = None
    """When the machine is stopped if nobody answers and nothing is at work on it."""
    named: frozenset[bytes] = frozenset()
    """Paths that are looked at since somebody named them."""


@dataclass(frozen=True, slots=True)
class SyncView:
    """A copy to the archive: how far it is, then what is safe and what is not."""

    run: SyncRun
    lease: Lease
    now: datetime


@dataclass(frozen=True, slots=True)
class QuoteView:
    """A rent that waits for a button."""

    quote: Quote
    policy: Policy
    now: datetime


@dataclass(frozen=True, slots=True)
class DiskView:
    """A kept data disk."""

    disk: Disk
    lease: Lease
    """Of the machine that has it, or had it last."""
    cost_microusd: int
    is_asked: bool = False
    """Whether the question if it is deleted is live."""


@dataclass(frozen=True, slots=True)
class DiskQuestionView:
    """A question before a kept disk is deleted."""

    question: Question
    disk: Disk
    lease: Lease
    """Of the machine that had it last."""
    cost_microusd: int
    policy: Policy
    grace_s: float
    now: datetime
    inventory: Inventory
    """What it shows: the last look at it, or that there was none."""
    copied: tuple[int, int] | None
    """Files and bytes on it that have a verified copy; None where that is not known (any more)."""
    changed: WhyUnknown | None = None
    """Why nothing is known of it by now."""


View = LeaseView | QuestionView | DiskQuestionView | SyncView | QuoteView | JobView
