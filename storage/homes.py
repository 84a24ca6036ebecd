"""The stores of people's homes in the app, and of the channels that were greeted."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import and_, case, delete, func, or_, update
from sqlmodel import col, select

from bot.domain.home import Home
from bot.domain.living import Subject
from bot.domain.question import QuestionState
from bot.domain.quote import QuoteState
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables import GreetingRow, HomeRow, KeyRow, LeaseRow, LivingRow, QuestionRow, QuoteRow


class SqlHomes(Shelf):
    """Homes in the database. Nobody marks them when something changes: who publishes them compares."""

    def opened(self, user: str, team_id: str, at: datetime, content: str) -> None:
        """Somebody looks at theirs, and sees what ``content`` is the hash of."""
        insert = self._insert(HomeRow, columns_of(Home(user, team_id, at, content)))
        unanswered = or_(col(HomeRow.shown_at).is_(None), col(HomeRow.opened_at) >= col(HomeRow.shown_at))
        seen = case((and_(unanswered, col(HomeRow.content) != content), ""), else_=content)
        told = {"team_id": team_id, "opened_at": at, "content": seen, "next_try_at": None, "attempts": 0}
        self._run(insert.on_conflict_do_update(index_elements=[col(HomeRow.user)], set_=told))

    def get(self, user: str) -> Home | None:
        """Somebody's."""
        row = self._first(select(HomeRow).where(col(HomeRow.user) == user))
        return None if row is None else value_of(Home, row)

    def open(self, since: datetime) -> tuple[Home, ...]:
        """Those opened since then, by person."""
        query = select(HomeRow).where(col(HomeRow.opened_at) >= since).order_by(col(HomeRow.user))
        return tuple(value_of(Home, row) for row in self._all(query))

    def news(self, users: Collection[str], approvers: Collection[str], now: datetime) -> dict[str, str]:
        """What living messages and leases that concern each person count; a few queries, however many they are."""
        if not users:
            return {}
        leases, quotes, keys = self._of_leases(users), self._of_quotes(now), self._of_keys(users)
        asked = self._questions_that_are_out()
        team = f"{self._of_live_leases()}/{sum(quotes.values())}" if approvers else ""
        return {
            user: f"{leases.get(user, 0)}/{quotes.get(user, 0)}/{keys.get(user, 0)}/{asked}"
            + (f"/{team}" if user in approvers else "")
            for user in users
        }

    def looked(self, home: Home, news: str, at: datetime) -> None:
        """Nothing had to be published."""
        self._set(home, news=news, looked_at=at)

    def shown(self, home: Home, content: str, states: str, news: str, at: datetime) -> None:
        """It was published."""
        self._set(
            home, content=content, states=states, news=news, shown_at=at, looked_at=at, next_try_at=None, attempts=0
        )

    def postpone(self, home: Home, until: datetime) -> None:
        """One more try later."""
        self._set(home, next_try_at=until, attempts=col(HomeRow.attempts) + 1)

    def forget(self, user: str) -> None:
        """Nothing is published for them any more."""
        self._run(delete(HomeRow).where(col(HomeRow.user) == user))

    def _set(self, home: Home, **columns: Any) -> None:
        is_same = and_(col(HomeRow.user) == home.user, col(HomeRow.opened_at) == home.opened_at)
        self._run(update(HomeRow).where(is_same).values(**columns))

    def _of_leases(self, users: Collection[str]) -> dict[str, int]:
        """Of all of somebody's leases: those that end are not to drop out unnoticed. Their jobs and questions touch
        the card, too."""
        query = (
            select(LeaseRow.owner, func.sum(col(LivingRow.wanted)))
            .join(LivingRow, and_(col(LivingRow.subject) == Subject.LEASE, col(LivingRow.subject_id) == LeaseRow.id))
            .where(col(LeaseRow.owner).in_(list(users)))
            .group_by(col(LeaseRow.owner))
        )
        return {owner: int(count) for owner, count in self._session.exec(query).all()}

    def _of_live_leases(self) -> str:
        """What leases themselves count: of hundreds of cards some are always touched for their figures."""
        query = select(func.count(), func.coalesce(func.sum(col(LeaseRow.version)), 0)).where(col(LeaseRow.is_live))
        leases, count = self._session.exec(query).one()
        return f"{leases}:{count}"

    def _of_quotes(self, now: datetime) -> dict[str, int]:
        query = (
            select(QuoteRow.owner, func.sum(col(LivingRow.wanted)))
            .join(LivingRow, and_(col(LivingRow.subject) == Subject.QUOTE, col(LivingRow.subject_id) == QuoteRow.id))
            .where(col(QuoteRow.expires_at) > now, col(QuoteRow.state) == QuoteState.OPEN)
            .group_by(col(QuoteRow.owner))
        )
        return {owner: int(count) for owner, count in self._session.exec(query).all()}

    def _of_keys(self, users: Collection[str]) -> dict[str, int]:
        query = select(KeyRow.user, func.count()).where(col(KeyRow.user).in_(list(users))).group_by(col(KeyRow.user))
        return {user: int(count) for user, count in self._session.exec(query).all()}

    def _questions_that_are_out(self) -> int:
        """A question is linked once its message is there, which touches no card."""
        query = (
            select(func.count(col(LivingRow.message)))
            .select_from(QuestionRow)
            .join(
                LivingRow, and_(col(LivingRow.subject) == Subject.QUESTION, col(LivingRow.subject_id) == QuestionRow.id)
            )
            .where(col(QuestionRow.state) == QuestionState.OPEN)
        )
        return int(self._session.exec(query).one())


class SqlGreetings(Shelf):
    """Channels that were greeted, in the database."""

    def first_time(self, channel: str, now: datetime) -> bool:
        """True exactly once per channel, if the transaction is committed."""
        insert = self._insert(GreetingRow, {"channel": channel, "greeted_at": now})
        insert = insert.on_conflict_do_nothing(index_elements=[col(GreetingRow.channel)])
        return self._session.exec(insert.returning(col(GreetingRow.channel))).first() is not None
