"""Waking hours: when somebody may be spoken to, by the clock of where they are (an IANA name; unknown ones are UTC)."""

from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

WAKING_HOURS: Final = range(8, 22)
LAST_WORD: Final = time(21, 30)
"""What comes by night is told at this time of the evening before."""


def is_waking(now: datetime, zone: str) -> bool:
    """Whether it is a time of day to be spoken to."""
    return now.astimezone(_zone(zone)).hour in WAKING_HOURS


def next_waking(then: datetime, zone: str) -> datetime:
    """``then``, or the next morning where that is in the night."""
    local = then.astimezone(_zone(zone))
    if local.hour in WAKING_HOURS:
        return then
    day = local.date() if local.hour < WAKING_HOURS.start else local.date() + timedelta(days=1)
    return datetime.combine(day, time(WAKING_HOURS.start), local.tzinfo).astimezone(UTC)


def evening_before(then: datetime, zone: str) -> datetime:
    """The last good moment before the night that ``then`` lies in."""
    local = then.astimezone(_zone(zone))
    day = local.date() if local.hour >= WAKING_HOURS.stop else local.date() - timedelta(days=1)
    return datetime.combine(day, LAST_WORD, local.tzinfo).astimezone(UTC)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")
