"""`sync` and `audit`, and reactions as answers to a question."""

from typing import Final

from bot.domain.commands import Audit, Sync
from bot.domain.question import Answer
from bot.errors import Refused
from handlers.desk import Asked, Desk
from handlers.words import replies
from handlers.words.audit import audit_words, is_cut, shown_words

REACTIONS: Final = {"white_check_mark": Answer.YES, "floppy_disk": Answer.SAVE, "x": Answer.NO}
"""Names of the emojis that answer a question; the bot puts them under it, and its own never count."""
AUDITED_AT_MOST: Final = 25


def sync(desk: Desk, asked: Asked, command: Sync) -> str:
    """Copy to the archive and verify; the message in its thread tells."""
    lease = desk.find(asked.actor, command.name, asked.place)
    return replies.syncing(desk.sync.ask(asked.actor, lease.id, command.paths, asked.delivery))


def audit(desk: Desk, asked: Asked, command: Audit) -> str:
    """Who did what: of one lease, or of all."""
    if command.name is None and command.question is None and asked.place.thread_ts is None:
        entries = desk.read.audit(None, AUDITED_AT_MOST)
        return audit_words(entries, None, desk.read.names(entry.lease_id for entry in entries))
    lease = desk.find(asked.actor, command.name, asked.place)
    if command.question is not None:
        shown = desk.questions.shown(asked.actor, lease, command.question)
        if is_cut(shown):
            desk.ask_list(asked.actor, shown.question, asked.delivery)
        return shown_words(shown)
    return audit_words(desk.read.audit(lease.id, AUDITED_AT_MOST), lease.name)


def reacted(desk: Desk, asked: Asked, question_id: str, name: str, added: bool) -> str | None:
    """✅, 💾 or ❌ under a question, or one of them taken back. The question itself shows what became of it."""
    if added:
        _take(desk, asked, question_id, REACTIONS[name])
    elif REACTIONS[name] is not Answer.NO:
        desk.answers.take_back(asked.actor, question_id)
    return None


def _take(desk: Desk, asked: Asked, question_id: str, answer: Answer) -> None:
    """Whoever is told here that it does not count (yet) need not be told again when it is read."""
    try:
        desk.answers.answer(asked.actor, question_id, answer, by_sign=True)
    except Refused:
        desk.answers.told_of(asked.actor, question_id, answer)
        raise
