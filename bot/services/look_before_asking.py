"""Look before asking: take the inventory of a machine that somebody wants released, then put the question."""

from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from bot.domain.claim import Claim, Duty
from bot.domain.departure import archived_facts, found_clean, owner_asked, put_question
from bot.domain.idle import IdleRule, is_unused
from bot.domain.inventory.inventory import Inventory
from bot.domain.inventory.listed import Listed
from bot.domain.question import QuestionState
from bot.ports.clock import Clock
from bot.ports.faults import FaultPoint, Faults
from bot.ports.running_jobs import RunningJobs
from bot.ports.store import Store
from bot.ports.surveyor import Surveyor
from bot.ports.wake import Wake

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class LookBeforeAsking:
    """Reconciler of `Duty.INVENTORY`; a thing is a lease's id. A crash before the question is stored means another
    look; the question is one row from the beginning, so there is never a second one."""

    store: Store
    surveyor: Surveyor
    jobs: RunningJobs
    wake: Wake
    faults: Faults
    clock: Clock
    rule: IdleRule
    most_at_once: int = 32
    duty: Duty = Duty.INVENTORY

    def due(self) -> tuple[str, ...]:
        """Leases whose question is being prepared."""
        with self.store.read() as tx:
            return tx.questions.looking(self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """Look once, and put the question; or let the release go on where nothing would be lost."""
        with self.store.read() as tx:
            lease, question = tx.leases.get(claim.thing), tx.questions.latest(claim.thing)
            known = tx.safe.known(claim.thing)
        if lease is None or question is None or question.state is not QuestionState.LOOKING:
            return False
        inventory = self.surveyor.inventory(lease, known, self.clock(), self.jobs.names(lease))
        listed = self.surveyor.listed(lease, known, inventory)
        self.faults.reach(FaultPoint.QUESTION_LOOKED)
        self._put(claim, question.id, inventory, listed, self.clock())
        self.faults.reach(FaultPoint.QUESTION_STORED)
        for duty in (Duty.LEASE, Duty.MESSAGE, Duty.NOTICE, Duty.ANSWER):
            self.wake.wake(duty)
        return False

    def _put(self, claim: Claim, question_id: str, inventory: Inventory, listed: Listed | None, now: datetime) -> None:
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            question, lease = tx.questions.lock(question_id), tx.leases.lock(claim.thing)
            if question is None or lease is None or question.state is not QuestionState.LOOKING:
                return
            if not lease.is_live:
                tx.questions.save(replace(question, state=QuestionState.SUPERSEDED))
                return
            unused = is_unused(tx.use.get(lease.id), now, self.rule)
            asked = put_question(lease, question, inventory, now, is_unused=unused)
            tx.looks.show(question_id, inventory)
            if listed is not None:
                tx.looks.keep_list(question_id, listed)
            tx.questions.save(asked.question)
            tx.leases.save(asked.lease, now)
            tx.audit.add(asked.entry)
            if asked.question.state is QuestionState.CLEAN:
                facts = archived_facts(tx.safe.archived(lease.id), tx.syncs.latest(lease.id))
                tx.outbox.put(found_clean(lease, asked.question, facts), now)
            elif question.is_of_another(lease.owner) and question.owner_first_until is None:
                tx.outbox.put(owner_asked(lease, asked.question), now)
            log.info("question.put", lease=lease.id, verdict=inventory.verdict, state=asked.question.state)
