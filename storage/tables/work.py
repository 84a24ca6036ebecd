"""Tables of claims, price lists, people's keys and the audit."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field, col

from bot.domain.claim import Duty
from bot.domain.offers import Offer
from bot.domain.problem import Facts
from storage.columns import Moment, Value, Word
from storage.tables.base import SERIAL, Row


class ClaimRow(Row, table=True):
    """A `Claim`. The row outlives it: its token is never used again."""

    __tablename__ = "claims"

    thing: str = Field(primary_key=True)
    duty: Duty = Field(sa_type=Word(Duty), primary_key=True)
    holder: str = Field(index=True)
    token: int
    expires_at: datetime = Field(sa_type=Moment)


class KeyRow(Row, table=True):
    """A `PublicKey`."""

    __tablename__ = "public_keys"
    __table_args__ = (UniqueConstraint("user", "fingerprint"),)

    id: int = Field(sa_type=SERIAL, primary_key=True)
    user: str
    line: str
    fingerprint: str
    comment: str
    added_at: datetime = Field(sa_type=Moment)


class SecretRow(Row, table=True):
    """A `KeptSecret`."""

    __tablename__ = "secrets"

    owner: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    sealed: str
    set_at: datetime = Field(sa_type=Moment)


class OfferSheetRow(Row, table=True):
    """An `OfferSheet`."""

    __tablename__ = "offer_sheets"

    provider: str = Field(primary_key=True)
    offers: tuple[Offer, ...] = Field(sa_type=Value(tuple[Offer, ...]))
    read_at: datetime | None = Field(sa_type=Moment)
    fault: str | None


class AuditRow(Row, table=True):
    """An `AuditEntry`."""

    __tablename__ = "audit"

    id: int = Field(sa_type=SERIAL, primary_key=True)
    at: datetime = Field(sa_type=Moment)
    actor: str
    action: str
    lease_id: str | None
    facts: Facts = Field(sa_type=Value(Facts))


Index("ix_audit_lease_id_id", col(AuditRow.lease_id), col(AuditRow.id))
