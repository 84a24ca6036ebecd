"""Keep homes: the page of everybody who looked at theirs lately shows what is stored."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog

from bot.domain.claim import Claim, Duty
from bot.domain.home import FIGURES_AGE, LOOKED_AT, Home, HomeView, is_worth_publishing
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.errors import NotifierError, SlackBusy
from bot.ports.clock import Clock
from bot.ports.faults import FaultPoint, Faults
from bot.ports.home_store import HomePublisher
from bot.ports.store import Store, Tx

log = structlog.get_logger()
RETRY_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class KeepHomes:
    """Reconciler of `Duty.HOME`; a thing is a person. Publishing the same page twice does no harm, so a crash in
    between needs nothing but the next round."""

    store: Store
    read: Callable[[Actor], HomeView]
    publisher: HomePublisher
    faults: Faults
    clock: Clock
    policy: Policy
    most_at_once: int = 16
    duty: Duty = Duty.HOME

    def due(self) -> tuple[str, ...]:
        """People whose home has something to tell: those just opened first, those with new figures last."""
        now = self.clock()
        with self.store.read() as tx:
            homes = [h for h in tx.homes.open(now - LOOKED_AT) if h.next_try_at is None or h.next_try_at <= now]
            news = self._news(tx, homes)
        opened = [h.user for h in homes if h.looked_at is None or h.looked_at <= h.opened_at]
        changed = [h.user for h in homes if h.news != news[h.user]]
        older = [h.user for h in homes if h.looked_at is not None and now - h.looked_at >= FIGURES_AGE]
        return tuple(dict.fromkeys((*opened, *changed, *older)))[: self.most_at_once]

    def step(self, claim: Claim) -> bool:
        """Publish one home if it would look different."""
        with self.store.read() as tx:
            home = tx.homes.get(claim.thing)
            # before the rest is read: what changes meanwhile is news the next time
            news = "" if home is None else self._news(tx, [home])[home.user]
        if home is None:
            return False
        actor = Actor(home.user, home.team_id)
        if denied(self.policy, actor, Action.LOOK) is not None:
            with self.store.transaction() as tx:
                tx.claims.check(claim)
                tx.homes.forget(home.user)
            return False
        view = self.read(actor)
        if not is_worth_publishing(home, view.states, self.clock()):
            with self.store.transaction() as tx:
                tx.claims.check(claim)
                tx.homes.looked(home, news, self.clock())
            return False
        try:
            content = self.publisher.publish(view, home.content)
        except NotifierError as error:
            self._later(claim, home, error)
            return False
        self.faults.reach(FaultPoint.HOME_PUBLISHED)
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.homes.shown(home, content, view.states, news, view.now)
        return False

    def _news(self, tx: Tx, homes: list[Home]) -> dict[str, str]:
        users = [home.user for home in homes]
        return dict(tx.homes.news(users, self.policy.approvers.intersection(users), self.clock()))

    def _later(self, claim: Claim, home: Home, error: NotifierError) -> None:
        wait_s = error.wait_s if error.wait_s is not None else RETRY_S * 2 ** min(home.attempts, 6)
        if not isinstance(error, SlackBusy):
            log.warning("home.unpublished", user=home.user, code=error.code)
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            tx.homes.postpone(home, self.clock() + timedelta(seconds=wait_s))
