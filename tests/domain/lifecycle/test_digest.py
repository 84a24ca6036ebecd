"""What findings make of a lease: states never flatter."""

from datetime import timedelta

import pytest

from bot.domain.checklist import Checklist, Item, Line, Verdict
from bot.domain.instance import InstanceState, ReleaseOutcome
from bot.domain.lease import MOVES, Lease, LeaseState, Want
from bot.domain.lifecycle import findings as f
from bot.domain.lifecycle.digest import digest, kept_after_all
from bot.domain.lifecycle.outcome import Outcome, reminders
from bot.domain.notice import NoticeKind
from tests.domain.lifecycle.sample import NOW, OFFER, REF, TIMING, handed_over, instance, lease

S, I = LeaseState, InstanceState  # noqa: E741
GOOD = Checklist((Line(Item.SSH, Verdict.OK),), NOW)
BAD = Checklist((Line(Item.SSH, Verdict.OK), Line(Item.DATA_DISK, Verdict.FAIL)), NOW)


def looked(state: InstanceState | None, **more: object) -> f.Looked:
    return f.Looked(instance(state) if state else None, **more)  # type: ignore[arg-type]


def after(before: Lease, finding: f.Finding) -> Outcome:
    return digest(before, finding, NOW, TIMING)


@pytest.mark.parametrize(
    ("before", "finding", "state"),
    [
        (lease(S.REQUESTED), f.Launched(REF), S.LAUNCHING),
        (lease(S.REQUESTED), f.LaunchRefused("quota", ""), S.FAILED),
        (lease(S.REQUESTED), f.SoldOut(OFFER), S.FAILED),
        (lease(S.REQUESTED, want=Want.RELEASED), f.NothingThere(), S.RELEASED),
        (lease(S.LAUNCHING), looked(I.PENDING), S.LAUNCHING),
        (lease(S.LAUNCHING), looked(I.RUNNING), S.BOOTING),
        (lease(S.LAUNCHING), looked(I.UNKNOWN), S.LAUNCHING),
        (lease(S.LAUNCHING), looked(I.FAILED), S.UNFIT),
        (lease(S.BOOTING), looked(I.RUNNING, login_fault="unreachable"), S.BOOTING),
        (lease(S.BOOTING), looked(I.RUNNING, login_fault="host-key-changed"), S.UNFIT),
        (lease(S.BOOTING), looked(I.RUNNING, checklist=GOOD), S.CHECKING),
        (lease(S.CHECKING), looked(I.RUNNING, checklist=GOOD), S.READY),
        (lease(S.CHECKING), looked(I.RUNNING, checklist=BAD), S.UNFIT),
        (lease(S.CHECKING), looked(I.RUNNING, login_fault="unreachable"), S.BOOTING),
        (lease(S.UNFIT), looked(I.RUNNING, checklist=GOOD), S.READY),
        (lease(S.UNFIT), looked(I.RUNNING, checklist=BAD), S.UNFIT),
        (handed_over(S.READY), looked(I.RUNNING), S.READY),
        (handed_over(S.READY), looked(I.DOWN), S.STOPPED),
        (handed_over(S.READY), looked(I.STOPPED), S.STOPPED),
        (handed_over(S.READY), looked(I.UNKNOWN), S.READY),
        (handed_over(S.READY), looked(None), S.READY),
        (handed_over(S.STOPPING), looked(I.RUNNING), S.STOPPING),
        (handed_over(S.STOPPING), looked(I.STOPPED), S.STOPPED),
        (handed_over(S.STOPPED), looked(I.RUNNING), S.STARTING),
        (handed_over(S.STARTING), looked(I.RUNNING), S.BOOTING),
        (handed_over(S.STARTING), f.StartSoldOut(), S.STOPPED),
        (handed_over(S.RELEASING), f.ReleaseCalled(ReleaseOutcome.GONE), S.RELEASING),
        (handed_over(S.RELEASING), looked(I.RELEASING), S.RELEASING),
        (handed_over(S.RELEASING), f.Trouble("vendor-trouble", ""), S.RELEASING),
    ],
)
def test_moves(before: Lease, finding: f.Finding, state: LeaseState) -> None:
    outcome = after(before, finding)
    assert outcome.lease.state is state
    assert state is before.state or state in MOVES[before.state]


def test_gone_takes_two_complete_reads_and_our_accepted_release() -> None:
    releasing = handed_over(S.RELEASING, release_accepted_at=NOW)
    once = after(releasing, looked(None, gone_for_sure=True)).lease
    assert once.state is S.RELEASING
    incomplete = after(once, looked(None)).lease
    assert incomplete.state is S.RELEASING
    twice = after(incomplete, looked(None, gone_for_sure=True))
    assert twice.lease.state is S.RELEASED
    assert [n.kind for n in twice.notices] == [NoticeKind.RELEASED]


def test_a_release_that_an_incomplete_list_cannot_prove_is_stuck_in_time() -> None:
    late = handed_over(S.RELEASING, release_accepted_at=NOW, state_since=NOW - timedelta(seconds=121))
    outcome = after(late, looked(None))
    assert outcome.lease.state is S.RELEASE_STUCK
    assert [n.kind for n in outcome.notices] == [NoticeKind.RELEASE_STUCK]


def test_gone_without_our_release_is_vanished() -> None:
    once = after(handed_over(S.READY), looked(None, gone_for_sure=True)).lease
    assert once.state is S.READY
    assert after(once, looked(None, gone_for_sure=True)).lease.state is S.VANISHED


def test_being_seen_again_starts_the_count_anew() -> None:
    once = after(handed_over(S.READY), looked(None, gone_for_sure=True)).lease
    seen = after(once, looked(I.RUNNING)).lease
    assert after(seen, looked(None, gone_for_sure=True)).lease.state is S.READY


def test_a_machine_that_went_down_stays_down_until_somebody_starts_it() -> None:
    outcome = after(handed_over(S.READY), looked(I.DOWN))
    assert outcome.lease.want is Want.STOPPED
    assert [n.kind for n in outcome.notices] == [NoticeKind.WENT_DOWN]


def test_late_boots_are_unfit_and_say_so_once() -> None:
    late = lease(S.LAUNCHING, boot_began_at=NOW - timedelta(seconds=61))
    unfit = after(late, looked(I.PENDING))
    assert unfit.lease.state is S.UNFIT
    assert [n.kind for n in unfit.notices] == [NoticeKind.LEASE_UNFIT]
    assert after(unfit.lease, looked(I.PENDING)).notices == ()


def test_next_offers_are_tried_in_order_and_never_cost_more() -> None:
    other = type(OFFER)(**{**_fields(OFFER), "region": "here-2", "ref": "other"})
    first = after(lease(S.REQUESTED, spare=(other,)), f.SoldOut(OFFER)).lease
    assert (first.state, first.offer, first.tried) == (S.REQUESTED, other, (OFFER,))
    assert after(first, f.SoldOut(other)).lease.state is S.FAILED


def test_cannot_be_seen_is_not_gone() -> None:
    before = handed_over(S.READY, seen_at=NOW - timedelta(minutes=5))
    for _ in range(50):
        before = after(before, f.Trouble("vendor-trouble", "down")).lease
    assert before.state is S.READY
    assert before.problem is not None
    assert before.problem.code == "not-seen"
    assert after(before, looked(I.RUNNING)).lease.problem is None


def test_release_that_is_refused_for_long_is_stuck_and_stays_wanted() -> None:
    before = handed_over(S.RELEASING, want=Want.RELEASED, state_since=NOW - timedelta(seconds=121))
    outcome = after(before, f.Trouble("not-allowed", "protected"))
    assert outcome.lease.state is S.RELEASE_STUCK
    assert outcome.lease.want is Want.RELEASED
    assert [n.kind for n in outcome.notices] == [NoticeKind.RELEASE_STUCK]


def test_a_yes_that_ran_out_leaves_the_machine_as_it_was() -> None:
    assert kept_after_all(handed_over(S.READY, want=Want.RELEASED), NOW).want is Want.RUNNING
    assert kept_after_all(handed_over(S.STOPPED, want=Want.RELEASED), NOW).want is Want.STOPPED
    assert kept_after_all(handed_over(S.RELEASING, want=Want.RELEASED), NOW).state is S.RELEASE_STUCK


def test_looking_does_not_redraw_a_card_that_shows_the_same() -> None:
    """Edits are a budget: a look that changes nothing people see leaves the version."""
    before = handed_over(S.READY)
    assert after(before, looked(I.RUNNING)).lease.version == before.version


def test_reminders_have_their_own_occasion_each_rung() -> None:
    ended = lease(S.UNFIT, ends_at=NOW)
    seen = {
        reminders(ended, NOW + timedelta(hours=hours), TIMING)[0].occasion for hours in (0, 0.5, 1, 1.5, 2, 3, 4, 7, 8)
    }
    assert len(seen) == 5
    assert reminders(lease(S.UNFIT), NOW, TIMING) == ()
    assert reminders(handed_over(S.UNFIT, ends_at=NOW), NOW, TIMING) == (), "its end is asked about"


def _fields(offer: object) -> dict[str, object]:
    return {name: getattr(offer, name) for name in offer.__dataclass_fields__}  # type: ignore[attr-defined]
