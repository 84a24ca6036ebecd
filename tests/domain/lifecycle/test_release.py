"""The release decision: every answer, every age, and that nothing else makes a clearance."""

import ast
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.lease import LeaseState
from bot.domain.question import QuestionState
from bot.domain.release import CLEARANCE_LIFE, Ask, Clear, Clearance, Ground, Open, Wait, decide
from tests.domain.lifecycle.sample import NOW, handed_over, lease, question

GRACE = timedelta(seconds=60)
PRODUCT = Path(__file__).parents[3]


def test_what_was_never_handed_over_goes_at_once() -> None:
    decision = decide(lease(LeaseState.BOOTING), None, NOW, GRACE)
    assert isinstance(decision, Clear)
    assert decision.clearance.ground is Ground.NEVER_HANDED_OVER


@pytest.mark.parametrize(
    ("state", "answered_s_ago", "expected"),
    [
        (QuestionState.OPEN, None, Open),
        (QuestionState.NO, 100, Ask),
        (QuestionState.SUPERSEDED, 100, Ask),
        (QuestionState.SUPERSEDED, None, Ask),
        (QuestionState.YES, None, Ask),
        (QuestionState.YES, 0, Wait),
        (QuestionState.YES, 59.9, Wait),
        (QuestionState.YES, 60, Clear),
        (QuestionState.YES, 60 + 899, Clear),
        (QuestionState.YES, 60 + 900, Ask),
        (QuestionState.YES, 86400, Ask),
    ],
)
def test_a_yes_counts_after_its_grace_and_for_a_quarter_of_an_hour(
    state: QuestionState, answered_s_ago: float | None, expected: type
) -> None:
    assert isinstance(decide(handed_over(LeaseState.READY), question(state, answered_s_ago), NOW, GRACE), expected)


def test_without_a_question_or_with_anothers_it_asks() -> None:
    assert isinstance(decide(handed_over(LeaseState.READY), None, NOW, GRACE), Ask)
    other = handed_over(LeaseState.READY, id="lease2")
    assert isinstance(decide(other, question(QuestionState.YES, 100), NOW, GRACE), Ask)


def test_a_clearance_dies_fifteen_minutes_after_the_grace() -> None:
    decision = decide(handed_over(LeaseState.READY), question(QuestionState.YES, 70), NOW, GRACE)
    assert isinstance(decision, Clear)
    assert decision.clearance.expires_at == NOW - timedelta(seconds=70) + GRACE + CLEARANCE_LIFE
    assert decision.clearance.by == "U1"


def test_nobody_else_can_make_one() -> None:
    with pytest.raises(TypeError):
        Clearance(object(), "lease1", Ground.APPROVED, NOW, "U1", None)


def _calls(name: str) -> list[str]:
    """Files of the product that call something of that name."""
    found = []
    for path in sorted(p for room in ("bot", "handlers", "storage") for p in (PRODUCT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                called = node.func
                said = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
                if said == name:
                    found.append(str(path.relative_to(PRODUCT)))
    return found


def test_only_the_release_decision_makes_clearances() -> None:
    assert set(_calls("Clearance")) == {"bot/domain/release.py"}


def test_only_the_reconciler_hands_a_clearance_to_a_provider() -> None:
    ends = [path for path in sorted((PRODUCT / "bot").rglob("*.py")) if "provider.release(" in path.read_text()]
    assert [str(path.relative_to(PRODUCT)) for path in ends] == ["bot/services/reconcile_lease/act.py"]
