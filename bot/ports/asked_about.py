"""What a question is about, read where it is stored."""

from bot.domain.answering import Asked
from bot.domain.question import Question
from bot.ports.store import Tx


def asked_about(tx: Tx, question: Question) -> Asked | None:
    """The disk or the lease, for looking only."""
    return tx.leases.get(question.lease_id) if question.disk_id is None else tx.disks.get(question.disk_id)
