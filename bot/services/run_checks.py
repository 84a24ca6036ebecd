"""Run checks: look at machines whose checklist somebody asked for. Load, close, act, apply."""

from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from bot.domain.checklist import Checklist
from bot.domain.claim import Claim, Duty
from bot.domain.health import unreachable
from bot.domain.health.expected import expected_of
from bot.domain.instance import Capabilities
from bot.domain.lease import Lease
from bot.domain.notice import Notice, NoticeKind
from bot.domain.problem import Facts
from bot.errors import GpubotError
from bot.ports.clock import Clock
from bot.ports.examiner import Examiner
from bot.ports.faults import FaultPoint, Faults
from bot.ports.remote import Login
from bot.ports.store import Store
from bot.ports.vault import Vault
from bot.ports.wake import Wake

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class RunChecks:
    """Reconciler of `Duty.CHECK`; a thing is a lease's id. A crash after the look means another look; the result is
    told once for each wish."""

    store: Store
    examiner: Examiner
    vault: Vault
    wake: Wake
    faults: Faults
    clock: Clock
    capabilities: Mapping[str, Capabilities]
    most_at_once: int = 32
    duty: Duty = Duty.CHECK

    def due(self) -> tuple[str, ...]:
        """Leases that somebody wants looked at."""
        with self.store.read() as tx:
            asked = tx.checks.open(self.most_at_once)
        return tuple(dict.fromkeys(check.lease_id for check in asked))

    def step(self, claim: Claim) -> bool:
        """One look for all that is asked of this lease. Never again at once."""
        with self.store.read() as tx:
            lease, asked = tx.leases.get(claim.thing), tx.checks.of(claim.thing)
        if lease is None or not asked:
            return False
        checklist = self._look(lease)
        self.faults.reach(FaultPoint.CHECK_LOOKED)
        now = self.clock()
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.checks.done([check.id for check in asked], now)
            lease = tx.leases.lock(claim.thing)
            if lease is None:
                return False
            tx.leases.save(lease.evolve(checklist=checklist), now)
            for check in asked:
                facts: Facts = {"by": check.asked_by}
                tx.outbox.put(Notice(f"check:{check.id}", NoticeKind.CHECKED, lease.id, facts=facts), now)
        self.wake.wake(Duty.NOTICE)
        self.wake.wake(Duty.MESSAGE)
        return False

    def _look(self, lease: Lease) -> Checklist:
        """A machine that cannot be reached has a checklist too: of what could not be looked at."""
        now = self.clock()
        able = self.capabilities.get(lease.offer.provider)
        expected = expected_of(lease.offer, able, lease.volume_id)
        if able is None or lease.address is None:
            return unreachable(expected, "no-such-provider" if able is None else "unreachable", now)
        try:
            login = Login(lease.address, self.vault.unseal(lease.sealed_private_key))
            return self.examiner.health(login, expected, now).checklist
        except GpubotError as error:
            log.info("check.not-reached", lease=lease.id, code=error.code)
            return unreachable(expected, error.code, now)
