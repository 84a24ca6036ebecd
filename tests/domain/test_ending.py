"""A lease's end: when its owner hears of it, when it is asked about, what may be stopped; and clocks that jump."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.ending import AskForRelease, AtWork, EndRule, Remind, StopUnused, asks_at, next_ending
from bot.domain.idle import IdleRule, asks
from bot.domain.instance import Capabilities, Keeps
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.question import Cause, Question, QuestionState
from bot.domain.steady import HOLD_S, Steady
from bot.domain.use import Activity, Use, UseVerdict
from bot.domain.waking import evening_before, is_waking, next_waking
from tests.domain.lifecycle.sample import NOW, handed_over, lease, question

S, Q = LeaseState, QuestionState
HOUR = timedelta(hours=1)
RULE = EndRule()
ABLE = Capabilities(True, Keeps.ALL, Keeps.NOTHING, False, False, 60, 1, "work", ".mark", simulated=True)
LEFT = AtWork(0, 0, None, is_unused=True)
BUSY = AtWork(0, 0, None, is_unused=False)


def ending(
    lease: Lease, asked: Question | None = None, work: AtWork = BUSY, zone: str = "UTC", **more: object
) -> object:
    now, able, rule = more.get("now", NOW), more.get("able", ABLE), more.get("rule", RULE)
    return next_ending(lease, asked, work, able, zone, now, rule)  # type: ignore[arg-type]


def rented(hours: float, ends_at: datetime, **more: object) -> Lease:
    launched = ends_at - timedelta(hours=hours)
    return handed_over(S.READY, ends_at=ends_at, length_s=int(hours * 3600), launched_at=launched, **more)


def asked_at_end(
    state: QuestionState = Q.OPEN, hours_ago: float = 1, answered_hours_ago: float | None = None
) -> Question:
    at = None if answered_hours_ago is None else NOW - answered_hours_ago * HOUR
    fresh = replace(question(state), asked_by="gpubot", asked_at=NOW - hours_ago * HOUR, cause=Cause.LEASE_END)
    return replace(fresh, answered_at=at, answered_by="U1" if at else None)


@pytest.mark.parametrize(
    ("hours", "left_minutes", "is_due"),
    [
        (4, 30, False),
        (4, 24.1, False),
        (4, 24, True),  # a tenth
        (1, 16, False),
        (1, 15, True),  # a quarter of an hour at least
        (0.25, 10, False),
        (0.25, 7, True),  # but no more than half
        (100, 9.9 * 60, True),
    ],
)
def test_its_owner_hears_of_it_beforehand(hours: float, left_minutes: float, is_due: bool) -> None:
    ends_at = NOW + timedelta(minutes=left_minutes)
    found = ending(rented(hours, ends_at))
    assert isinstance(found, Remind) is is_due
    if isinstance(found, Remind):
        assert found.occasion == f"ends-soon:lease1:{ends_at.isoformat()}", "once for this end"


@pytest.mark.parametrize(
    ("rented_at", "hours", "told_at"),
    [
        ("2026-11-30T10:00", 17, "2026-11-30T21:30"),  # ends at 3: the evening before
        ("2026-11-30T10:00", 24, "2026-12-01T08:00"),  # 7:36 is still night; it ends at 10
        ("2026-11-30T10:00", 11.8, "2026-11-30T20:37"),
        ("2026-11-30T23:00", 2, "2026-12-01T00:45"),  # who rents by night is up
    ],
)
def test_it_is_said_by_day_where_it_can_be(rented_at: str, hours: float, told_at: str) -> None:
    began, told = (datetime.fromisoformat(at).replace(tzinfo=UTC) for at in (rented_at, told_at))
    one = rented(hours, began + hours * HOUR)
    minutes = [began + timedelta(minutes=m) for m in range(int(hours * 60))]
    first = next(at for at in minutes if ending(one, now=at) is not None)
    assert abs(first - told) <= timedelta(minutes=1)


def test_at_the_end_it_is_asked_once_whatever_runs() -> None:
    over = rented(4, NOW)
    assert ending(over) == AskForRelease()
    assert ending(over, work=AtWork(3, 0, None, is_unused=False)) == AskForRelease()
    for state in (Q.LOOKING, Q.OPEN, Q.SAVING, Q.YES, Q.CLEAN):
        assert ending(over, asked_at_end(state, 0)) is None, "one live question"


@pytest.mark.parametrize(
    "lease",
    [
        rented(4, NOW, want=Want.RELEASED),
        handed_over(S.BOOTING, ends_at=NOW),
        handed_over(S.RELEASING, ends_at=NOW),
        lease(S.UNFIT, ends_at=NOW),
        rented(4, NOW + 3 * HOUR),
    ],
)
def test_nothing_is_asked_about_what_has_not_ended_or_is_on_its_way(lease: Lease) -> None:
    assert ending(lease) is None


def test_after_a_no_it_is_asked_again_much_later_and_by_day() -> None:
    ends_at = NOW - 3 * HOUR
    over, no = rented(4, ends_at), asked_at_end(Q.NO, 3, 2)
    assert ending(over, no) is None
    assert no.answered_at is not None
    assert asks_at(ends_at, no, "UTC", RULE) == no.answered_at + 8 * HOUR  # 18:00
    assert asks_at(ends_at, no, "Asia/Tokyo", RULE) == datetime(2026, 11, 30, 23, tzinfo=UTC)  # 8:00 there
    assert ending(over, no, now=NOW + 6 * HOUR) == AskForRelease()
    assert ending(over, no, zone="Asia/Tokyo", now=NOW + 6 * HOUR) is None


def test_a_no_from_before_the_end_does_not_hold_it_up() -> None:
    before = replace(asked_at_end(Q.NO, 3, 2), cause=None)
    assert ending(rented(4, NOW), before) == AskForRelease()


def test_a_longer_lease_has_another_end() -> None:
    no = asked_at_end(Q.NO, 1, 0.5)
    assert ending(rented(5, NOW + timedelta(minutes=1)), no) is not None
    assert ending(rented(5, NOW), no) == AskForRelease(), "its new end is asked about without delay"


@pytest.mark.parametrize(
    ("work", "able", "hours_ago", "is_stopped"),
    [
        (LEFT, ABLE, 0.5, True),
        (LEFT, ABLE, 0.49, False),
        (BUSY, ABLE, 5, False),
        (AtWork(1, 0, None, is_unused=True), ABLE, 5, False),  # no job is cut by a clock
        (AtWork(0, 1, None, is_unused=True), ABLE, 5, False),
        (AtWork(0, 0, Activity("lease1", quiet_until=NOW + HOUR), is_unused=True), ABLE, 5, False),
        (LEFT, replace(ABLE, stop_keeps=Keeps.DATA), 5, False),
        (LEFT, replace(ABLE, can_stop=False), 5, False),
        (LEFT, None, 5, False),
    ],
)
def test_only_what_loses_nothing_is_stopped(
    work: AtWork, able: Capabilities | None, hours_ago: float, is_stopped: bool
) -> None:
    over = rented(8, NOW - 6 * HOUR)
    assert (ending(over, asked_at_end(hours_ago=hours_ago), work, able=able) == StopUnused()) is is_stopped


@pytest.mark.parametrize("state", [Q.LOOKING, Q.SAVING, Q.YES, Q.CLEAN, Q.NO])
def test_an_answer_or_the_policy_keeps_it_running(state: QuestionState) -> None:
    answered = asked_at_end(state, 5, 0.1 if state is Q.NO else None)
    assert ending(rented(8, NOW - 6 * HOUR), answered, LEFT) is None
    over = rented(8, NOW - 6 * HOUR)
    assert ending(over, asked_at_end(hours_ago=5), LEFT, rule=EndRule(stops_unused=False)) is None


@pytest.mark.parametrize(
    ("jump_s", "went_on_s", "is_steady"),
    [
        (0, 3600, True),
        (5, 0, True),
        (86_400, 0, False),
        (-86_400, 0, False),
        (86_400, HOLD_S - 1, False),
        (600, HOLD_S, True),
    ],
)
def test_after_a_jump_no_rule_goes_by_the_clock_for_a_while(jump_s: float, went_on_s: float, is_steady: bool) -> None:
    clock = Steady(NOW, 100).read(NOW + timedelta(seconds=60 + jump_s), 160)
    later = clock.read(clock.at + timedelta(seconds=went_on_s), 160 + went_on_s)
    assert later.is_steady is is_steady


def test_waking_hours_are_the_owners() -> None:
    assert is_waking(NOW, "UTC")
    assert not is_waking(NOW, "Asia/Tokyo".replace("Tokyo", "Kamchatka"))
    assert next_waking(NOW, "Mars/Phobos") == NOW
    spring = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)  # Berlin's clocks go forward an hour later
    assert next_waking(spring, "Europe/Berlin") == datetime(2026, 3, 29, 6, tzinfo=UTC)
    assert evening_before(spring, "Europe/Berlin") == datetime(2026, 3, 28, 20, 30, tzinfo=UTC)


IDLE = IdleRule(idle_after_s=1800, look_every_s=60, ask_after_s=4 * 3600)


def unused(hours: float, **more: object) -> Activity:
    fields: dict[str, object] = {"verdict": UseVerdict.IDLE, "use": Use((0,)), "idle_since": NOW - hours * HOUR}
    return Activity("lease1", looked_at=NOW, **(fields | more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("activity", "asked", "zone", "rule", "is_asked"),
    [
        (unused(5), None, "UTC", IDLE, True),
        (unused(5), None, "UTC", replace(IDLE, ask_after_s=None), False),
        (unused(3.9), None, "UTC", IDLE, False),
        (unused(5, verdict=UseVerdict.UNKNOWN), None, "UTC", IDLE, False),
        (unused(5, quiet_until=NOW + HOUR), None, "UTC", IDLE, False),
        (unused(5, quiet_until=NOW - HOUR), None, "UTC", IDLE, False),  # kept until an hour ago
        (unused(10), None, "Asia/Tokyo", IDLE, True),  # 21:00 there
        (unused(10), None, "Asia/Vladivostok", IDLE, False),  # 22:00 there
        (unused(9), None, "America/Los_Angeles", IDLE, False),  # 4:00 there
        (unused(9), None, "America/Bogota", IDLE, False),  # 7:00 there
        (unused(9), None, "America/Caracas", IDLE, False),  # 8:00 there: a reminder comes first
        (unused(9), None, "America/Santiago", IDLE, True),  # 9:00 there
        (unused(5), asked_at_end(Q.OPEN), "UTC", IDLE, False),
        (unused(9), asked_at_end(Q.NO, 5, 3.9), "UTC", IDLE, False),
        (unused(9), asked_at_end(Q.NO, 5, 4), "UTC", IDLE, True),
    ],
)
def test_idleness_asks_after_reminders_by_day(
    activity: Activity, asked: Question | None, zone: str, rule: IdleRule, is_asked: bool
) -> None:
    assert asks(handed_over(S.READY), activity, asked, zone, NOW, rule) is is_asked
