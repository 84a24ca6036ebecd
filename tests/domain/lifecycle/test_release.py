"""The release decision: every answer, every age, and that nothing else makes a clearance."""

import ast
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.departure import put_question
from bot.domain.inventory.compare import Change
from bot.domain.inventory.files import FileState
from bot.domain.inventory.inventory import BlindSpot, GitTree, Inventory, Some, WhyBlind, WhyUnknown, unknown
from bot.domain.lease import LeaseState, Want
from bot.domain.question import QuestionState
from bot.domain.release import CLEARANCE_LIFE, UNREAD, Ask, Clear, Clearance, Ground, Open, TakeLastLook, Wait, decide
from tests.domain.lifecycle.sample import NOW, SHOWN, handed_over, inventory, lease, looks, question

GRACE = timedelta(seconds=60)
PRODUCT = Path(__file__).parents[3]


def test_what_was_never_handed_over_goes_at_once() -> None:
    decision = decide(lease(LeaseState.BOOTING), None, NOW, GRACE)
    assert isinstance(decision, Clear)
    assert decision.clearance.ground is Ground.NEVER_HANDED_OVER


# What the question showed, what the last look saw, and what may be done then.
LOG = b"~/work/train.log"


def logging(size_bytes: int = 10, **more: object) -> Inventory:
    """A file that would be lost, and a log that is being written."""
    apart = (FileState(LOG, size_bytes, size_bytes, size_bytes, 7),)
    return inventory(0, apart=apart, open=Some(1, (LOG,)), size_bytes=8 + size_bytes, **more)


def unseen(why: WhyUnknown, jobs: tuple[str, ...] = ()) -> Inventory:
    return unknown(why, NOW, jobs)


CLEAN = inventory(0, files=0, size_bytes=0, rest="0" * 32)
UNREACHED, STOPPED = WhyUnknown.UNREACHABLE, WhyUnknown.NOT_RUNNING
BLIND = Some(1, (BlindSpot(b"~/secret", WhyBlind.UNREADABLE),))
TREE = Some(1, (GitTree(b"~/.cache/t", "cache", is_touched=True, was_seen=True, uncommitted=1),))


@pytest.mark.parametrize(
    ("shown", "last", "changes"),
    [
        (SHOWN, inventory(0), None),
        (SHOWN, inventory(0, files=2, rest="2" * 32), (Change.FILES,)),
        (SHOWN, CLEAN, (Change.FILES,)),
        (SHOWN, inventory(0, open=Some(1, (LOG,))), (Change.WRITERS,)),
        (SHOWN, inventory(0, blind=BLIND), (Change.BLIND_SPOTS,)),
        (SHOWN, inventory(0, jobs=("fox/1",)), (Change.JOBS,)),
        (SHOWN, inventory(0, git=TREE), (Change.GIT,)),
        (SHOWN, unseen(UNREACHED), (Change.SIGHT,)),
        (logging(), logging(), None),
        (logging(), logging(4000), None),
        (logging(), logging(9), (Change.WRITERS,)),
        (logging(jobs=("fox/1",)), logging(4000), None),
        (inventory(300, blind=BLIND), inventory(0), None),
        (CLEAN, CLEAN, None),
        (CLEAN, inventory(0), (Change.FILES,)),
        (unseen(UNREACHED), unseen(UNREACHED), None),
        (unseen(UNREACHED), unseen(UNREACHED, ("fox/1",)), (Change.JOBS,)),
        (unseen(UNREACHED), unseen(STOPPED), (Change.SIGHT,)),
        (unseen(UNREACHED), inventory(0), (Change.SIGHT,)),
        (unseen(STOPPED), CLEAN, (Change.SIGHT,)),
    ],
)
@pytest.mark.parametrize("is_fenced", [True, False])
@pytest.mark.parametrize("state", QuestionState)
def test_every_answer_to_every_inventory_with_every_change(
    state: QuestionState, is_fenced: bool, shown: Inventory, last: Inventory, changes: tuple[Change, ...] | None
) -> None:
    """A yes covers what it was shown; nothing but a clean, settled, fenced look goes without one."""
    asked = question(state, 70, shown)
    seen = looks(last, shown, is_fenced=is_fenced)
    decision = decide(handed_over(LeaseState.READY), asked, NOW, GRACE, seen)
    match state:
        case QuestionState.YES if changes is None:
            assert isinstance(decision, Clear)
            assert decision.clearance.ground is Ground.APPROVED
            assert (decision.clearance.by, decision.clearance.question_id) == ("U1", "q1")
        case QuestionState.YES:
            assert decision == Ask(changes or ())
        case QuestionState.CLEAN if last == CLEAN and is_fenced:
            assert isinstance(decision, Clear)
            assert decision.clearance.ground is Ground.CLEAN
        case QuestionState.CLEAN:
            assert isinstance(decision, Ask)
        case QuestionState.LOOKING | QuestionState.OPEN | QuestionState.SAVING:
            assert decision == Open()
        case _:
            assert decision == Ask()


@pytest.mark.parametrize(
    ("answered_s_ago", "last", "expected"),
    [
        (None, SHOWN, Ask()),
        (0, None, Wait(NOW + GRACE)),
        (59.9, None, Wait(NOW + timedelta(seconds=0.1))),
        (0, inventory(0), Wait(NOW + GRACE)),
        (60, None, TakeLastLook()),
        (959, None, TakeLastLook()),
        (100, inventory(41), TakeLastLook()),  # taken within the grace
        (960, inventory(0), Ask()),
        (86400, inventory(0), Ask()),
    ],
)
def test_a_yes_counts_after_its_grace_and_for_a_quarter_of_an_hour(
    answered_s_ago: float | None, last: Inventory | None, expected: object
) -> None:
    asked = question(QuestionState.YES, answered_s_ago)
    assert decide(handed_over(LeaseState.READY), asked, NOW, GRACE, looks(last)) == expected


@pytest.mark.parametrize(
    ("read_s_ago", "expected"),
    [(None, Wait(NOW + UNREAD)), (10.1, Wait(NOW + UNREAD)), (10, TakeLastLook()), (0, TakeLastLook())],
)
def test_a_yes_counts_once_the_signs_under_its_question_were_read_after_the_grace(
    read_s_ago: float | None, expected: object
) -> None:
    """Whoever took it back while nobody listened is heard first."""
    read_at = None if read_s_ago is None else NOW - timedelta(seconds=read_s_ago)
    asked = replace(question(QuestionState.YES, 70), signs_read_at=read_at)
    assert decide(handed_over(LeaseState.READY), asked, NOW, GRACE, looks()) == expected
    assert decide(handed_over(LeaseState.READY), asked, NOW + timedelta(days=1), GRACE, looks()) == Ask(), "it runs out"


@pytest.mark.parametrize(
    ("last", "answered_s_ago", "expected"),
    [
        (None, 0, TakeLastLook()),
        (inventory(0, files=0, rest="", young=1), 5, Wait(NOW + timedelta(seconds=60))),
        (inventory(61, files=0, rest="", young=1), 70, TakeLastLook()),
        (inventory(0, files=0, rest="", young=1), 900, Ask((Change.WRITERS,))),
        (inventory(900, files=0, rest=""), 1000, TakeLastLook()),
    ],
)
def test_what_is_clean_has_to_have_settled(last: Inventory | None, answered_s_ago: float, expected: object) -> None:
    asked = question(QuestionState.CLEAN, answered_s_ago, CLEAN)
    assert decide(handed_over(LeaseState.READY), asked, NOW, GRACE, looks(last, CLEAN)) == expected


def test_a_last_look_from_before_the_copy_does_not_count() -> None:
    """A yes, its last look, then 💾 instead: the doors were open while it was copied."""
    saved = question(QuestionState.CLEAN, 10, CLEAN)
    before = replace(CLEAN, taken_at=NOW - timedelta(seconds=11))
    assert decide(handed_over(LeaseState.READY), saved, NOW, GRACE, looks(before, CLEAN)) == TakeLastLook()


def test_nothing_is_released_by_a_clock_that_was_set_back() -> None:
    ahead = question(QuestionState.CLEAN, -3600, CLEAN)
    decision = decide(handed_over(LeaseState.READY), ahead, NOW, GRACE, looks(CLEAN, CLEAN))
    assert decision == Wait(NOW + timedelta(hours=1))


def test_a_yes_to_an_inventory_that_is_not_on_record_is_none() -> None:
    ripe = question(QuestionState.YES, 70)
    assert decide(handed_over(LeaseState.READY), ripe, NOW, GRACE) == Ask()
    other = looks(inventory(0), shown=inventory(300, size_bytes=9))
    assert decide(handed_over(LeaseState.READY), ripe, NOW, GRACE, other) == Ask()


def test_without_a_question_or_with_anothers_it_asks() -> None:
    assert isinstance(decide(handed_over(LeaseState.READY), None, NOW, GRACE), Ask)
    other = handed_over(LeaseState.READY, id="lease2")
    assert isinstance(decide(other, question(QuestionState.YES, 100), NOW, GRACE, looks(inventory(0))), Ask)


def test_a_clearance_dies_fifteen_minutes_after_the_grace() -> None:
    decision = decide(handed_over(LeaseState.READY), question(QuestionState.YES, 70), NOW, GRACE, looks(inventory(0)))
    assert isinstance(decision, Clear)
    assert decision.clearance.expires_at == NOW - timedelta(seconds=70) + GRACE + CLEARANCE_LIFE
    assert decision.clearance.by == "U1"


@pytest.mark.parametrize(
    ("found", "follows", "state"),
    [
        (CLEAN, None, QuestionState.CLEAN),
        (CLEAN, "q0", QuestionState.OPEN),
        (SHOWN, None, QuestionState.OPEN),
        (unseen(UNREACHED), None, QuestionState.OPEN),
        (inventory(0, files=0, rest="", why_unknown=WhyUnknown.CUT_SHORT), None, QuestionState.OPEN),
    ],
)
def test_only_a_clean_look_spares_the_question(found: Inventory, follows: str | None, state: QuestionState) -> None:
    asked = replace(question(QuestionState.LOOKING), follows=follows, fingerprint="")
    put = put_question(handed_over(LeaseState.READY), asked, found, NOW)
    assert (put.question.state, put.question.fingerprint) == (state, found.fingerprint)
    assert (put.lease.want is Want.RELEASED) == (state is QuestionState.CLEAN)


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


def test_nobody_else_has_what_makes_them() -> None:
    """The mint is spoken of nowhere else."""
    rooms = [p for room in ("bot", "handlers", "storage") for p in (PRODUCT / room).rglob("*.py")]
    names = {"_MINT"}
    found = set()
    for path in rooms:
        for node in ast.walk(ast.parse(path.read_text())):
            said = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            is_import = isinstance(node, ast.ImportFrom) and names & {alias.name for alias in node.names}
            if said in names or is_import:
                found.add(str(path.relative_to(PRODUCT)))
    assert found == {"bot/domain/release.py"}


def test_one_place_ends_instances() -> None:
    """Calls of ``release`` with two arguments, whatever the provider is called there: reference and clearance."""
    found = []
    for path in sorted(p for room in ("bot", "handlers", "storage") for p in (PRODUCT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            is_call = node.func.attr == "release" and len(node.args) + len(node.keywords) == 2
            if is_call and "providers" not in path.parts:
                found.append((str(path.relative_to(PRODUCT)), ast.unparse(node.args[-1])))
    assert found == [("bot/services/reconcile_lease/act.py", "clearance")]


def test_a_provider_takes_nothing_but_a_clearance() -> None:
    """As types: neither None nor anything that looks like one."""
    port = (PRODUCT / "bot" / "ports" / "provider.py").read_text()
    signatures = [
        ast.unparse(node.args)
        for path in [PRODUCT / "bot/ports/provider.py", *(PRODUCT / "bot/providers").rglob("provider.py")]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name == "release"
    ]
    assert signatures
    assert set(signatures) == {"self, ref: InstanceRef, clearance: Clearance"}
    assert "from bot.domain.release import Clearance" in port


def test_only_the_reconciler_hands_a_clearance_to_a_provider() -> None:
    ends = [path for path in sorted((PRODUCT / "bot").rglob("*.py")) if "provider.release(" in path.read_text()]
    assert [str(path.relative_to(PRODUCT)) for path in ends] == ["bot/services/reconcile_lease/act.py"]
