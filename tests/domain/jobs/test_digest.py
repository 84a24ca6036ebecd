"""What findings make of jobs."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.jobs.digest import JobOutcome, begin_start, digest
from bot.domain.jobs.ending import EndingKind
from bot.domain.jobs.events import JobEventKind
from bot.domain.jobs.findings import Finding, MachineEnded, Reported, Unseen, Withdrawn
from bot.domain.jobs.job import MOVES, Job, JobState
from bot.domain.jobs.status import ExitRecord, Report, Seen
from tests.domain.jobs.samples import NOON, TIMING, at, job, report

J, E = JobState, JobEventKind


def after(one: Job, finding: Finding, now: datetime = NOON) -> JobOutcome:
    return digest(one, finding, now, TIMING)


def kinds(outcome: JobOutcome) -> list[JobEventKind]:
    return [event.kind for event in outcome.events]


def test_from_the_wish_to_the_end() -> None:
    one = begin_start(job(J.REQUESTED), NOON)
    assert (one.state, one.next_look_at) == (J.STARTING, NOON)
    outcome = after(one, Reported(report(Seen.STARTING)), at(1))
    assert (outcome.job.state, outcome.job.accepted_at, outcome.job.sealed_env) == (J.STARTING, at(1), "")
    running = report(Seen.RUNNING, started_ago_s=1.5, directory="/w", commit="c0ffee", size_bytes=3, output=b"abc")
    outcome = after(outcome.job, Reported(running), at(3))
    assert (kinds(outcome), outcome.output) == ([E.STARTED], b"abc")
    one = outcome.job
    assert (one.state, one.started_at, one.cwd, one.commit, one.offset_bytes) == (J.RUNNING, at(1.5), "/w", "c0ffee", 3)
    ended = report(Seen.ENDED, exit=ExitRecord(code=3, ran_s=60.5), ended_ago_s=2, size_bytes=3)
    outcome = after(one, Reported(ended), at(70))
    assert (kinds(outcome), outcome.job.ended_at, outcome.job.ran_s) == ([E.ENDED], at(68), 60.5)
    assert outcome.events[0].facts["exit_code"] == 3
    assert outcome.job.next_look_at is None
    again = after(outcome.job, Reported(ended), at(80))
    assert (kinds(again), again.job.version) == ([], outcome.job.version)


def test_each_byte_once() -> None:
    one = job(size_bytes=0)
    first = after(one, Reported(report(Seen.RUNNING, size_bytes=6, output=b"abc")))
    assert (first.output, first.job.offset_bytes, first.job.next_look_at) == (b"abc", 3, NOON)
    repeated = after(first.job, Reported(report(Seen.RUNNING, size_bytes=6, output=b"abc")))
    assert (repeated.output, repeated.job.offset_bytes) == (b"", 3)
    ended = after(first.job, Reported(report(Seen.ENDED, size_bytes=6)))
    assert (ended.job.state, ended.job.next_look_at, ended.job.has_unread_output) == (J.ENDED, NOON, True)
    rest = after(ended.job, Reported(report(Seen.ENDED, size_bytes=6, offset_bytes=3, output=b"def")))
    assert (rest.output, rest.job.has_unread_output, rest.job.next_look_at, rest.events) == (b"def", False, None, ())


def test_an_emptied_log_is_said_and_read_anew() -> None:
    outcome = after(job(offset_bytes=9, size_bytes=9), Reported(report(Seen.RUNNING, size_bytes=4, offset_bytes=9)))
    assert (kinds(outcome), outcome.job.offset_bytes, outcome.output) == ([E.OUTPUT_CUT], 0, b"")
    gone = after(job(offset_bytes=9, size_bytes=9), Reported(report(Seen.RUNNING, size_bytes=None)))
    assert (gone.job.offset_bytes, gone.job.has_unread_output) == (9, False)


def test_silence_is_unknown_and_never_an_end() -> None:
    one, seen = job(), []
    for attempt in range(1, 6):
        outcome = after(one, Unseen("unreachable", "tcp"), at(10 * attempt))
        one, seen = outcome.job, seen + kinds(outcome)
        assert one.state is (J.UNKNOWN if attempt >= TIMING.unseen_tries else J.RUNNING)
        assert one.next_look_at is not None
        assert one.next_look_at > at(10 * attempt)
    assert seen == [E.UNSEEN]
    assert one.problem is not None
    assert one.problem.facts["since"] == int(NOON.timestamp())
    back = after(one, Reported(report(Seen.RUNNING, started_ago_s=99)), at(99))
    assert (back.job.state, back.job.problem, back.job.attempts) == (J.RUNNING, None, 0)
    assert E.SEEN_AGAIN in kinds(back)
    finished = after(one, Reported(report(Seen.ENDED)), at(99))
    assert kinds(finished) == [E.ENDED]


def test_a_start_without_an_answer_is_repeated_whatever_the_silence() -> None:
    one = job(J.STARTING)
    for _ in range(5):
        one = after(one, Unseen("step-timed-out")).job
    assert (one.state, one.accepted_at, one.sealed_env) == (J.UNKNOWN, None, "sealed")
    absent = after(one, Reported(report(Seen.ABSENT)))
    assert (absent.job.accepted_at, absent.job.is_live) == (None, True)
    assert after(one, Reported(report(Seen.STARTING))).job.state is J.STARTING


@pytest.mark.parametrize("error", ["no-python3", "too-long", "bad-request", "disk-full"])
def test_what_will_never_start_ends(error: str) -> None:
    ending = after(job(J.STARTING), Reported(Report(error=error))).job.ending
    assert ending is not None
    assert (ending.kind, ending.code) == (EndingKind.NEVER_STARTED, error)
    assert after(job(), Reported(Report(error=error))).job.is_live


@pytest.mark.parametrize("error", ["", "stdin-cut"])
def test_what_may_pass_is_tried_again(error: str) -> None:
    one = after(job(J.STARTING), Reported(Report(error=error))).job
    assert (one.state, one.attempts) == (J.STARTING, 1)


@pytest.mark.parametrize(
    ("seen", "fields", "kind"),
    [
        (Seen.REBOOTED, {}, EndingKind.REBOOTED),
        (Seen.LOST, {}, EndingKind.LOST),
        (Seen.ABSENT, {}, EndingKind.LOST),
        (Seen.ENDED, {"exit": None}, EndingKind.LOST),
        (Seen.NEVER_STARTED, {}, EndingKind.NEVER_STARTED),
        (Seen.LOST, {"killed_by": "U2"}, EndingKind.KILLED),
        (Seen.LOST, {"killed_by": "max"}, EndingKind.MAX_REACHED),
    ],
)
def test_endings_that_nobody_wrote_down(seen: Seen, fields: dict[str, object], kind: EndingKind) -> None:
    outcome = after(job(), Reported(report(seen, **fields)))
    assert outcome.job.ending is not None
    assert outcome.job.ending.kind is kind
    assert kinds(outcome) == [E.ENDED]


def test_with_the_machine() -> None:
    for state, kind in ((J.REQUESTED, EndingKind.NEVER_STARTED), (J.UNKNOWN, EndingKind.WITH_THE_MACHINE)):
        ending = after(job(state), MachineEnded("stopped")).job.ending
        assert ending is not None
        assert (ending.kind, ending.code) == (kind, "machine-stopped")


def test_kill_is_repeated_until_somebody_sees_to_it() -> None:
    one = job(kill_wanted_by="U2")
    assert after(one, Unseen("unreachable")).job.kill_sent_at is None
    told = after(one, Reported(report(Seen.RUNNING, killed_by="U2"))).job
    assert told.kill_sent_at == NOON
    assert after(told, Reported(report(Seen.RUNNING, killed_by="U2", has_keeper=False))).job.kill_sent_at is None
    unsaid = after(told, Reported(report(Seen.ENDED, exit=ExitRecord(signal=15, cause="kill")))).job.ending
    assert unsaid is not None
    assert unsaid.by == "U2"
    withdrawn = after(job(J.REQUESTED, kill_wanted_by="U2"), Withdrawn()).job
    assert (withdrawn.state, withdrawn.sealed_env) == (J.ENDED, "")


FINDINGS = st.one_of(
    st.builds(Unseen, st.just("unreachable")),
    st.just(MachineEnded("stopped")),
    st.builds(
        Reported,
        st.builds(
            lambda seen, size, offset, by: report(
                seen, size_bytes=size, offset_bytes=offset, output=b"x", killed_by=by
            ),
            st.sampled_from(list(Seen)),
            st.none() | st.integers(0, 9),
            st.integers(0, 9),
            st.sampled_from(["", "U2"]),
        ),
    ),
    st.just(Reported(Report(error="no-python3"))),
)


@given(st.sampled_from(list(J)), st.lists(FINDINGS, max_size=8))
def test_any_history_keeps_to_the_moves_and_ends_once(state: JobState, findings: list[Finding]) -> None:
    one, ends = job(state), 0
    for second, finding in enumerate(findings):
        if one.state is J.REQUESTED and isinstance(finding, Reported):
            one = begin_start(one, at(second))
        outcome = after(one, finding, at(second))
        assert outcome.job.state is one.state or outcome.job.state in MOVES[one.state] or not one.is_live
        assert outcome.job.offset_bytes in (0, one.offset_bytes, one.offset_bytes + len(outcome.output))
        ends += kinds(outcome).count(E.ENDED)
        one = outcome.job
    assert ends == (1 if one.state is J.ENDED and state is not J.ENDED else 0)
