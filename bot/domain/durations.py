"""How long: lengths and end times as people type them, in whole seconds."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from math import ceil
from zoneinfo import ZoneInfo

MIN_DURATION_S = 5 * 60
MAX_DURATION_S = 60 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Duration:
    """A length in whole seconds.

    ``until`` (UTC) is set when the person named an end: then ``duration_s`` counts from the moment of asking,
    and whoever lengthens something that already has an end should use ``until`` instead.
    """

    duration_s: int
    until: datetime | None = None


class DurationFault(StrEnum):
    """Why a text is no duration."""

    NOT_A_DURATION = "not-a-duration"
    NO_UNIT = "no-unit"
    DECIMAL_COMMA = "decimal-comma"
    TOO_SHORT = "too-short"
    TOO_LONG = "too-long"
    NOT_A_TIME = "not-a-time"
    TIME_PAST = "time-past"
    TIME_SKIPPED = "time-skipped"


@dataclass(frozen=True, slots=True)
class DurationProblem:
    """A text that is no duration; ``suggestion`` is a text that would be one, where there is a likely one."""

    fault: DurationFault
    word: str
    suggestion: str = ""


_UNIT_S = {"w": 7 * 86400, "d": 86400, "h": 3600, "m": 60, "s": 1}
_NUMBER = r"(?:[0-9]{1,12}(?:[.,][0-9]{1,9})?|\.[0-9]{1,9})"
_PARTS = tuple(
    rf"(?:(?P<{unit}>{_NUMBER})(?:{words}))?"
    for unit, words in {
        "w": "weeks?|wk|w",
        "d": "days?|d",
        "h": "hours?|hrs?|h",
        "m": "minutes?|mins?|m",
        "s": "seconds?|secs?|s",
    }.items()
)
_LENGTH = re.compile("".join(_PARTS))
_HOURS_MINUTES = re.compile(r"([0-9]{1,4})h([0-5][0-9])")
_BARE_NUMBER = re.compile(_NUMBER)
_UNIT_WORD = re.compile("weeks?|wk|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s")
_CLOCK = re.compile(r"(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{2}))? ?(?P<half>am|pm)?")
_NAMED_TIMES = {"noon": time(12), "midnight": time(0)}
_DAYS = {"today": 0, "tomorrow": 1}


def is_length(word: str) -> bool:
    """Whether ``word`` has the shape of a length (``4h``, ``1d12h``, ``1,5h``), whatever its size."""
    folded = word.lower()
    return bool(folded) and bool(_LENGTH.fullmatch(folded) or _HOURS_MINUTES.fullmatch(folded))


def is_bare_number(word: str) -> bool:
    """Whether ``word`` is a number without a unit."""
    return bool(_BARE_NUMBER.fullmatch(word))


def is_unit(word: str) -> bool:
    """Whether ``word`` is a unit alone, as in ``2 hours``."""
    return bool(_UNIT_WORD.fullmatch(word.lower()))


def parse_duration(
    text: str, *, min_s: int = MIN_DURATION_S, max_s: int = MAX_DURATION_S
) -> Duration | DurationProblem:
    """Read ``90m``, ``4h``, ``1d12h``, ``1.5h``, ``2 hours``, ``1h30``; largest unit first, each once.

    Never raises. A decimal comma is refused with the point put in: ``1,500m`` means two things.
    """
    word = text.strip()
    folded = "".join(word.lower().split())
    if short := _HOURS_MINUTES.fullmatch(folded):
        folded = f"{short[1]}h{short[2]}m"
    found = _LENGTH.fullmatch(folded)
    if not folded or found is None:
        if is_bare_number(folded):
            return DurationProblem(DurationFault.NO_UNIT, word, _with_hours(folded))
        return DurationProblem(DurationFault.NOT_A_DURATION, word)
    if "," in folded:
        thousands = re.search(r",[0-9]{3}(?![0-9])", folded)
        return DurationProblem(DurationFault.DECIMAL_COMMA, word, "" if thousands else folded.replace(",", "."))
    duration_s = round(sum(Decimal(number) * _UNIT_S[unit] for unit, number in found.groupdict().items() if number))
    return _within(Duration(duration_s), word, min_s, max_s)


def parse_until(
    text: str,
    now: datetime,
    tz: ZoneInfo,
    *,
    min_s: int = MIN_DURATION_S,
    max_s: int = MAX_DURATION_S,
) -> Duration | DurationProblem:
    """Read what follows ``until``: ``18:00``, ``6pm``, ``noon``, ``tomorrow 9:00``, on the asker's clock.

    It is the next moment at which that clock shows the time, the first of two when it is put back; a time
    that the clock jumps over is refused. Seconds are true ones, whatever the clock does in between.

    ``now`` is aware. Never raises.
    """
    word = " ".join(text.lower().split())
    day, _, rest = word.partition(" ")
    clock = rest if day in _DAYS else word
    wall = _wall_time(clock)
    if wall is None:
        bare_hour = clock.isascii() and clock.isdigit() and int(clock[:4]) < 24
        return DurationProblem(DurationFault.NOT_A_TIME, word, f"until {int(clock[:4])}:00" if bare_hour else "")
    end = _next_showing(wall, _DAYS.get(day), now, tz)
    if isinstance(end, DurationFault):
        return DurationProblem(end, word)
    return _within(Duration(whole_seconds(now.astimezone(UTC), end), end), f"until {word}", min_s, max_s)


def whole_seconds(start: datetime, end: datetime) -> int:
    """How long it is from ``start`` to ``end``: what begins then lasts that long at least."""
    return ceil((end - start).total_seconds())


def _within(duration: Duration, word: str, min_s: int, max_s: int) -> Duration | DurationProblem:
    if duration.duration_s < min_s:
        return DurationProblem(DurationFault.TOO_SHORT, word)
    if duration.duration_s > max_s:
        return DurationProblem(DurationFault.TOO_LONG, word)
    return duration


def _with_hours(number: str) -> str:
    return f"{number}h" if number.isdigit() and len(number) <= 3 else ""


def _wall_time(clock: str) -> time | None:
    if clock in _NAMED_TIMES:
        return _NAMED_TIMES[clock]
    found = _CLOCK.fullmatch(clock)
    if found is None or not (found["minute"] or found["half"]):
        return None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["half"] == "pm" else 0)
    if (hour, minute) == (24, 0):
        hour = 0
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _next_showing(wall: time, day: int | None, now: datetime, tz: ZoneInfo) -> datetime | DurationFault:
    here = now.astimezone(tz).replace(tzinfo=None)
    for days_ahead in (0, 1, 2) if day is None else (day,):
        naive = datetime.combine(here.date() + timedelta(days=days_ahead), wall)
        # fold 0 and 1 are the two showings of an hour that the clock goes through twice
        for fold in (0, 1):
            moment = naive.replace(tzinfo=tz, fold=fold).astimezone(UTC)
            if moment.astimezone(tz).replace(tzinfo=None) != naive:
                if here < naive:
                    return DurationFault.TIME_SKIPPED
            elif moment > now:
                return moment
    return DurationFault.TIME_PAST
