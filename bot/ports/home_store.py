"""The port to what is stored about homes, and to where they are published."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol

from bot.domain.home import Home, HomeView


class HomeStore(Protocol):
    """Homes that people have opened. What is written about one that was opened again meanwhile is dropped: what its
    person then saw there is newer."""

    def opened(self, user: str, team_id: str, at: datetime, content: str) -> None:
        """Somebody looks at theirs. ``content`` is the hash of what they see there: what was published last may
        have been replaced since. Of two looks in a row that saw different things nobody knows which came first, as
        events overtake each other: then what they see is not known."""
        ...

    def get(self, user: str) -> Home | None: ...
    def open(self, since: datetime) -> tuple[Home, ...]:
        """Those opened since then, by person."""
        ...

    def news(self, users: Collection[str], approvers: Collection[str], now: datetime) -> Mapping[str, str]:
        """Per person a text that differs as soon as anything differs that their home shows, figures left out.
        ``approvers`` see the team's machines as well. Compares what is counted anyhow; every asked person is a
        key."""
        ...

    def looked(self, home: Home, news: str, at: datetime) -> None:
        """Nothing had to be published."""
        ...

    def shown(self, home: Home, content: str, states: str, news: str, at: datetime) -> None:
        """It was published."""
        ...

    def postpone(self, home: Home, until: datetime) -> None:
        """One more try later."""
        ...

    def forget(self, user: str) -> None:
        """Somebody may not look any more: nothing is published for them."""
        ...


class GreetingStore(Protocol):
    """Channels that were greeted, for good."""

    def first_time(self, channel: str, now: datetime) -> bool:
        """True exactly once per channel, if the transaction is committed."""
        ...


class HomePublisher(Protocol):
    """Shows people their homes."""

    def publish(self, view: HomeView, content: str) -> str:
        """Publish it unless ``content`` says that it looks like that already; the hash of how it looks now.

        Raises:
            SlackBusy: not now.
            NotifierError: this person has no home.
        """
        ...
