"""What people want survives what happens to the machine meanwhile."""

import pytest

from bot.domain.instance import InstanceState
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.lifecycle import findings as f
from bot.domain.lifecycle.digest import digest, kept_after_all
from tests.domain.lifecycle.sample import NOW, TIMING, handed_over, instance, lease

S, I = LeaseState, InstanceState  # noqa: E741


def looked(state: InstanceState) -> f.Looked:
    return f.Looked(instance(state))


@pytest.mark.parametrize(
    ("before", "finding"),
    [
        (lease(S.BOOTING, want=Want.RELEASED), looked(I.DOWN)),
        (handed_over(S.READY, want=Want.RELEASED), looked(I.STOPPED)),
        (handed_over(S.STOPPED, want=Want.RELEASED), looked(I.RUNNING)),
        (handed_over(S.STARTING, want=Want.RELEASED), f.StartSoldOut()),
    ],
)
def test_a_release_asked_for_during_the_step_stays_wanted(before: Lease, finding: f.Finding) -> None:
    assert digest(before, finding, NOW, TIMING).lease.want is Want.RELEASED


@pytest.mark.parametrize(
    ("seen", "state"),
    [
        (I.RUNNING, S.CHECKING),
        (I.STOPPED, S.STOPPED),
        (I.DOWN, S.STOPPED),
        (I.RELEASING, S.RELEASE_STUCK),
        (I.UNKNOWN, S.RELEASE_STUCK),
    ],
)
def test_a_machine_kept_after_a_refused_release_goes_on(seen: InstanceState, state: LeaseState) -> None:
    kept = kept_after_all(handed_over(S.RELEASE_STUCK, want=Want.RELEASED), NOW)
    assert digest(kept, looked(seen), NOW, TIMING).lease.state is state


def test_an_accepted_release_is_never_kept() -> None:
    kept = kept_after_all(handed_over(S.RELEASE_STUCK, want=Want.RELEASED, release_accepted_at=NOW), NOW)
    assert digest(kept, looked(I.RUNNING), NOW, TIMING).lease.state is S.RELEASE_STUCK


def test_a_stuck_release_that_is_still_wanted_stays_stuck() -> None:
    stuck = handed_over(S.RELEASE_STUCK, want=Want.RELEASED)
    assert digest(stuck, looked(I.RUNNING), NOW, TIMING).lease.state is S.RELEASE_STUCK
