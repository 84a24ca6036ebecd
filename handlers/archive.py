"""`watch` and `fetch`: what is looked at on a machine, and what the archive holds of it."""

from bot.domain.commands import Fetch, Watch
from bot.errors import Refused
from handlers.desk import Asked, Desk
from handlers.words.fetch import fetched_words, holdings_words
from handlers.words.watch import changed_words, watched_words


def watch(desk: Desk, asked: Asked, command: Watch) -> str:
    """Name paths that are looked at as well, or that can be had again; without a path: what is watched."""
    lease = desk.find(asked.actor, command.name, asked.place)
    if not command.paths:
        return watched_words(desk.watch.of(lease.id))
    changed = desk.watch.change(asked.actor, lease.id, command.action, command.paths, asked.delivery)
    return changed_words(changed, command.action)


def fetch(desk: Desk, asked: Asked, command: Fetch) -> str:
    """What the records say of it at once; what the archive itself says, and small files, directly to the asker."""
    name = command.lease or desk.fetch.in_thread(asked.place)
    if name is not None:
        return fetched_words(desk.fetch(asked.actor, name, command.path, asked.delivery))
    holdings = desk.fetch.holdings(asked.actor)
    if command.path is not None:
        if len(holdings) != 1:
            raise Refused("fetch-of-which", names=tuple(one.lease.name for one in holdings))
        folder = f"{holdings[0].lease.name}-{holdings[0].lease.id}"
        return fetched_words(desk.fetch(asked.actor, folder, command.path, asked.delivery))
    return holdings_words(holdings)
