"""Tables of people's homes in the app, and of the channels that were greeted."""

from datetime import datetime

from sqlmodel import Field

from storage.columns import Moment
from storage.tables.base import Row


class HomeRow(Row, table=True):
    """A `Home`."""

    __tablename__ = "homes"

    user: str = Field(primary_key=True)
    team_id: str
    opened_at: datetime = Field(sa_type=Moment, index=True)
    content: str
    states: str
    news: str
    shown_at: datetime | None = Field(sa_type=Moment)
    looked_at: datetime | None = Field(sa_type=Moment)
    next_try_at: datetime | None = Field(sa_type=Moment)
    attempts: int


class GreetingRow(Row, table=True):
    """A channel that was greeted; kept for good, so that none is greeted twice."""

    __tablename__ = "greetings"

    channel: str = Field(primary_key=True)
    greeted_at: datetime = Field(sa_type=Moment)
