"""Ask for the whole list of what a question was about: write the wish down; a reconciler hands the file over."""

from dataclasses import dataclass

from bot.domain.claim import Duty
from bot.domain.inventory.list_wish import ListWish
from bot.domain.people import Actor
from bot.domain.question import Question
from bot.ports.clock import Clock, NewId
from bot.ports.store import Store
from bot.ports.wake import Wake


@dataclass(frozen=True, slots=True)
class AskList:
    """Takes wishes of people who may see what a question showed."""

    store: Store
    wake: Wake
    clock: Clock
    new_id: NewId

    def __call__(self, actor: Actor, question: Question, delivery: str) -> None:
        """Once a delivery."""
        now = self.clock()
        with self.store.transaction() as tx:
            if not tx.inbox.first_time(delivery, now):
                return
            tx.lists.add(ListWish(self.new_id(), question.id, actor.user, now))
        self.wake.wake(Duty.LIST)
