"""Questions: what was asked before a release or the deletion of a kept disk, and what became of it."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from bot.domain.inventory.compare import Change
from bot.domain.inventory.inventory import Inventory, Verdict
from bot.domain.places import MessageRef


class QuestionState(StrEnum):
    """A question is live until it is answered no, carried out or superseded."""

    LOOKING = "looking"
    """A release is wanted; the machine is being looked at, and nothing is asked yet."""
    OPEN = "open"
    SAVING = "saving"
    """Answered 💾: what is on it is being copied and verified."""
    YES = "yes"
    CLEAN = "clean"
    """Nothing on it would be lost, so nobody has to say yes."""
    NO = "no"
    SUPERSEDED = "superseded"


class Answer(StrEnum):
    """What a person may say to a question."""

    YES = "yes"
    """Release it and lose what is on it."""
    SAVE = "save"
    """Copy and verify what is on it, then release it if that leaves nothing."""
    NO = "no"


class Cause(StrEnum):
    """What asks where it is not a person who asks now: a clock, or the end of a job that somebody gave the wish to."""

    LEASE_END = "lease-end"
    IDLE = "idle"
    AFTER_JOB = "after-job"
    """``asked_by`` wanted it so when they started the job."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question about the machine of one lease, or about one kept disk. There is one live one of each.

    A yes to it covers one inventory: the one it showed, of which ``fingerprint`` is kept here.
    """

    id: str
    lease_id: str
    asked_by: str
    asked_at: datetime
    state: QuestionState = QuestionState.OPEN
    answered_by: str | None = None
    answered_at: datetime | None = None
    message: MessageRef | None = None
    fingerprint: str = ""
    """Of the inventory that it shows; empty as long as there is none."""
    follows: str | None = None
    """The question whose answer could not be carried out: this one is always put to a person."""
    changes: tuple[Change, ...] = ()
    """In what the machine then differed from what that one showed."""
    sync_id: str | None = None
    """The copy that was made before it was asked (anew)."""
    cause: Cause | None = None
    """What asks; None: ``asked_by``, a person."""
    owner_first_until: datetime | None = None
    """Where somebody else asks: an approver's yes counts from here on; None: the owner was not told yet."""
    signed_at: datetime | None = None
    """When it was answered, where that was by a reaction; None: by a button, or not at all."""
    signs_read_at: datetime | None = None
    """When the reactions under it were last read, rather than heard of."""
    after_job: str | None = None
    """The job whose end asks, as people call it."""
    disk_id: str | None = None
    """The kept disk that it is about, which ``lease_id``'s machine had last; None: it is about that machine."""

    def looked(self, inventory: Inventory, at: datetime, *, must_ask: bool = False) -> "Question":
        """What the look makes of it: a question to a person, or leave to go on where nothing would be lost.

        ``must_ask``: it is put to people also where nothing would be lost.
        """
        if inventory.verdict is Verdict.CLEAN and self.follows is None and not must_ask:
            return replace(
                self,
                state=QuestionState.CLEAN,
                fingerprint=inventory.fingerprint,
                answered_by=self.answered_by or self.asked_by,
                answered_at=at,
            )
        return replace(self, state=QuestionState.OPEN, fingerprint=inventory.fingerprint)

    def with_owner_first(self, until: datetime) -> "Question":
        """The question once it is known from when an approver's yes counts."""
        return replace(self, owner_first_until=until)

    def with_sync(self, sync_id: str) -> "Question":
        """The question with the copy that is made before it is decided."""
        return replace(self, sync_id=sync_id)

    def answered(self, state: QuestionState, by: str, at: datetime, *, by_sign: bool = False) -> "Question":
        """The question with its answer; ``by_sign``: by a reaction, which may be taken back."""
        return replace(self, state=state, answered_by=by, answered_at=at, signed_at=at if by_sign else None)

    @property
    def is_live(self) -> bool:
        """Not at its end: being prepared, waiting for an answer, or with one that can still be taken back."""
        return self.state not in (QuestionState.NO, QuestionState.SUPERSEDED)

    @property
    def is_the_clocks(self) -> bool:
        """Nobody asks in person or has answered: whoever wants the machine longer takes it back by saying so."""
        waits = self.state in (QuestionState.LOOKING, QuestionState.OPEN, QuestionState.CLEAN)
        return self.cause is not None and waits

    def is_of_another(self, owner: str) -> bool:
        """A person asks, or had the end of their job ask, who is not the machine's owner."""
        return self.cause in (None, Cause.AFTER_JOB) and self.asked_by != owner

    def is_yes_of(self, user: str) -> bool:
        """Whether it goes on by that person's answer, which they may take back."""
        return self.state in (QuestionState.YES, QuestionState.SAVING) and self.answered_by == user
