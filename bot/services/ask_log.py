"""Ask for a job's output as a file: write the wish down; a reconciler reads it from the machine and hands it over."""

from dataclasses import dataclass

from bot.domain.claim import Duty
from bot.domain.jobs.job import Job
from bot.domain.jobs.log_file import LogWish
from bot.domain.people import Actor
from bot.ports.clock import Clock, NewId
from bot.ports.store import Store
from bot.ports.wake import Wake


@dataclass(frozen=True, slots=True)
class AskLog:
    """Takes wishes for files. Whoever may read a job's last lines may have all of them."""

    store: Store
    wake: Wake
    clock: Clock
    new_id: NewId

    def __call__(self, actor: Actor, job: Job, delivery: str) -> None:
        """Once a delivery."""
        now = self.clock()
        with self.store.transaction() as tx:
            if not tx.inbox.first_time(delivery, now):
                return
            tx.logs.add(LogWish(self.new_id(), job.id, actor.user, now))
        self.wake.wake(Duty.LOG)
