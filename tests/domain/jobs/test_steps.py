"""Which step comes next."""

from dataclasses import replace

import pytest

from bot.domain.jobs.findings import MachineEnded, Withdrawn
from bot.domain.jobs.job import JobState
from bot.domain.jobs.steps import BeginStart, Conclude, Kill, Poll, Rest, Start, next_step
from bot.domain.lease import LeaseState
from tests.domain.jobs.samples import NOON, at, job, lease

J, L = JobState, LeaseState


def test_on_a_machine_that_is_there() -> None:
    for state in (L.READY, L.UNFIT):
        assert next_step(job(J.REQUESTED), lease(state), NOON) == BeginStart()
        assert next_step(job(J.STARTING), lease(state), NOON) == Start()
        assert next_step(job(J.STARTING, accepted_at=NOON), lease(state), NOON) == Poll()
        assert next_step(job(), lease(state), NOON) == Poll()
        assert next_step(job(J.UNKNOWN), lease(state), NOON) == Poll()
        assert next_step(job(J.UNKNOWN, accepted_at=None), lease(state), NOON) == Start()


@pytest.mark.parametrize("state", [L.BOOTING, L.STARTING, L.STOPPING, L.RELEASING, L.LAUNCHING, L.REQUESTED])
def test_on_its_way_nothing_is_asked(state: LeaseState) -> None:
    assert next_step(job(J.REQUESTED), lease(state), NOON) == Rest(None)
    assert next_step(job(), lease(state), NOON) == Rest(None)


def test_while_it_is_checked_jobs_are_followed_and_none_begins() -> None:
    assert next_step(job(), lease(L.CHECKING), NOON) == Poll()
    assert next_step(job(J.REQUESTED), lease(L.CHECKING), NOON) == Rest(None)
    assert next_step(job(J.REQUESTED), lease(L.RELEASE_STUCK), NOON) == Rest(None)


@pytest.mark.parametrize("state", [L.STOPPED, L.RELEASED, L.VANISHED, L.FAILED])
def test_it_ends_with_its_machine(state: LeaseState) -> None:
    for one in (job(J.REQUESTED), job(J.STARTING), job(), job(J.UNKNOWN)):
        assert next_step(one, lease(state), NOON) == Conclude(MachineEnded(state.value))
    assert next_step(job(J.ENDED), lease(state), NOON) == Rest(None)


def test_kill() -> None:
    wanted = {"kill_wanted_by": "U2"}
    assert next_step(job(J.REQUESTED, **wanted), lease(L.BOOTING), NOON) == Conclude(Withdrawn())
    assert next_step(job(J.STARTING, **wanted), lease(), NOON) == Kill()
    assert next_step(job(**wanted), lease(), NOON) == Kill()
    assert next_step(job(**wanted, kill_sent_at=NOON), lease(), NOON) == Poll()
    assert next_step(job(**wanted), lease(L.STOPPING), NOON) == Rest(None)


def test_a_limit_that_nobody_keeps() -> None:
    one = job(max_s=100)
    assert next_step(one, lease(), at(150)) == Poll()
    assert next_step(one, lease(), at(161)) == Kill()


def test_nothing_before_it_is_due_and_all_output_after_the_end() -> None:
    later = at(5)
    assert next_step(job(next_look_at=later), lease(), NOON) == Rest(later)
    assert next_step(job(next_look_at=later, kill_wanted_by="U2"), lease(), later) == Kill()
    unread = job(J.ENDED, size_bytes=9, offset_bytes=4)
    assert next_step(unread, lease(), NOON) == Poll()
    assert next_step(unread, lease(L.STOPPED), NOON) == Rest(None)
    assert next_step(replace(unread, offset_bytes=9), lease(), NOON) == Rest(None)
