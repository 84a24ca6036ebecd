"""Watch paths: somebody names paths on a machine that are looked at as well, or that can be had again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.domain.audit import AuditEntry
from bot.domain.commands import WatchAction
from bot.domain.instance import Capabilities
from bot.domain.inventory.names import path_of
from bot.domain.inventory.request import Watch
from bot.domain.inventory.watched import watch_of
from bot.domain.inventory.wishes import Treatment, WatchedPath, watch_with, why_not_watched
from bot.domain.lease import Lease
from bot.domain.operating import of_a_live_one
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.domain.problem import Facts
from bot.errors import Refused
from bot.ports.clock import Clock
from bot.ports.store import Store, Tx


@dataclass(frozen=True, slots=True)
class Watched:
    """What is looked at on a lease's machine."""

    lease: Lease
    always: tuple[str, ...]
    """What every machine of its provider has watched."""
    wishes: tuple[WatchedPath, ...]


@dataclass(frozen=True, slots=True)
class WatchPaths:
    """Takes the wish; every look from then on goes by it. Raises `Refused` for whatever it does not do."""

    store: Store
    clock: Clock
    policy: Policy
    capabilities: Mapping[str, Capabilities]

    def of(self, lease_id: str) -> Watched:
        """What is watched."""
        with self.store.read() as tx:
            lease = tx.leases.get(lease_id)
            if lease is None:
                raise Refused("no-lease")
            return Watched(lease, self._always(lease).roots, tx.watched.of(lease_id))

    def change(self, actor: Actor, lease_id: str, action: WatchAction, paths: Sequence[str], delivery: str) -> Watched:
        """All of ``paths``, as they were typed, or none. What makes the question show less is for those alone who
        may answer it."""
        now = self.clock()
        named = tuple(dict.fromkeys(path_of(path) for path in paths))
        with self.store.transaction() as tx:
            lease = of_a_live_one(tx.leases.lock(lease_id))
            self._may(actor, lease, action, tx.watched.of(lease_id), named)
            if tx.inbox.first_time(delivery, now):
                for path in named:
                    self._one(tx, WatchedPath(lease_id, path, _TREATMENTS[action], actor.user, now), lease, action)
                facts: Facts = {"paths": " ".join(path.decode("utf-8", "backslashreplace") for path in named)}
                tx.audit.add(AuditEntry(now, actor.user, f"watch-{action}", lease_id, facts))
            return Watched(lease, self._always(lease).roots, tx.watched.of(lease_id))

    def _may(
        self, actor: Actor, lease: Lease, action: WatchAction, before: Sequence[WatchedPath], named: Sequence[bytes]
    ) -> None:
        treated = {wish.path: wish.treatment for wish in before}
        unwatches = any(treated.get(path) is Treatment.ADDED for path in named)
        shows_less = action is WatchAction.SKIP or (action is WatchAction.REMOVE and unwatches)
        needed = Action.FETCH if shows_less else Action.OPERATE
        if (denial := denied(self.policy, actor, needed, lease.owner)) is not None:
            raise Refused(denial, owner=lease.owner, name=lease.name, shows_less=shows_less)

    def _one(self, tx: Tx, wish: WatchedPath, lease: Lease, action: WatchAction) -> None:
        if action is WatchAction.REMOVE:
            if not tx.watched.remove(lease.id, wish.path):
                raise Refused("not-watched", name=lease.name, path=wish.path)
            return
        before = tx.watched.of(lease.id)
        watch = watch_with(self._always(lease), before)
        if (why := why_not_watched(wish.path, wish.treatment, watch, len(before))) is not None:
            raise Refused(why, name=lease.name, path=wish.path)
        tx.watched.put(wish)

    def _always(self, lease: Lease) -> Watch:
        able = self.capabilities.get(lease.offer.provider)
        return watch_of(able, lease) if able is not None else Watch.of("")


_TREATMENTS = {
    WatchAction.ADD: Treatment.ADDED,
    WatchAction.SKIP: Treatment.SKIPPED,
    WatchAction.REMOVE: Treatment.ADDED,
}
