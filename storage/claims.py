"""The store of claims."""

from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, and_, update
from sqlmodel import col, select

from bot.domain.claim import Claim, Duty
from bot.errors import ClaimLost
from storage.mapping import columns_of
from storage.shelf import Shelf
from storage.tables import ClaimRow

_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)


class SqlClaims(Shelf):
    """Claims in the database, a row per (thing, duty) for ever, so that no token comes twice."""

    def take(self, thing: str, duty: Duty, holder: str, now: datetime, ttl: timedelta) -> Claim | None:
        """The claim, with a token larger than any before it; None where one is alive, also one of the same holder."""
        expires_at = now + ttl
        statement = self._insert(ClaimRow, columns_of(Claim(thing, duty, holder, 1, expires_at)))
        token = self._session.exec(
            statement.on_conflict_do_update(
                index_elements=[col(ClaimRow.thing), col(ClaimRow.duty)],
                set_={"holder": holder, "token": col(ClaimRow.token) + 1, "expires_at": expires_at},
                where=col(ClaimRow.expires_at) <= now,
            ).returning(col(ClaimRow.token))
        ).first()
        return None if token is None else Claim(thing, duty, holder, token[0], expires_at)

    def renew(self, holder: str, now: datetime, ttl: timedelta) -> None:
        """Heartbeat: lengthen every claim of the holder that has not run out."""
        self._run(
            update(ClaimRow)
            .where(col(ClaimRow.holder) == holder, col(ClaimRow.expires_at) > now)
            .values(expires_at=now + ttl)
        )

    def check(self, claim: Claim) -> None:
        """Fencing: nothing while the claim is still the holder's; nobody takes it before this transaction ends.

        Raises:
            ClaimLost: the duty has changed hands.
        """
        if self._first(select(ClaimRow).where(_is(claim)).with_for_update(read=True)) is None:
            raise ClaimLost(claim.thing, claim.duty)

    def drop(self, claim: Claim) -> None:
        """Give it back; harmless when it is lost already."""
        self._run(update(ClaimRow).where(_is(claim)).values(holder="", expires_at=_LONG_AGO))


def _is(claim: Claim) -> ColumnElement[bool]:
    return and_(
        col(ClaimRow.thing) == claim.thing,
        col(ClaimRow.duty) == claim.duty,
        col(ClaimRow.holder) == claim.holder,
        col(ClaimRow.token) == claim.token,
    )
