"""Quotes: a rent that waits for a button, with its whole cost."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from bot.domain.offers import Offer


class QuoteReason(StrEnum):
    """Why a person has to press a button first."""

    OVER_LIMIT = "over-limit"
    NEEDS_APPROVER = "needs-approver"
    SECOND_ONE = "second-one"


class QuoteState(StrEnum):
    """A quote is open until somebody presses, or it is too old."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class RentOrder:
    """Everything a rent consists of once an offer was found for it."""

    offer: Offer
    spare: tuple[Offer, ...]
    length_s: int
    disk_gib: int
    name: str | None
    quote_microusd: int
    disk: str | None = None
    """Id of the kept disk that it is rented with."""


@dataclass(frozen=True, slots=True)
class Quote:
    """One order that waits, from one person, in one channel."""

    id: str
    owner: str
    team_id: str
    channel: str
    order: RentOrder
    reason: QuoteReason
    asked_at: datetime
    expires_at: datetime
    state: QuoteState = QuoteState.OPEN
    answered_by: str | None = None
    lease_id: str | None = None

    def answered(self, state: QuoteState, by: str, lease_id: str | None = None) -> "Quote":
        """The quote with its answer."""
        return replace(self, state=state, answered_by=by, lease_id=lease_id)
