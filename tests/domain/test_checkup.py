"""What a checkup makes of what it saw."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.checklist import Verdict
from bot.domain.checkup import Finding, Group, Kind, about_apps, about_clock, about_scopes, failed

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(("ahead_s", "kind"), [(0, Kind.CLOCK), (-60, Kind.CLOCK), (61, Kind.CLOCK_OFF)])
def test_a_clock_more_than_a_minute_off_is_said(ahead_s: float, kind: Kind) -> None:
    assert about_clock(NOW + timedelta(seconds=ahead_s), NOW).kind is kind


def test_a_clock_that_is_off_says_in_which_way() -> None:
    late = about_clock(NOW - timedelta(hours=2), NOW)
    assert late.facts == {"off_s": 7200.0, "way": "behind"}
    assert about_clock(NOW, None).verdict is Verdict.UNKNOWN


def test_two_apps_fail_and_not_knowing_does_not() -> None:
    assert about_apps("A1", "A1").verdict is Verdict.OK
    assert about_apps("A1", "A2").verdict is Verdict.FAIL
    assert about_apps("", "A2").verdict is Verdict.UNKNOWN


def test_scopes_that_slack_does_not_tell_are_neither_missing_nor_granted() -> None:
    assert [finding.kind for finding in about_scopes(None, {"chat:write"})] == [Kind.SCOPES_UNKNOWN]
    assert [finding.kind for finding in about_scopes((), {"chat:write"})] == [Kind.SCOPE_MISSING]


def test_only_what_fails_fails_a_checkup() -> None:
    def of(verdict: Verdict) -> Finding:
        return Finding(Group.SLACK, Kind.CLOCK, verdict)

    assert not failed([of(Verdict.OK), of(Verdict.WARN), of(Verdict.UNKNOWN)])
    assert failed([of(Verdict.OK), of(Verdict.FAIL)])
