"""`key add`, `key list`, `key remove`."""

from bot.domain.commands import KeyAdd, KeyList, KeyRemove
from handlers.desk import Asked, Desk
from handlers.words import replies


def add(desk: Desk, asked: Asked, command: KeyAdd) -> str:
    """Remember a public key."""
    line, fingerprint, comment = desk.read_key(command.public_key)
    return replies.key_added(desk.keys.add(asked.actor, line, fingerprint, comment))


def list_keys(desk: Desk, asked: Asked, _command: KeyList) -> str:
    """The asker's keys."""
    return replies.key_list(desk.keys.mine(asked.actor))


def remove(desk: Desk, asked: Asked, command: KeyRemove) -> str:
    """Forget one, by its number or fingerprint."""
    which = str(command.number) if command.number is not None else command.fingerprint or ""
    return replies.key_removed(desk.keys.remove(asked.actor, which))
