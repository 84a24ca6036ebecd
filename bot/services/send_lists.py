"""Send lists: hand whoever asked the whole list of what a question was about."""

from dataclasses import dataclass

import structlog

from bot.domain.claim import Claim, Duty
from bot.domain.inventory.list_wish import ListFile, ListWish
from bot.errors import NotifierError
from bot.ports.clock import Clock
from bot.ports.courier import Courier
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SendLists:
    """Reconciler of `Duty.LIST`; a thing is the wish's id. Words and file are at least once: after a crash between
    sending and storing its asker has the file twice."""

    store: Store
    courier: Courier
    faults: Faults
    clock: Clock
    most_at_once: int = 4
    duty: Duty = Duty.LIST

    def due(self) -> tuple[str, ...]:
        """Wishes that have not ended."""
        with self.store.read() as tx:
            return tx.lists.due(self.clock(), self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """One wish, to its end. Never again at once."""
        found = self._found(claim.thing)
        if found is None:
            return False
        wish = found.wish
        try:
            wish = wish.evolve(told=wish.told or self.courier.tell_list(found))
            self._save(claim, wish)
            if wish.told is not None:
                self.courier.send_list(found, wish.told)
                self.faults.reach(FaultPoint.LIST_SENT)
        except NotifierError as error:
            log.warning("list.not-sent", wish=wish.id, code=error.code)
            wait_s = error.wait_s
            self._save(claim, wish.failed(self.clock(), wait_s))
            return False
        self._save(claim, wish.evolve(ended_at=self.clock()))
        return False

    def _found(self, wish_id: str) -> ListFile | None:
        with self.store.read() as tx:
            wish = tx.lists.get(wish_id)
            question = tx.questions.get(wish.question_id) if wish is not None else None
            if wish is None or question is None or wish.ended_at is not None:
                return None
            lease, shown = tx.leases.get(question.lease_id), tx.looks.of(question.id).shown
            listed = tx.looks.listed(question.id)
        if lease is None or shown is None or listed is None:
            return None
        return ListFile(wish, question, lease, shown, listed)

    def _save(self, claim: Claim, wish: ListWish) -> None:
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.lists.save(wish)
