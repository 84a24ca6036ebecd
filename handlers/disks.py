"""`disks`: kept data disks, and the question before one is deleted."""

from bot.domain.commands import DiskDelete, Disks
from handlers.desk import Asked, Desk
from handlers.words.disks import asked_words, disks_words


def show(desk: Desk, asked: Asked, command: Disks) -> str:
    """One's own, or one by name."""
    return disks_words(desk.disks.of(asked.actor, command.name))


def delete(desk: Desk, asked: Asked, command: DiskDelete) -> str:
    """Ask whether it may be deleted; the question comes in the thread of the machine that had it last."""
    return asked_words(desk.disks.ask(asked.actor, command.name))


def press(desk: Desk, asked: Asked, disk_id: str, *, delete: bool) -> None:
    """✅ or ❌ on the question. The question itself shows the answer to everybody."""
    desk.disks.answer(asked.actor, disk_id, delete=delete)
