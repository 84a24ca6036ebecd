"""Which step comes next: a table over states and wants."""

import pytest

from bot.domain.lease import FENCED, LeaseState, Want
from bot.domain.lifecycle import steps
from bot.domain.lifecycle.digest import begin_fence
from bot.domain.lifecycle.steps import next_step
from bot.domain.question import QuestionState
from tests.domain.lifecycle.sample import NOW, TIMING, handed_over, inventory, lease, looks, question

S, W = LeaseState, Want


@pytest.mark.parametrize(
    ("state", "want", "expected"),
    [
        (S.REQUESTED, W.RUNNING, steps.Launch),
        (S.REQUESTED, W.RELEASED, steps.Abandon),
        (S.LAUNCHING, W.RUNNING, steps.Look),
        (S.BOOTING, W.RUNNING, steps.Look),
        (S.CHECKING, W.RUNNING, steps.Look),
        (S.LAUNCHING, W.RELEASED, steps.BeginRelease),
        (S.BOOTING, W.RELEASED, steps.BeginRelease),
        (S.UNFIT, W.RELEASED, steps.BeginRelease),
        (S.UNFIT, W.STOPPED, steps.BeginStop),
        (S.UNFIT, W.RUNNING, steps.Look),
        (S.READY, W.RUNNING, steps.Look),
        (S.READY, W.STOPPED, steps.BeginStop),
        (S.STOPPING, W.STOPPED, steps.Stop),
        (S.STOPPING, W.RUNNING, steps.Stop),
        (S.STOPPED, W.STOPPED, steps.Look),
        (S.STOPPED, W.RUNNING, steps.BeginStart),
        (S.STARTING, W.RUNNING, steps.Start),
        (S.RELEASING, W.RELEASED, steps.Release),
        (S.RELEASE_STUCK, W.RELEASED, steps.Release),
        (S.RELEASE_STUCK, W.RUNNING, steps.Look),
    ],
)
def test_never_handed_over(state: LeaseState, want: Want, expected: type) -> None:
    assert isinstance(next_step(lease(state, want=want), None, NOW, TIMING), expected)


@pytest.mark.parametrize(
    ("state", "answer", "ago_s", "expected"),
    [
        (S.READY, QuestionState.YES, 10, steps.Rest),
        (S.READY, QuestionState.YES, 61, steps.BeginRelease),
        (S.STOPPED, QuestionState.YES, 61, steps.BeginRelease),
        (S.READY, QuestionState.LOOKING, None, steps.Look),
        (S.READY, QuestionState.SAVING, 10, steps.Look),
        (S.READY, QuestionState.YES, 5000, steps.AskAnew),
        (S.RELEASING, QuestionState.YES, 61, steps.Release),
        (S.RELEASING, QuestionState.YES, 5000, steps.AskAnew),
        (S.READY, QuestionState.OPEN, None, steps.Look),
        (S.READY, QuestionState.NO, 10, steps.AskAnew),
    ],
)
def test_a_handed_over_machine_needs_a_valid_yes(
    state: LeaseState, answer: QuestionState, ago_s: float | None, expected: type
) -> None:
    wanted = handed_over(state, want=W.RELEASED)
    seen = looks(inventory(0))
    assert isinstance(next_step(wanted, question(answer, ago_s), NOW, TIMING, seen), expected)


def test_doors_are_marked_as_closed_before_they_are() -> None:
    """So that whatever happens then, the next ordinary look at a machine that is kept opens them again."""
    ripe, wanted = question(QuestionState.YES, 61), handed_over(S.READY, want=W.RELEASED)
    assert isinstance(next_step(wanted, ripe, NOW, TIMING, looks()), steps.BeginFence)
    fenced = begin_fence(wanted, NOW)
    assert isinstance(next_step(fenced, ripe, NOW, TIMING, looks()), steps.FenceAndLook)
    assert fenced.keys_applied == FENCED


def test_an_accepted_release_is_only_watched() -> None:
    """The vendor took it: neither a new clearance nor a second call is needed, whatever became of the yes."""
    accepted = handed_over(S.RELEASING, want=W.RELEASED, release_accepted_at=NOW)
    assert isinstance(next_step(accepted, question(QuestionState.YES, 5000), NOW, TIMING), steps.SeeGone)
