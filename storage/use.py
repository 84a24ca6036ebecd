"""The stores of machines' use, of checklists that were asked for, and of people's zones."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from sqlalchemy import delete, or_, update
from sqlmodel import and_, col, select

from bot.domain.check import CheckAsked
from bot.domain.lease import LeaseState
from bot.domain.use import Activity, UseSample
from storage.mapping import columns_of, value_of
from storage.shelf import Query, Shelf, any_of
from storage.tables import LeaseRow
from storage.tables.use import ActivityRow, CheckRow, PersonRow, UseSampleRow

_USE_OF: Final = Query(
    Activity, ActivityRow, select(ActivityRow).where(col(ActivityRow.lease_id).in_(any_of("leases")))
)


class SqlUse(Shelf):
    """Use in the database: one row a lease for how it goes on, one a look for the last day."""

    def due(self, now: datetime, first_after: datetime, limit: int) -> tuple[str, ...]:
        """Ids of ready leases whose next look is due, longest overdue first."""
        is_due = or_(
            col(ActivityRow.next_look_at) <= now,
            and_(col(ActivityRow.next_look_at).is_(None), col(LeaseRow.state_since) <= first_after),
        )
        query = (
            select(LeaseRow.id)
            .join(ActivityRow, col(ActivityRow.lease_id) == col(LeaseRow.id), isouter=True)
            .where(col(LeaseRow.is_live), col(LeaseRow.state) == LeaseState.READY, is_due)
            .order_by(col(ActivityRow.next_look_at).nulls_first(), col(LeaseRow.id))
            .limit(limit)
        )
        return tuple(self._all(query))

    def get(self, lease_id: str) -> Activity | None:
        """How one lease's machine is used."""
        return self.of((lease_id,)).get(lease_id)

    def of(self, lease_ids: Iterable[str]) -> dict[str, Activity]:
        """Per lease; one that was never looked at is no key."""
        return {activity.lease_id: activity for activity in self._found(_USE_OF, leases=list(lease_ids))}

    def save(self, activity: Activity) -> None:
        """Write it, but for ``quiet_until``: a person may have changed that meanwhile."""
        columns = columns_of(activity)
        told = {name: value for name, value in columns.items() if name not in ("lease_id", "quiet_until")}
        insert = self._insert(ActivityRow, columns)
        self._run(insert.on_conflict_do_update(index_elements=[col(ActivityRow.lease_id)], set_=told))

    def keep_quiet(self, lease_id: str, until: datetime) -> None:
        """No reminders before then."""
        insert = self._insert(ActivityRow, columns_of(Activity(lease_id, quiet_until=until)))
        quiet = {"quiet_until": until}
        self._run(insert.on_conflict_do_update(index_elements=[col(ActivityRow.lease_id)], set_=quiet))

    def add(self, sample: UseSample) -> None:
        """One more look."""
        self._store(UseSampleRow, columns_of(sample))

    def samples(self, lease_id: str, since: datetime) -> tuple[UseSample, ...]:
        """Those since then, oldest first."""
        query = select(UseSampleRow).where(col(UseSampleRow.lease_id) == lease_id, col(UseSampleRow.at) >= since)
        rows = self._all(query.order_by(col(UseSampleRow.at), col(UseSampleRow.id)))
        return tuple(value_of(UseSample, row) for row in rows)

    def forget_before(self, lease_id: str, then: datetime) -> None:
        """Drop a lease's older samples."""
        self._run(delete(UseSampleRow).where(col(UseSampleRow.lease_id) == lease_id, col(UseSampleRow.at) < then))


class SqlChecks(Shelf):
    """Wishes for a checklist in the database; fulfilled ones stay."""

    def add(self, check: CheckAsked) -> None:
        """A new wish."""
        self._store(CheckRow, columns_of(check))

    def open(self, limit: int) -> tuple[CheckAsked, ...]:
        """Those not fulfilled yet, oldest first."""
        query = select(CheckRow).where(col(CheckRow.done_at).is_(None))
        rows = self._all(query.order_by(col(CheckRow.asked_at), col(CheckRow.id)).limit(limit))
        return tuple(value_of(CheckAsked, row) for row in rows)

    def of(self, lease_id: str) -> tuple[CheckAsked, ...]:
        """A lease's open ones, oldest first."""
        query = select(CheckRow).where(col(CheckRow.lease_id) == lease_id, col(CheckRow.done_at).is_(None))
        rows = self._all(query.order_by(col(CheckRow.asked_at), col(CheckRow.id)))
        return tuple(value_of(CheckAsked, row) for row in rows)

    def done(self, check_ids: Iterable[str], at: datetime) -> None:
        """They are fulfilled."""
        self._run(update(CheckRow).where(col(CheckRow.id).in_(list(check_ids))).values(done_at=at))


class SqlPeople(Shelf):
    """People in the database."""

    def note_zone(self, user: str, tz: str, at: datetime) -> None:
        """Their time zone as of their last command."""
        insert = self._insert(PersonRow, {"user": user, "tz": tz, "seen_at": at})
        self._run(insert.on_conflict_do_update(index_elements=[col(PersonRow.user)], set_={"tz": tz, "seen_at": at}))

    def zones(self, users: Iterable[str]) -> dict[str, str]:
        """The time zone of each; who never said anything is no key."""
        query = select(PersonRow).where(col(PersonRow.user).in_(list(users)))
        return {row.user: row.tz for row in self._all(query)}

    def zone(self, user: str) -> str | None:
        """Their time zone; None where they never said anything."""
        return self._first(select(PersonRow.tz).where(col(PersonRow.user) == user))
