"""The port to what is stored about machines' use, checklists that were asked for, and people's zones."""

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from bot.domain.check import CheckAsked
from bot.domain.use import Activity, UseSample


class UseStore(Protocol):
    """How machines are used."""

    def due(self, now: datetime, first_after: datetime, limit: int) -> tuple[str, ...]:
        """Ids of ready leases whose next look at their use is due, longest overdue first; one without any look
        yet is due when it was ready before ``first_after``."""
        ...

    def get(self, lease_id: str) -> Activity | None: ...
    def of(self, lease_ids: Iterable[str]) -> dict[str, Activity]:
        """Per lease; one that was never looked at is no key."""
        ...

    def save(self, activity: Activity) -> None:
        """Write it, but for ``quiet_until``."""
        ...

    def keep_quiet(self, lease_id: str, until: datetime) -> None:
        """No reminders before then."""
        ...

    def add(self, sample: UseSample) -> None: ...
    def samples(self, lease_id: str, since: datetime) -> tuple[UseSample, ...]:
        """Those since then, oldest first."""
        ...

    def forget_before(self, lease_id: str, then: datetime) -> None:
        """Drop a lease's older samples."""
        ...


class CheckStore(Protocol):
    """Checklists that were asked for."""

    def add(self, check: CheckAsked) -> None: ...
    def open(self, limit: int) -> tuple[CheckAsked, ...]:
        """Those not fulfilled yet, oldest first."""
        ...

    def of(self, lease_id: str) -> tuple[CheckAsked, ...]:
        """A lease's open ones, oldest first."""
        ...

    def done(self, check_ids: Iterable[str], at: datetime) -> None:
        """They are fulfilled."""
        ...


class PeopleStore(Protocol):
    """What is known of people between their commands."""

    def note_zone(self, user: str, tz: str, at: datetime) -> None:
        """Their time zone, an IANA name, as of their last command."""
        ...

    def zones(self, users: Iterable[str]) -> dict[str, str]:
        """The time zone of each; who never said anything is no key."""
        ...

    def zone(self, user: str) -> str | None: ...
