"""The store of claims."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import Executable, and_, update
from sqlmodel import col, select

from bot.domain.claim import Claim, Duty
from bot.errors import ClaimLost
from storage.columns import storable
from storage.mapping import columns_of, table_of
from storage.shelf import Shelf, given, insert_into
from storage.tables import ClaimRow

_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
_IS: Final = and_(
    col(ClaimRow.thing) == given("its_thing"),
    col(ClaimRow.duty) == given("its_duty"),
    col(ClaimRow.holder) == given("its_holder"),
    col(ClaimRow.token) == given("its_token"),
)
_HELD: Final = select(ClaimRow.token).where(_IS).with_for_update(read=True)
_GIVE_BACK: Final = update(table_of(ClaimRow)).where(_IS).values(holder="", expires_at=_LONG_AGO)


@cache
def _take(dialect: str) -> Executable:
    new = insert_into(ClaimRow, dialect)
    return new.on_conflict_do_update(
        index_elements=[col(ClaimRow.thing), col(ClaimRow.duty)],
        set_={"holder": new.excluded.holder, "token": col(ClaimRow.token) + 1, "expires_at": new.excluded.expires_at},
        where=col(ClaimRow.expires_at) <= given("now"),
    ).returning(col(ClaimRow.token))


class SqlClaims(Shelf):
    """Claims in the database, a row per (thing, duty) for ever, so that no token comes twice."""

    def take(self, thing: str, duty: Duty, holder: str, now: datetime, ttl: timedelta) -> Claim | None:
        """The claim, with a token larger than any before it; None where one is alive, also one of the same holder."""
        claim = Claim(thing, duty, holder, 1, now + ttl)
        token = self._ask(_take(self._dialect), {**columns_of(claim), "now": now}).scalar()
        return None if token is None else replace(claim, token=token)

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
        if self._ask(_HELD, _key(claim)).first() is None:
            raise ClaimLost(claim.thing, claim.duty)

    def drop(self, claim: Claim) -> None:
        """Give it back; harmless when it is lost already."""
        self._ask(_GIVE_BACK, _key(claim))


def _key(claim: Claim) -> dict[str, Any]:
    return {
        "its_thing": storable(claim.thing),
        "its_duty": claim.duty,
        "its_holder": storable(claim.holder),
        "its_token": claim.token,
    }
