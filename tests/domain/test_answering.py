"""Who may say yes and from when; what reactions amount to that were read and not heard of."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bot.domain.answering import GIB, Reading, Said, Sign, check_answer, said
from bot.domain.departure import put_question
from bot.domain.inventory.inventory import Inventory, WhyUnknown, unknown
from bot.domain.lease import LeaseState
from bot.domain.policy import Policy
from bot.domain.question import Answer, Cause, Question, QuestionState
from bot.errors import Refused
from tests.domain.lifecycle.sample import NOW, SHOWN, handed_over, inventory, question

Q, A = QuestionState, Answer
OWNER, BEN, BOB = "U1", "U2", "U3"
POLICY = Policy(approvers=frozenset({BEN, BOB}))
SIZED = replace(POLICY, release_approver_above_bytes=GIB)
BIG, CLEAN = inventory(size_bytes=GIB + 1), inventory(files=0, size_bytes=0, rest="0" * 32)
MINUTE = timedelta(minutes=1)
LEASE = handed_over(LeaseState.READY)


def refusal(
    asked: Question, user: str, answer: Answer = A.YES, shown: Inventory = SHOWN, policy: Policy = POLICY
) -> str:
    try:
        check_answer(LEASE, asked, shown, user, answer, policy, NOW)
    except Refused as refused:
        return refused.reason
    return ""


def asked_by(user: str, owner_first_until: datetime | None = None, cause: Cause | None = None) -> Question:
    return replace(question(Q.OPEN), asked_by=user, owner_first_until=owner_first_until, cause=cause)


@pytest.mark.parametrize(
    ("asked", "user", "answer", "reason"),
    [
        (asked_by(BEN), OWNER, A.YES, ""),
        (asked_by(BEN), BEN, A.YES, "owner-first"),  # the owner was not told yet
        (asked_by(BEN, NOW + MINUTE), BOB, A.YES, "owner-first"),
        (asked_by(BEN, NOW), BEN, A.YES, ""),
        (asked_by(BEN), BEN, A.NO, ""),
        (asked_by(BEN), BEN, A.SAVE, ""),
        (asked_by(OWNER), BEN, A.YES, ""),
        (asked_by("gpubot", cause=Cause.LEASE_END), BEN, A.YES, ""),
    ],
)
def test_the_owner_has_the_word_first(asked: Question, user: str, answer: Answer, reason: str) -> None:
    assert refusal(asked, user, answer) == reason


@pytest.mark.parametrize(
    ("asker", "user", "shown", "answer", "reason"),
    [
        (OWNER, OWNER, SHOWN, A.YES, ""),
        (OWNER, OWNER, BIG, A.YES, "yes-needs-approver"),
        (OWNER, OWNER, BIG, A.NO, ""),
        (OWNER, OWNER, BIG, A.SAVE, ""),
        (OWNER, BEN, BIG, A.YES, ""),
        (OWNER, OWNER, unknown(WhyUnknown.UNREACHABLE, NOW), A.YES, "yes-needs-approver"),
        ("gpubot", OWNER, BIG, A.YES, "yes-needs-approver"),
        ("gpubot", BEN, BIG, A.YES, ""),
    ],
)
def test_above_a_size_an_approver_who_did_not_ask(
    asker: str, user: str, shown: Inventory, answer: Answer, reason: str
) -> None:
    asked = asked_by(asker, cause=Cause.IDLE if asker == "gpubot" else None)
    assert refusal(asked, user, answer, shown, SIZED) == reason


def test_an_approver_who_asks_for_a_big_one_needs_another() -> None:
    mine = asked_by(BEN, NOW)
    assert refusal(mine, BEN, A.YES, BIG, SIZED) == "yes-needs-approver"
    assert refusal(mine, BOB, A.YES, BIG, SIZED) == ""


@pytest.mark.parametrize(
    ("asked", "is_unused", "state"),
    [
        (asked_by(OWNER), False, Q.CLEAN),
        (asked_by(BEN), True, Q.OPEN),  # somebody else's machine does not go without a word
        (asked_by("gpubot", cause=Cause.LEASE_END), True, Q.CLEAN),
        (asked_by("gpubot", cause=Cause.LEASE_END), False, Q.OPEN),  # somebody may be at work on it
        (asked_by("gpubot", cause=Cause.IDLE), True, Q.OPEN),  # its lease has not ended
    ],
)
def test_where_nothing_would_be_lost_it_may_still_be_asked(
    asked: Question, is_unused: bool, state: QuestionState
) -> None:
    looking = replace(asked, state=Q.LOOKING, fingerprint="")
    assert put_question(LEASE, looking, CLEAN, NOW, is_unused=is_unused).question.state is state


ALL = frozenset({OWNER, BEN})


def signs(yes: str = "", save: str = "", no: str = "", unnamed: int = 0) -> dict[Answer, Sign]:
    given = {A.YES: yes, A.SAVE: save, A.NO: no}
    return {answer: Sign(answer, tuple(users.split()), unnamed) for answer, users in given.items() if users or unnamed}


def signed(state: QuestionState, by: str = OWNER) -> Question:
    return question(state).answered(state, by, NOW, by_sign=True)


@pytest.mark.parametrize(
    ("asked", "read", "found"),
    [
        (question(Q.OPEN), signs(), None),
        (question(Q.OPEN), signs(yes="U1"), Said(A.YES, ("U1",))),
        (question(Q.OPEN), signs(yes="U9 U2"), Said(A.YES, ("U2",))),
        (question(Q.OPEN), signs(yes="U9"), None),  # has left, or may not
        (question(Q.OPEN), signs(unnamed=3), None),  # nobody knows who they are
        (question(Q.OPEN), signs(yes="U1", no="U1"), Said(A.NO, ("U1",), ("U1",))),
        (question(Q.OPEN), signs(yes="U1", no="U2"), Said(A.NO, ("U2",), ("U1",))),
        (question(Q.OPEN), signs(yes="U1", no="U9"), Said(A.YES, ("U1",))),
        (question(Q.OPEN), signs(yes="U1", save="U2"), Said(A.SAVE, ("U2",), ("U1",))),
        (signed(Q.YES), signs(yes="U1"), None),
        (signed(Q.YES), signs(yes="U1", no="U2"), Said(A.NO, ("U2",), ("U1",))),
        (signed(Q.YES), signs(), Said(A.NO, ("U1",))),  # taken back
        (signed(Q.YES), signs(yes="U2"), Said(A.NO, ("U1",))),
        (signed(Q.YES), signs(yes="U2", unnamed=1), None),  # they may be the one who is not named
        (signed(Q.SAVING), signs(yes="U1"), Said(A.NO, ("U1",))),
        (signed(Q.SAVING), signs(save="U1"), None),
        (question(Q.YES, 5), signs(), None),  # by a button: there never was a reaction
    ],
)
def test_what_signs_amount_to(asked: Question, read: dict[Answer, Sign], found: Said | None) -> None:
    assert said(asked, read, ALL) == found


@pytest.mark.parametrize(
    ("asked", "is_due"),
    [
        (replace(question(Q.OPEN), signs_read_at=None), True),  # asked before we listened
        (replace(question(Q.OPEN), signs_read_at=NOW - MINUTE), False),
        (replace(question(Q.OPEN), signs_read_at=NOW - 3 * MINUTE), True),
        (replace(question(Q.OPEN), signs_read_at=NOW - MINUTE, owner_first_until=NOW), True),
        (replace(question(Q.OPEN), signs_read_at=NOW - MINUTE, owner_first_until=NOW + MINUTE), False),
        (replace(question(Q.YES, 60), signs_read_at=NOW - MINUTE), True),  # its grace is just over
        (replace(question(Q.YES, 59), signs_read_at=NOW - MINUTE), False),
    ],
)
def test_when_signs_are_read(asked: Question, is_due: bool) -> None:
    assert Reading(NOW - 2 * MINUTE, 150).is_due(asked, NOW, 60) is is_due
