"""Kept disks: when one may be deleted, that nothing else makes a clearance, and what it costs."""

import ast
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.disk import Disk, DiskInterval, DiskState, disk_cost_microusd, free_name, to_be_kept
from bot.domain.disk_release import (
    CLEARANCE_LIFE,
    ClearDisk,
    DiskClearance,
    DiskDecision,
    KeepDisk,
    VoidDisk,
    WaitDisk,
    decide_disk,
)
from bot.domain.instance import Capabilities, Keeps
from bot.domain.inventory.inventory import Inventory, WhyUnknown
from bot.domain.lease import LeaseState
from bot.domain.on_disk import OnDisk, after_machine, known_of, touched
from bot.domain.question import Question, QuestionState
from bot.domain.release import UNREAD
from tests.domain.lifecycle.sample import NOW, handed_over

GRACE = timedelta(seconds=60)
MINUTE = timedelta(minutes=1)
S = DiskState
PRODUCT = Path(__file__).parents[2]
ABLE = Capabilities(
    True, Keeps.ALL, Keeps.NOTHING, False, False, 60, 1, "work", "", simulated=False, keeps_disks=True,
    disk_microusd_per_gib_hour=6,
)  # fmt: skip


SEEN = OnDisk("lease1", Inventory(NOW - 100 * MINUTE, files=7, size_bytes=70), 9, 90)


def disk(state: DiskState = S.KEPT, **changes: object) -> Disk:
    leaving = to_be_kept("d1", "models", handed_over(LeaseState.READY), ABLE, NOW)
    return leaving.evolve(state=state, **{"volume_id": "vol-1", **changes})


def asked(state: QuestionState, minutes: float = 0, **changes: object) -> Question:
    """Answered so long ago; its reactions were read just now."""
    answered = {"answered_by": "U1", "answered_at": NOW - minutes * MINUTE, "signs_read_at": NOW}
    of = Question("q1", "lease1", "U2", NOW - 99 * MINUTE, state, fingerprint=SEEN.inventory.fingerprint, disk_id="d1")
    return replace(of, **{**answered, **changes})


def decided(one: Disk, question: Question | None, on_disk: OnDisk = SEEN) -> DiskDecision:
    return decide_disk(one, question, SEEN.inventory, on_disk, NOW, GRACE)


@pytest.mark.parametrize("state", list(DiskState))
@pytest.mark.parametrize("answer", list(QuestionState))
@pytest.mark.parametrize("minutes", [0, 0.5, 1, 15, 16, 1000])
def test_only_a_yes_past_its_grace_and_not_too_old_deletes_a_disk_that_no_machine_has(
    state: DiskState, answer: QuestionState, minutes: float
) -> None:
    decision = decided(disk(state), asked(answer, minutes))
    if answer is not QuestionState.YES or state not in (S.KEPT, S.DELETING):
        assert decision == KeepDisk()
    elif minutes < 1:
        assert decision == WaitDisk(NOW + GRACE - minutes * MINUTE)
    elif minutes < 16 or state is S.DELETING:  # what was begun goes on: the vendor may have taken it
        assert isinstance(decision, ClearDisk)
        assert (decision.clearance.disk_id, decision.clearance.by) == ("vol-1", "U1")
        assert NOW < decision.clearance.expires_at <= NOW + CLEARANCE_LIFE + GRACE
    else:
        assert decision == VoidDisk()


def test_a_yes_waits_until_the_reactions_were_read_after_its_grace() -> None:
    for read_at in (None, NOW - 1.5 * MINUTE):
        assert decided(disk(), asked(QuestionState.YES, 2, signs_read_at=read_at)) == WaitDisk(NOW + UNREAD)


@pytest.mark.parametrize("answer", [QuestionState.OPEN, QuestionState.YES])
def test_a_yes_is_to_the_last_look_and_to_nothing_else(answer: QuestionState) -> None:
    question = asked(answer, 2)
    grown = replace(SEEN, inventory=replace(SEEN.inventory, files=8))
    later = replace(SEEN, inventory=replace(SEEN.inventory, taken_at=NOW))  # looks the same, and is another look
    for known in (grown, later, replace(SEEN, lease_id="lease2"), touched(disk(), NOW)):
        assert decided(disk(), question, known) == VoidDisk()
    assert decide_disk(disk(), question, None, SEEN, NOW, GRACE) == VoidDisk()
    assert isinstance(decided(disk(S.DELETING), asked(QuestionState.YES, 2), grown), ClearDisk)
    assert decided(disk(), None) == decided(disk(), replace(question, disk_id="d2")) == KeepDisk()


def test_a_look_says_what_is_on_a_disk_only_while_its_machine_was_the_last() -> None:
    assert known_of(disk(), SEEN) == SEEN
    for last in (None, replace(SEEN, lease_id="earlier")):
        assert known_of(disk(), last).inventory.why_unknown is WhyUnknown.NEVER_LOOKED
    lease = handed_over(LeaseState.READY)
    earlier = replace(SEEN, lease_id="earlier")
    assert after_machine(disk(), replace(lease, state=LeaseState.RELEASED), SEEN, NOW) is None
    lost_sight = after_machine(disk(), replace(lease, state=LeaseState.VANISHED), SEEN, NOW)
    assert lost_sight is not None
    assert lost_sight.inventory.why_unknown is WhyUnknown.NEVER_LOOKED
    never_was = replace(lease, state=LeaseState.FAILED, launched_at=None)
    assert after_machine(disk(), never_was, earlier, NOW) == SEEN


def test_nobody_else_can_make_a_clearance() -> None:
    with pytest.raises(TypeError):
        DiskClearance(object(), "vol-1", "U1", NOW)
    made = set()
    for path in (p for room in ("bot", "handlers", "storage") for p in (PRODUCT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            said = node.id if isinstance(node, ast.Name) else ""
            is_call = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "DiskClearance"
            if said == "_DISK_MINT" or is_call:
                made.add(str(path.relative_to(PRODUCT)))
    assert made == {"bot/domain/disk_release.py"}


def test_it_costs_while_no_machine_has_it_and_only_then() -> None:
    hour = timedelta(hours=1)
    one = disk(S.LEAVING, rate_microusd_per_hour=600)
    assert disk_cost_microusd(one, NOW + hour) == 0
    one = one.moved(S.KEPT, NOW).moved(S.ATTACHED, NOW + hour).moved(S.KEPT, NOW + 3 * hour)
    assert one.intervals == (DiskInterval(600, NOW, NOW + hour), DiskInterval(600, NOW + 3 * hour, None))
    assert disk_cost_microusd(one, NOW + 4 * hour) == 1200
    assert disk_cost_microusd(one, NOW + 4 * hour, since=NOW + 3.5 * hour) == 300
    one = one.moved(S.DELETING, NOW + 4 * hour).moved(S.DELETED, NOW + 5 * hour)
    assert disk_cost_microusd(one, NOW + 99 * hour) == 1800


def test_the_price_follows_from_the_size() -> None:
    lease = handed_over(LeaseState.READY)
    kept = to_be_kept("d1", "models", lease, ABLE, NOW)
    assert kept.rate_microusd_per_hour == 6 * lease.disk_gib
    assert kept.volume_id == lease.volume_id


def test_names_are_one_disks_alone() -> None:
    assert free_name("fox", set()) == "fox"
    assert free_name("fox", {"fox", "fox-2"}) == "fox-3"
    assert len(free_name("x" * 31, {"x" * 31})) <= 31
