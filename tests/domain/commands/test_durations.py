"""Lengths and end times as people type them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.domain.durations import Duration, DurationFault, DurationProblem, parse_duration, parse_until

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 5, 4, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "duration_s"),
    [
        ("90m", 5_400),
        ("4h", 14_400),
        ("4H", 14_400),
        ("1d12h", 129_600),
        ("1d 12h", 129_600),
        ("1.5h", 5_400),
        (".5h", 1_800),
        ("2 h", 7_200),
        ("2 hours", 7_200),
        ("1 day 12 hrs", 129_600),
        ("1h30", 5_400),
        ("1h30m", 5_400),
        ("1w", 604_800),
        ("300s", 300),
        ("5m", 300),
        ("60d", 60 * 86_400),
    ],
)
def test_understood(text: str, duration_s: int) -> None:
    assert parse_duration(text) == Duration(duration_s)


@pytest.mark.parametrize(
    ("text", "fault", "suggestion"),
    [
        ("", DurationFault.NOT_A_DURATION, ""),
        ("h", DurationFault.NOT_A_DURATION, ""),
        ("soon", DurationFault.NOT_A_DURATION, ""),
        ("-4h", DurationFault.NOT_A_DURATION, ""),
        ("1h1h", DurationFault.NOT_A_DURATION, ""),
        ("30m1h", DurationFault.NOT_A_DURATION, ""),
        ("1.2.3h", DurationFault.NOT_A_DURATION, ""),
        ("٤h", DurationFault.NOT_A_DURATION, ""),
        ("9" * 5_000 + "h", DurationFault.NOT_A_DURATION, ""),
        ("4", DurationFault.NO_UNIT, "4h"),
        ("1,5h", DurationFault.DECIMAL_COMMA, "1.5h"),
        ("1,500m", DurationFault.DECIMAL_COMMA, ""),
        ("4m", DurationFault.TOO_SHORT, ""),
        ("299s", DurationFault.TOO_SHORT, ""),
        ("0h", DurationFault.TOO_SHORT, ""),
        ("61d", DurationFault.TOO_LONG, ""),
        ("999999999999h", DurationFault.TOO_LONG, ""),
    ],
)
def test_refused(text: str, fault: DurationFault, suggestion: str) -> None:
    assert parse_duration(text) == DurationProblem(fault, text, suggestion)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("18:00", "2026-05-04T16:00Z"),
        ("6pm", "2026-05-04T16:00Z"),
        ("6:30 PM", "2026-05-04T16:30Z"),
        ("11:59", "2026-05-05T09:59Z"),
        ("12:00", "2026-05-05T10:00Z"),
        ("noon", "2026-05-05T10:00Z"),
        ("midnight", "2026-05-04T22:00Z"),
        ("24:00", "2026-05-04T22:00Z"),
        ("12am", "2026-05-04T22:00Z"),
        ("12pm", "2026-05-05T10:00Z"),
        ("tomorrow 9:00", "2026-05-05T07:00Z"),
        ("today 18:00", "2026-05-04T16:00Z"),
    ],
)
def test_until_on_the_askers_clock(text: str, end: str) -> None:
    moment = datetime.fromisoformat(end)
    assert parse_until(text, NOON, BERLIN) == Duration(int((moment - NOON).total_seconds()), moment)


@pytest.mark.parametrize(
    ("text", "fault", "suggestion"),
    [
        ("", DurationFault.NOT_A_TIME, ""),
        ("18", DurationFault.NOT_A_TIME, "until 18:00"),
        ("25:00", DurationFault.NOT_A_TIME, ""),
        ("18:60", DurationFault.NOT_A_TIME, ""),
        ("13pm", DurationFault.NOT_A_TIME, ""),
        ("0am", DurationFault.NOT_A_TIME, ""),
        ("²:00", DurationFault.NOT_A_TIME, ""),
        ("tomorrow", DurationFault.NOT_A_TIME, ""),
        ("today 9:00", DurationFault.TIME_PAST, ""),
    ],
)
def test_until_refused(text: str, fault: DurationFault, suggestion: str) -> None:
    assert parse_until(text, NOON, BERLIN) == DurationProblem(fault, text, suggestion)


def test_until_is_never_a_second_before_what_was_named() -> None:
    late = NOON.replace(hour=15, minute=53, second=20, microsecond=400_000)
    assert parse_until("18:00", late, BERLIN) == Duration(400, NOON.replace(hour=16))


def test_until_a_moment_too_near() -> None:
    assert parse_until("12:04", NOON, BERLIN) == DurationProblem(DurationFault.TOO_SHORT, "until 12:04")


def _hours_until(text: str, now: str, zone: str = "Europe/Berlin") -> float | DurationFault:
    parsed = parse_until(text, datetime.fromisoformat(now), ZoneInfo(zone))
    return parsed.duration_s / 3600 if isinstance(parsed, Duration) else parsed.fault


@pytest.mark.parametrize(
    ("text", "now", "hours"),
    [
        # Berlin, 29 March 2026: 02:00 becomes 03:00.
        ("03:00", "2026-03-29T00:00Z", 1),
        ("18:00", "2026-03-28T17:00Z", 23),
        ("02:30", "2026-03-29T00:00Z", DurationFault.TIME_SKIPPED),
        ("02:30", "2026-03-28T12:00Z", DurationFault.TIME_SKIPPED),
        ("02:30", "2026-03-29T01:10Z", 23 + 20 / 60),
        # 25 October 2026: 03:00 becomes 02:00, so that 02:30 is shown at 00:30Z and at 01:30Z.
        ("02:30", "2026-10-24T23:00Z", 1.5),
        ("02:30", "2026-10-25T00:40Z", 50 / 60),
        ("02:30", "2026-10-25T01:40Z", 23 + 50 / 60),
        ("18:00", "2026-10-24T16:00Z", 25),
        ("tomorrow 02:30", "2026-10-24T12:00Z", 12.5),
    ],
)
def test_clocks_that_are_put_forward_and_back(text: str, now: str, hours: float | DurationFault) -> None:
    found = _hours_until(text, now)
    assert found == (hours if isinstance(hours, DurationFault) else pytest.approx(hours))


def test_zones_with_odd_offsets() -> None:
    assert _hours_until("18:00", "2026-05-04T10:00Z", "Asia/Kathmandu") == pytest.approx(2.25)
