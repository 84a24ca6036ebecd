"""Read questions: what was asked about a machine, what was shown, and what became of it."""

from dataclasses import dataclass

from bot.domain.answering import Asked
from bot.domain.inventory.inventory import Inventory
from bot.domain.inventory.listed import Listed
from bot.domain.lease import Lease
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.domain.question import Question
from bot.errors import Refused
from bot.ports.asked_about import asked_about
from bot.ports.store import Store


@dataclass(frozen=True, slots=True)
class Shown:
    """One question on record."""

    lease: Lease
    question: Question
    inventory: Inventory | None
    listed: Listed | None


@dataclass(frozen=True, slots=True)
class ReadQuestions:
    """Answers from what is stored. Names of files are for the owner and for approvers."""

    store: Store
    policy: Policy

    def asked_about(self, question_id: str) -> Asked:
        """The lease or the kept disk that a question is about.

        Raises:
            Refused: ``no-such-question``.
        """
        with self.store.read() as tx:
            question = tx.questions.get(question_id)
            about = asked_about(tx, question) if question is not None else None
        if about is None:
            raise Refused("no-such-question", number=question_id)
        return about

    def shown(self, actor: Actor, lease: Lease, number: str) -> Shown:
        """The question of ``lease`` whose id begins with ``number``.

        Raises:
            Refused: ``no-such-question``, or a denial of the policy.
        """
        if (denial := denied(self.policy, actor, Action.DESTROY, lease.owner)) is not None:
            raise Refused(denial, owner=lease.owner, name=lease.name, lists=True)
        with self.store.read() as tx:
            found = [question for question in tx.questions.of(lease.id) if question.id.startswith(number)]
            if len(found) != 1:
                raise Refused("no-such-question", name=lease.name, number=number)
            looks, listed = tx.looks.of(found[0].id), tx.looks.listed(found[0].id)
        return Shown(lease, found[0], looks.shown, listed)
