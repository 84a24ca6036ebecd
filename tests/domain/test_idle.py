"""Idle spells and their reminders: evidence, once a rung, nothing on gaps and jumps, only by day."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.idle import IdleRule, is_waking, looked_at, reminder, shows_another
from bot.domain.lease import LeaseState, Want
from bot.domain.use import Activity, Use, UseSample, UseVerdict, verdict_of
from tests.domain.lifecycle.sample import NOW, handed_over

RULE = IdleRule(idle_after_s=1800, look_every_s=60)
IDLE = Use((0,), True, 0.02, 0, None, 0, 12)
BUSY = replace(IDLE, gpu_percent=(97,))
LEASE = handed_over(LeaseState.READY)
MINUTE = timedelta(minutes=1)


def after_looks(minutes: int, use: Use | None = IDLE, start: Activity | None = None, at: datetime = NOW) -> Activity:
    activity = start or Activity("lease1")
    for minute in range(minutes + 1):
        activity = looked_at(activity, use, LEASE, at + minute * MINUTE, RULE)
    return activity


def occasions(activity: Activity, now: datetime, zone: str = "UTC") -> list[str]:
    found = reminder(LEASE, activity, (), zone, now, RULE)
    return [found.occasion] if found else []


@pytest.mark.parametrize(
    ("use", "verdict"),
    [
        (IDLE, UseVerdict.IDLE),
        (BUSY, UseVerdict.BUSY),
        (None, UseVerdict.UNKNOWN),
        (replace(IDLE, gpu_percent=(4,)), UseVerdict.IDLE),
        (replace(IDLE, gpu_percent=(0, 5)), UseVerdict.BUSY),
        (replace(IDLE, gpu_percent=(None,)), UseVerdict.UNKNOWN),
        (replace(IDLE, gpu_percent=(None,), cpu_cores=3.0), UseVerdict.BUSY),
        (replace(IDLE, gpu_percent=()), UseVerdict.UNKNOWN),
        (replace(IDLE, gpus_seen=False), UseVerdict.UNKNOWN),
        (replace(IDLE, cpu_cores=None), UseVerdict.UNKNOWN),
        (replace(IDLE, cpu_cores=0.5), UseVerdict.BUSY),
        (replace(IDLE, jobs=1), UseVerdict.BUSY),
        (replace(IDLE, jobs=None), UseVerdict.UNKNOWN),
        (replace(IDLE, logins=1, typed_s_ago=30), UseVerdict.BUSY),
        (replace(IDLE, logins=1, typed_s_ago=3600), UseVerdict.IDLE),
        (replace(IDLE, logins=None), UseVerdict.UNKNOWN),
    ],
)
def test_what_one_look_amounts_to(use: Use | None, verdict: UseVerdict) -> None:
    assert verdict_of(use, 1, 90) is verdict


def test_a_reminder_comes_after_the_time_and_once_a_rung() -> None:
    assert occasions(after_looks(29), NOW + 29 * MINUTE) == []
    thirty = after_looks(30)
    assert thirty.idle_since == NOW
    [first] = occasions(thirty, NOW + 30 * MINUTE)
    assert occasions(after_looks(59), NOW + 59 * MINUTE) == [first]
    [second] = occasions(after_looks(60), NOW + 60 * MINUTE)
    assert occasions(after_looks(119), NOW + 119 * MINUTE) == [second]
    [third] = occasions(after_looks(120), NOW + 120 * MINUTE)
    assert len({first, second, third}) == 3


@pytest.mark.parametrize("use", [BUSY, replace(IDLE, jobs=1), replace(IDLE, logins=1, typed_s_ago=0), None])
def test_any_use_and_not_knowing_end_the_spell(use: Use | None) -> None:
    activity = looked_at(after_looks(40), use, LEASE, NOW + 41 * MINUTE, RULE)
    assert activity.idle_since is None
    assert occasions(activity, NOW + 41 * MINUTE) == []
    again = after_looks(1, start=activity, at=NOW + 42 * MINUTE)
    assert again.idle_since == NOW + 42 * MINUTE


@pytest.mark.parametrize("jump", [timedelta(hours=9), timedelta(minutes=4), timedelta(hours=-9), timedelta(seconds=-1)])
def test_a_gap_or_a_jump_of_the_clock_fires_nothing(jump: timedelta) -> None:
    at = NOW + 10 * MINUTE + jump
    activity = looked_at(after_looks(10), IDLE, LEASE, at, RULE)
    assert activity.idle_since == at
    assert activity.idle_s == 600
    assert occasions(activity, at) == []


def test_sums_are_of_what_was_seen() -> None:
    activity = after_looks(10)
    activity = after_looks(5, BUSY, activity, NOW + 11 * MINUTE)
    activity = after_looks(2, None, activity, NOW + 17 * MINUTE)
    assert (activity.idle_s, activity.busy_s, activity.unknown_s) == (600, 360, 180)
    assert activity.use == BUSY
    assert activity.seen_at == NOW + 16 * MINUTE


def test_keep_silences_and_then_the_spell_is_brought_up_again() -> None:
    activity = replace(after_looks(100), quiet_until=NOW + 100 * MINUTE)
    assert occasions(activity, NOW + 99 * MINUTE) == []
    [later] = occasions(activity, NOW + 100 * MINUTE)
    assert later not in occasions(replace(activity, quiet_until=None), NOW + 100 * MINUTE)


def test_only_a_ready_machine_that_nobody_is_leaving() -> None:
    activity, now = after_looks(40), NOW + 40 * MINUTE
    for lease in (handed_over(LeaseState.STOPPED), handed_over(LeaseState.READY, want=Want.RELEASED)):
        assert reminder(lease, activity, (), "UTC", now, RULE) is None


@pytest.mark.parametrize(
    ("hour", "zone", "waking"),
    [
        (7, "UTC", False),
        (8, "UTC", True),
        (21, "UTC", True),
        (22, "UTC", False),
        (7, "Europe/Berlin", True),
        (3, "America/New_York", False),
        (23, "Asia/Tokyo", True),
        (12, "Nowhere/Land", True),
        (12, "", True),
    ],
)
def test_waking_hours_are_the_owners(hour: int, zone: str, waking: bool) -> None:
    assert is_waking(datetime(2026, 1, 5, hour, 30, tzinfo=UTC), zone) is waking


def test_by_night_it_waits_for_the_morning() -> None:
    night = datetime(2026, 1, 5, 2, tzinfo=UTC)
    activity = after_looks(40, at=night)
    assert occasions(activity, night + 40 * MINUTE) == []
    morning = after_looks(6 * 60, at=night)
    assert len(occasions(morning, night + 6 * 60 * MINUTE)) == 1


def test_the_evidence() -> None:
    activity, now = after_looks(30), NOW + 30 * MINUTE
    samples = tuple(
        UseSample("lease1", NOW + n * MINUTE, UseVerdict.IDLE, replace(IDLE, gpu_percent=(n % 4,)))
        for n in range(-5, 31)
    )
    notice = reminder(LEASE, activity, samples, "UTC", now, RULE)
    assert notice is not None
    assert notice.at_most_once
    assert dict(notice.facts) == {
        "since": int(NOW.timestamp()), "idle_s": 1800, "looks": 31, "gpu_most": 3, "cores_most": 0.02, "logins": 0,
        "rate": 710_000, "idle_cost_microusd": 355_000,
    }  # fmt: skip


def test_a_card_is_drawn_anew_for_what_shows() -> None:
    assert shows_another(Activity("lease1"), after_looks(0, None))
    idle = after_looks(1)
    assert not shows_another(idle, looked_at(idle, IDLE, LEASE, NOW + 2 * MINUTE, RULE))
    assert shows_another(idle, looked_at(idle, BUSY, LEASE, NOW + 2 * MINUTE, RULE))
    assert shows_another(idle, looked_at(idle, None, LEASE, NOW + 2 * MINUTE, RULE))
