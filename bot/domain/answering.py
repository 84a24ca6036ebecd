"""Who may answer a question, how, and from when: one rule for buttons, reactions, and reactions that are read later."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.domain.disk import Disk
from bot.domain.inventory.inventory import Inventory, Verdict
from bot.domain.lease import Lease
from bot.domain.policy import Policy
from bot.domain.question import Answer, Question, QuestionState
from bot.errors import Refused

GIB: Final = 1024**3
ANSWERABLE: Final = frozenset({QuestionState.OPEN, QuestionState.SAVING, QuestionState.YES})
Asked = Lease | Disk
"""What a question is about: a machine, by its lease, or a kept disk."""


def needs_approver(shown: Inventory | None, policy: Policy) -> bool:
    """Whether a yes needs an approver who did not ask: above the team's size, and where the size is not known."""
    if policy.release_approver_above_bytes is None:
        return False
    if shown is None or shown.verdict is Verdict.UNKNOWN:
        return True
    return shown.size_bytes > policy.release_approver_above_bytes


def check_answer(
    about: Asked, question: Question, shown: Inventory | None, user: str, answer: Answer, policy: Policy, now: datetime
) -> None:
    """Nothing where the answer of ``user``, who may answer at all, counts now. 💾 and ❌ lose nothing: they always do.

    Raises:
        Refused: ``yes-needs-approver``, or ``owner-first`` with the moment from which it counts, if that is known.
    """
    if answer is not Answer.YES:
        return
    if needs_approver(shown, policy) and (user not in policy.approvers or user == question.asked_by):
        raise Refused("yes-needs-approver", name=about.name, above_bytes=policy.release_approver_above_bytes)
    if user == about.owner or not question.is_of_another(about.owner):
        return
    if question.owner_first_until is None or now < question.owner_first_until:
        raise Refused("owner-first", name=about.name, owner=about.owner, counts_from=question.owner_first_until)


def sign_occasion(question_id: str, user: str, answer: Answer) -> str:
    """Unique for what somebody is told of a reaction of theirs."""
    return f"sign:{question_id}:{user}:{answer}"


@dataclass(frozen=True, slots=True)
class Sign:
    """The reactions of one kind under a question, as they were read. They have no times."""

    answer: Answer
    users: tuple[str, ...]
    unnamed: int = 0
    """So many more were given by people who were not told: they count for nothing."""


@dataclass(frozen=True, slots=True)
class Said:
    """An answer that reactions amount to."""

    answer: Answer
    by: tuple[str, ...]
    """Any of whom may give it, in this order."""
    against: tuple[str, ...] = ()
    """People whose other sign does not count beside it."""


def said(question: Question, signs: Mapping[Answer, Sign], may: frozenset[str]) -> Said | None:
    """What the signs of people who ``may`` answer amount to; None: nothing new.

    Of contradicting signs the one counts that loses less: ❌ before 💾 before ✅. A yes that was given as a reaction
    which is no longer there was taken back; but not where some people were not told.
    """
    nos, saves, yeses = (
        tuple(user for user in signs[answer].users if user in may) if answer in signs else ()
        for answer in (Answer.NO, Answer.SAVE, Answer.YES)
    )
    if nos:
        return Said(Answer.NO, nos, tuple(dict.fromkeys((*yeses, *saves))))
    if question.state is QuestionState.OPEN:
        if saves:
            return Said(Answer.SAVE, saves, yeses)
        return Said(Answer.YES, yeses) if yeses else None
    by = question.answered_by
    if question.signed_at is None or by is None:
        return None
    given = signs.get(Answer.YES if question.state is QuestionState.YES else Answer.SAVE)
    if given is None or (by not in given.users and not given.unnamed):
        return Said(Answer.NO, (by,))
    return None


@dataclass(frozen=True, slots=True)
class Reading:
    """When reactions are read rather than heard of."""

    connected_at: datetime
    """What was given before may not have been heard."""
    every_s: float

    def is_due(self, question: Question, now: datetime, grace_s: float) -> bool:
        """Whether the signs under ``question`` are to be read now."""
        last = question.signs_read_at or question.asked_at
        moments = [question.owner_first_until]
        if question.state is QuestionState.YES and question.answered_at is not None:
            moments.append(ripe_at(question.answered_at, grace_s))
        passed = any(moment is not None and last < moment <= now for moment in moments)
        return last < self.connected_at or passed or (now - last).total_seconds() >= self.every_s


def ripe_at(answered_at: datetime, grace_s: float) -> datetime:
    """When the grace of a yes is over."""
    return answered_at + timedelta(seconds=grace_s)
