"""What a job leads to becomes a wish once, and copies meanwhile are never two at a time."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.domain.jobs.ending import Ending, EndingKind
from bot.domain.jobs.job import Continuation, Job, JobState
from bot.domain.lease import LeaseState, Want
from bot.domain.notice import Priority
from bot.domain.question import Cause, Question, QuestionState
from bot.services.reconcile_jobs.follow_up import carry_on, copy_meanwhile
from storage.schema import migrate
from storage.store import SqlStore
from tests.domain.jobs.samples import job
from tests.domain.lifecycle.sample import NOW, handed_over

HALF_AN_HOUR = timedelta(minutes=30)
numbers = count(1)


def new_id() -> str:
    return f"new-{next(numbers)}"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    """A ready machine."""
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    store = SqlStore(url)
    with store.transaction() as tx:
        tx.leases.add(handed_over(LeaseState.READY))
    yield store
    store.close()


def running(**changes: Any) -> Job:
    return job(lease_id="lease1", started_at=NOW, **changes)


def ended(then: Continuation, exit_code: int = 0) -> Job:
    return running(state=JobState.ENDED, then=then, ending=Ending(EndingKind.EXITED, exit_code), ended_at=NOW)


def copied(store: SqlStore, one: Job, at: datetime) -> Job:
    with store.transaction() as tx:
        return copy_meanwhile(tx, one, new_id, at)


def test_copies_meanwhile_one_at_a_time(store: SqlStore) -> None:
    one = running(every_s=1800)
    assert copied(store, one, NOW + HALF_AN_HOUR - timedelta(seconds=1)) == one
    one = copied(store, one, NOW + HALF_AN_HOUR)
    assert one.next_sync_at == NOW + 2 * HALF_AN_HOUR
    one = copied(store, one, NOW + 5 * HALF_AN_HOUR)
    assert one.next_sync_at == NOW + 6 * HALF_AN_HOUR, "what was missed is not made up for"
    with store.transaction() as tx:
        (run,) = tx.syncs.open_of("lease1")
        assert (run.asked_by, run.paths) == (one.owner, ())
        tx.syncs.save(run.evolve(ended_at=NOW), Priority.STATE)
    copied(store, one, NOW + 6 * HALF_AN_HOUR)
    with store.read() as tx:
        assert len(tx.syncs.open_of("lease1")) == 1
    unseen = replace(one, state=JobState.UNKNOWN)
    assert copied(store, unseen, NOW + 60 * HALF_AN_HOUR) == unseen


def test_a_release_is_asked_for_once(store: SqlStore) -> None:
    one = ended(Continuation.RELEASE)
    with store.transaction() as tx:
        assert carry_on(tx, one, new_id, NOW) == {"then": "release", "then_not": None}
        assert carry_on(tx, one, new_id, NOW) == {"then": "release", "then_not": "under-way"}
        (question,) = tx.questions.of("lease1")
    assert (question.state, question.cause) == (QuestionState.LOOKING, Cause.AFTER_JOB)
    assert question.is_the_clocks
    assert question.is_of_another("somebody else")
    assert not question.is_of_another(one.owner)


@pytest.mark.parametrize(
    ("then", "exit_code", "lease_state", "want", "why_not"),
    [
        (Continuation.STOP, 0, LeaseState.READY, Want.RUNNING, None),
        (Continuation.STOP, 1, LeaseState.READY, Want.RUNNING, "not-well"),
        (Continuation.STOP, 0, LeaseState.READY, Want.STOPPED, "machine"),
        (Continuation.RELEASE, 0, LeaseState.READY, Want.RELEASED, "machine"),
        (Continuation.SYNC, 0, LeaseState.STOPPED, Want.STOPPED, "machine"),
        (Continuation.SYNC, 0, LeaseState.UNFIT, Want.RUNNING, None),
    ],
)
def test_what_follows_depends_on_the_machine(
    store: SqlStore, then: Continuation, exit_code: int, lease_state: LeaseState, want: Want, why_not: str | None
) -> None:
    with store.transaction() as tx:
        lease = tx.leases.lock("lease1")
        assert lease is not None
        tx.leases.save(replace(lease, state=lease_state, want=want), NOW)
        assert carry_on(tx, ended(then, exit_code), new_id, NOW) == {"then": then.value, "then_not": why_not}
        after = tx.leases.get("lease1")
        assert after is not None
        assert after.want is (Want.STOPPED if then is Continuation.STOP and why_not is None else want)
        assert len(tx.syncs.open_of("lease1")) == (then is Continuation.SYNC and why_not is None)
        assert not tx.questions.of("lease1")


def test_a_stop_ends_no_other_job_and_nothing_is_asked_twice(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.jobs.add(replace(running(state=JobState.REQUESTED), id="other"))
        assert carry_on(tx, ended(Continuation.STOP), new_id, NOW)["then_not"] == "jobs-run"
        tx.questions.add(Question("q1", "lease1", "U1", NOW))
        assert carry_on(tx, ended(Continuation.RELEASE), new_id, NOW)["then_not"] == "under-way"
        assert len(tx.questions.of("lease1")) == 1
