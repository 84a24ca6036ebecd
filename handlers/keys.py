"""`key add`, `key list`, `key remove`."""

from bot.domain.commands import KeyAdd, KeyList, KeyRemove, Refusal
from bot.domain.near import near
from handlers.desk import Asked, Desk
from handlers.words import replies
from handlers.words.refusals import what_is_wrong


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


def no_choice(desk: Desk, asked: Asked, refusal: Refusal) -> str:
    """A key was named as it is not to be: by its comment, mostly, which need not be unique."""
    keys = desk.keys.mine(asked.actor)
    alike = near(refusal.word, (key.comment for key in keys))
    meant = [(number, key.comment) for number, key in enumerate(keys, 1) if key.comment in alike]
    return f"{what_is_wrong(refusal)} {replies.key_meant(meant)}"
