"""Jobs and what was read of their output come back as they were stored; what waits for them, and who, is found."""

from dataclasses import replace
from math import inf, nan
from typing import Any

import pytest

from bot.domain.claim import Duty
from bot.domain.jobs.ending import Ending, EndingKind
from bot.domain.jobs.git import GitSource
from bot.domain.jobs.job import Continuation, Job, JobState
from bot.domain.jobs.log_file import LogWish
from bot.domain.jobs.reading import JobOutput
from bot.domain.lease import LeaseState
from bot.domain.living import Subject
from bot.domain.metrics import Progress, ReaderState, read
from bot.domain.notice import Priority
from bot.domain.places import MessageRef
from bot.domain.problem import Problem
from storage.store import SqlStore
from tests.storage.samples import MINUTE, NOON, at, job, lease, show_card, unfilled

READY = lease(state=LeaseState.READY)


def full_job() -> Job:
    return job(
        number=1,
        state=JobState.ENDED,
        name="sweep",
        directory="~/x",
        env_names=("A", "B"),
        sealed_env="sealed",
        git=GitSource("https://example.org/x", "main"),
        max_s=60,
        kill_wanted_by="U2",
        kill_sent_at=at(1),
        accepted_at=at(1),
        started_at=at(1),
        ended_at=at(2),
        ran_s=3600.5,
        seen_at=at(2),
        cwd="/home/me/work",
        commit="abc",
        offset_bytes=2**40,
        size_bytes=2**41,
        ending=Ending(EndingKind.SIGNALLED, 1, 9, "U1", "code", "größe", 3, 2, core_dumped=True),
        problem=Problem("not-seen", {"since": 5}),
        attempts=2,
        next_look_at=at(3),
        version=7,
        script="train_digits.py",
        then=Continuation.RELEASE,
        after_id="j0",
        after_name="amber-fox/1",
        every_s=1800,
        next_sync_at=at(4),
        sealed_secrets="sealed too",
        judge_at=at(5),
        free_at_start_bytes=2**42,
        free_bytes=2**41,
        find_files_at=at(6),
        unread_files=2,
    )


def test_a_full_job_comes_back(started: SqlStore) -> None:
    assert unfilled(full_job()) == []
    with started.transaction() as tx:
        tx.jobs.save(full_job())
        assert tx.jobs.lock("j1") == full_job()
    with started.read() as tx:
        assert tx.jobs.get("j1") == full_job()
        assert tx.jobs.by_number("l1", 1) == full_job()
        assert tx.jobs.by_number("l1", 2) is None


def test_numbers_count_within_their_lease(started: SqlStore) -> None:
    with started.transaction() as tx:
        assert tx.jobs.add(job("j2")).number == 2
        assert tx.jobs.add(job("j3", "l2")).number == 1
        tx.jobs.save(replace(job("j2"), number=2, state=JobState.ENDED))
    with started.read() as tx:
        assert [one.id for one in tx.jobs.of("l1", 10)] == ["j2", "j1"]
        assert [one.id for one in tx.jobs.live_of("l1")] == ["j1"]
        each = tx.jobs.live_of_each(["l1", "l2", "nobody"])
        assert {lease_id: [one.id for one in jobs] for lease_id, jobs in each.items()} == {"l1": ["j1"], "l2": ["j3"]}


def test_a_job_has_a_message_in_the_thread_of_its_lease(started: SqlStore) -> None:
    with started.transaction() as tx:
        living = tx.living.get(Subject.JOB, "j1")
        assert living is not None
        assert (living.channel, living.thread_of, living.wanted, living.shown) == ("C1", "l1", 1, 0)
        show_card(tx)
        tx.living.shown(living, MessageRef("C1", "17.2"), NOON)
        tx.jobs.save(job(number=1))
        assert [due.subject_id for due in tx.living.due(at(1), 9)] == ["l2"]
        tx.jobs.save(job(number=1).moved(JobState.STARTING, NOON))
        assert {due.subject_id for due in tx.living.due(at(1), 9)} == {"l2", "j1", "l1"}


def test_a_message_falls_behind_when_output_went_on(started: SqlStore) -> None:
    with started.transaction() as tx:
        show_card(tx)
        living = tx.living.get(Subject.JOB, "j1")
        assert living is not None
        tx.living.shown(living, MessageRef("C1", "17.2"), NOON)
        assert tx.living.touch_outputs(at(1), 9) == 0
        tx.jobs.save_output(JobOutput("j1", output_at=NOON + MINUTE))
        assert tx.living.touch_outputs(NOON, 9) == 0
        assert tx.living.touch_outputs(at(1), 9) == 1
        due = {living.subject_id: living.priority for living in tx.living.due(at(1), 9)}
        assert due == {"l2": Priority.STATE, "j1": Priority.FIGURES}
        assert tx.living.touch_outputs(at(1), 9) == 0
        tx.living.shown(replace(living, wanted=2), MessageRef("C1", "17.2"), NOON)
        assert tx.living.touch_outputs(at(1), 9) == 1
        tx.living.shown(replace(living, wanted=3), MessageRef("C1", "17.2"), NOON)
        tx.jobs.save(job(number=1, state=JobState.ENDED))
        assert tx.living.touch_outputs(at(1), 9) == 0


@pytest.mark.parametrize(
    ("lease_state", "changes", "is_due"),
    [
        (LeaseState.READY, {}, True),
        (LeaseState.READY, {"next_look_at": NOON}, True),
        (LeaseState.READY, {"next_look_at": at(1)}, False),
        (LeaseState.BOOTING, {}, False),
        (LeaseState.RELEASED, {}, True),
        (LeaseState.READY, {"state": JobState.ENDED}, False),
        (LeaseState.READY, {"state": JobState.ENDED, "size_bytes": 5}, True),
        (LeaseState.RELEASED, {"state": JobState.ENDED, "size_bytes": 5}, False),
    ],
)
def test_due(store: SqlStore, lease_state: LeaseState, changes: dict[str, Any], is_due: bool) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease(state=lease_state))
        tx.jobs.add(job("j0", state=JobState.ENDED))
        tx.jobs.add(job(**changes))
    with store.read() as tx:
        assert tx.jobs.due(NOON, 9) == (("l1",) if is_due else ())
    with store.transaction() as tx:
        tx.claims.take("l1", Duty.JOB, "w", NOON, MINUTE)
    with store.read() as tx:
        assert tx.jobs.due(NOON, 9) == ()


def test_output_comes_back_whatever_is_in_it(started: SqlStore) -> None:
    odd = b'Epoch nan/inf, loss: inf\nstep 1e400 loss: nan\n{\n"loss": 1,\n\xff\0\x1b half loss 0.1'
    reader, _, progress = read(ReaderState(), odd, NOON)
    output = JobOutput("j1", b"\0\xff tail", reader, progress, at(1), is_finished=True)
    with started.transaction() as tx:
        assert tx.jobs.output("j1") == JobOutput("j1")
        tx.jobs.save_output(JobOutput("j1"))
        tx.jobs.save_output(output)
    with started.read() as tx:
        found = tx.jobs.output("j1")
    assert repr(found) == repr(output)
    assert type(found.reader.position) is type(reader.position)


def test_any_progress_comes_back(started: SqlStore) -> None:
    progress = Progress(nan, inf, -inf, None)
    with started.transaction() as tx:
        tx.jobs.save_output(JobOutput("j1", progress=progress))
        assert repr(tx.jobs.output("j1").progress) == repr(progress)


def test_wishes_for_a_log(started: SqlStore) -> None:
    wish = LogWish("w1", "j1", "U1", NOON)
    full = wish.evolve(told=MessageRef("D1", "1.2"), ended_at=at(2), attempts=2, next_try_at=at(1))
    assert unfilled(full) == []
    with started.transaction() as tx:
        tx.logs.add(wish)
        assert tx.logs.due(NOON, 9) == ("w1",)
        tx.logs.save(wish.evolve(next_try_at=at(1)))
        assert tx.logs.due(NOON, 9) == ()
        assert tx.logs.due(at(1), 9) == ("w1",)
        tx.logs.save(full)
    with started.read() as tx:
        assert tx.logs.get("w1") == full
        assert tx.logs.due(at(3), 9) == ()


def test_who_waits_for_a_job_and_who_is_judged(started: SqlStore) -> None:
    waiting = {"state": JobState.REQUESTED, "after_id": "j1", "next_look_at": at(9)}
    with started.transaction() as tx:
        tx.jobs.add(job("j2", **waiting))
        tx.jobs.add(job("j3", **{**waiting, "state": JobState.ENDED}, judge_at=at(1)))
        tx.jobs.ask_waiting("j1", NOON)
        two, three = tx.jobs.get("j2"), tx.jobs.get("j3")
        assert two is not None
        assert three is not None
        assert (two.next_look_at, three.next_look_at) == (NOON, at(9))
        assert tx.jobs.to_judge(NOON, 9) == ()
        assert tx.jobs.to_judge(at(1), 9) == ("j3",)
