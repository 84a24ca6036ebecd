"""`disks`: kept data disks, and a wish to have one deleted."""

from bot.domain.commands import DiskDelete, Disks
from handlers.desk import Asked, Desk
from handlers.words.disks import asked_words, disks_words


def show(desk: Desk, asked: Asked, command: Disks) -> str:
    """One's own, one by name, or for approvers the whole team's."""
    if command.of_all:
        return disks_words(desk.disks.of_all(asked.actor), of_all=True)
    return disks_words(desk.disks.of(asked.actor, command.name))


def delete(desk: Desk, asked: Asked, command: DiskDelete) -> str:
    """Ask whether it may be deleted; the question comes in the thread of the machine that had it last."""
    return asked_words(desk.disks.ask(asked.actor, command.name))
