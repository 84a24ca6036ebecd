"""What people see and say of questions: messages, reactions and presses. Behind the port `Signs`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from bot.domain.answering import Sign
from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.domain.question import Answer
from bot.errors import SlackBusy

if TYPE_CHECKING:
    from tests.soak.judge import Look

TEAM: Final = "T1"
OWNER: Final = "U1"
APPROVER: Final = "U2"
STRANGER: Final = "U3"


@dataclass(frozen=True, slots=True)
class Yes:
    """A ✅, valid or not. ``shown``: what its message said; ``is_sign``: a reaction, which can be taken back."""

    question_id: str
    by: str
    at: datetime
    shown: "Look | None"
    is_sign: bool


@dataclass
class Spell:
    """A reaction, from when to when."""

    question_id: str
    answer: Answer
    by: str
    since: datetime
    until: datetime | None = None

    def is_there(self, at: datetime) -> bool:
        return self.since <= at and (self.until is None or self.until > at)


@dataclass
class Board:
    """``hears``: the bot is told of reactions as they are made; ``answers``: they can be read."""

    approvers: frozenset[str] = frozenset({APPROVER})
    approver_above_bytes: int = 2_000
    owner_first: timedelta = timedelta(seconds=120)
    hears: bool = True
    answers: bool = True
    posted: "dict[str, Look | None]" = field(default_factory=dict)
    """What each question's message shows, oldest first."""
    told_owner_at: dict[str, datetime] = field(default_factory=dict)
    spells: list[Spell] = field(default_factory=list)
    presses: list[Yes] = field(default_factory=list)
    kept: list[tuple[str, datetime]] = field(default_factory=list)
    """Questions of which people were told that nothing is released."""

    def read(self, message: MessageRef) -> Mapping[Answer, Sign] | None:
        """See `Signs.read`."""
        if not self.answers:
            raise SlackBusy(1.0)
        now = [spell for spell in self.spells if spell.question_id == message.ts and spell.until is None]
        return {
            answer: Sign(answer, tuple(spell.by for spell in now if spell.answer is answer))
            for answer in {spell.answer for spell in now}
        }

    def person(self, user: str) -> Actor | None:
        """See `Signs.person`."""
        return Actor(user, TEAM)

    def may(self, user: str, owner: str) -> bool:
        """Whether anything that they answer counts."""
        return user == owner or user in self.approvers

    def yeses(self) -> Iterator[Yes]:
        """All that were ever given."""
        yield from self.presses
        for spell in self.spells:
            if spell.answer is Answer.YES:
                shown = self.posted.get(spell.question_id)
                yield Yes(spell.question_id, spell.by, spell.since, shown, is_sign=True)

    def stands(self, yes: Yes, owner: str, ripe_at: datetime) -> bool:
        """Whether it was still there when its grace was over, and nobody who may had said no by then."""
        of_it = [spell for spell in self.spells if spell.question_id == yes.question_id and spell.is_there(ripe_at)]
        if yes.is_sign and not any(spell.answer is Answer.YES and spell.by == yes.by for spell in of_it):
            return False
        if any(spell.answer is Answer.NO and self.may(spell.by, owner) for spell in of_it):
            return False
        return not any(question_id == yes.question_id and at >= yes.at for question_id, at in self.kept)

    def owner_counts_from(self, question_id: str) -> datetime | None:
        """When somebody else's yes begins to count, where somebody else asked."""
        told_at = self.told_owner_at.get(question_id)
        return None if told_at is None else told_at + self.owner_first
