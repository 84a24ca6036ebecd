"""Where messages live: a channel, a thread in it, one message."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MessageRef:
    """One message: its channel and its id there."""

    channel: str
    ts: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody spoke: a channel and, within it, perhaps a thread (the id of its first message)."""

    channel: str
    thread_ts: str | None = None
