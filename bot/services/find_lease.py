"""Find the lease that somebody means: by its name, by the thread they speak in, or as their only one."""

from dataclasses import dataclass

from rapidfuzz import process

from bot.domain.lease import Lease
from bot.domain.people import Actor
from bot.domain.places import MessageRef, Place
from bot.errors import Refused
from bot.ports.store import Store


@dataclass(frozen=True, slots=True)
class FindLease:
    """Finds leases for commands."""

    store: Store

    def __call__(self, actor: Actor, name: str | None, place: Place) -> Lease:
        """The lease that is meant.

        Raises:
            Refused: ``no-such-lease`` (with near names), ``which-lease`` (several live ones), ``no-lease``.
        """
        with self.store.read() as tx:
            if name is not None:
                if (lease := tx.leases.by_name(name)) is not None:
                    return lease
                live = [lease.name for lease in tx.leases.live()]
                near = [found for found, _, _ in process.extract(name, live, limit=3, score_cutoff=60)]
                raise Refused("no-such-lease", name=name, near=tuple(near))
            if place.thread_ts is not None:
                here = tx.leases.in_thread(MessageRef(place.channel, place.thread_ts))
                if here is not None:
                    return here
            mine = tx.leases.live(actor.user)
        if not mine:
            raise Refused("no-lease")
        if len(mine) > 1:
            raise Refused("which-lease", names=tuple(lease.name for lease in mine))
        return mine[0]
