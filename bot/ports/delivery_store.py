"""The port to what is stored, where it is about work and words: claims, notices, living messages, deliveries."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bot.domain.claim import Claim, Duty
from bot.domain.living import LivingMessage, Subject
from bot.domain.notice import Notice, Priority
from bot.domain.places import MessageRef


class ClaimStore(Protocol):
    """Claims per (thing, duty)."""

    def take(self, thing: str, duty: Duty, holder: str, now: datetime, ttl: timedelta) -> Claim | None:
        """The claim, with a token larger than any before it; None where somebody else's is alive."""
        ...

    def renew(self, holder: str, now: datetime, ttl: timedelta) -> None:
        """Heartbeat: lengthen every claim of the holder that has not run out."""
        ...

    def check(self, claim: Claim) -> None:
        """Fencing: nothing while the claim is still the holder's.

        Raises:
            ClaimLost: the duty has changed hands.
        """
        ...

    def drop(self, claim: Claim) -> None:
        """Give it back; harmless when it is lost already."""
        ...


@dataclass(frozen=True, slots=True)
class QueuedNotice:
    """A notice that waits for delivery."""

    id: int
    notice: Notice
    attempts: int
    queued_at: datetime


class OutboxStore(Protocol):
    """Notices to be said."""

    def put(self, notice: Notice, now: datetime) -> bool:
        """Queue it; False when its occasion was there before (then nothing happens)."""
        ...

    def has(self, occasion: str) -> bool:
        """Whether it was ever queued."""
        ...

    def settled_at(self, occasion: str) -> datetime | None:
        """When it was said, or given up; None: neither yet."""
        ...

    def due(self, now: datetime, limit: int) -> tuple[QueuedNotice, ...]:
        """What may be said now: by priority, then in the order it was written."""
        ...

    def said(self, notice_id: int, now: datetime) -> None:
        """It is out (or, for a reminder, about to go out)."""
        ...

    def postpone(self, notice_id: int, until: datetime) -> None:
        """One more try later."""
        ...

    def give_up(self, notice_id: int, now: datetime, reason: str) -> None:
        """It cannot be said anywhere; kept with the reason."""
        ...


class LivingStore(Protocol):
    """Living messages."""

    def add(self, subject: Subject, subject_id: str, channel: str, thread_of: str | None, priority: Priority) -> None:
        """A new one, not shown yet."""
        ...

    def get(self, subject: Subject, subject_id: str) -> LivingMessage | None: ...
    def touch(self, subject: Subject, subject_id: str, priority: Priority) -> None:
        """It is behind by one more change; the more urgent of both priorities holds."""
        ...

    def touch_figures(self, shown_before: datetime, limit: int) -> int:
        """Mark cards of live leases that are up to date but were shown before then; how many."""
        ...

    def touch_outputs(self, shown_before: datetime, limit: int) -> int:
        """Mark messages of jobs that are up to date but whose output went on since they were shown; how many."""
        ...

    def due(self, now: datetime, limit: int) -> tuple[LivingMessage, ...]:
        """Those behind that may be tried now: by priority, then longest behind."""
        ...

    def posting(self, living: LivingMessage, channel: str, at: datetime) -> None:
        """About to post it in ``channel`` for the first time."""
        ...

    def shown(self, living: LivingMessage, message: MessageRef, at: datetime) -> None:
        """``message`` shows version ``living.wanted``."""
        ...

    def lost(self, living: LivingMessage) -> None:
        """Its message cannot be edited any more: to be posted anew."""
        ...

    def postpone(self, living: LivingMessage, until: datetime) -> None:
        """One more try later."""
        ...


class InboxStore(Protocol):
    """What was delivered to us already."""

    def first_time(self, delivery: str, now: datetime) -> bool:
        """True exactly once per delivery, if the transaction is committed."""
        ...

    def forget_before(self, then: datetime) -> None: ...
