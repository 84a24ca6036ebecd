"""A lease that ends in ten minutes, and rounds of those who ask about it and read the answers."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from bot.domain.lease import LeaseState
from bot.domain.living import Subject
from bot.domain.notice import NoticeKind
from bot.domain.places import MessageRef
from bot.domain.policy import Policy
from bot.domain.question import Question
from bot.services.mind_ends import MindEnds
from bot.services.read_answers import ReadAnswers
from storage.schema import migrate
from storage.store import SqlStore
from tests.domain.lifecycle.sample import NOW, handed_over
from tests.services.test_watching import World

OWNER, BEN = "U1", "U2"
POLICY = Policy(approvers=frozenset({BEN}), owner_first_s=600)
MINUTE = timedelta(minutes=1)


@contextmanager
def leased(tmp_path: Path) -> Iterator[SqlStore]:
    """A lease that ends in ten minutes, its card shown, its owner in UTC."""
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    store = SqlStore(url)
    with store.transaction() as tx:
        tx.leases.add(handed_over(LeaseState.READY, ends_at=NOW + 10 * MINUTE))
        card = tx.living.get(Subject.LEASE, "lease1")
        assert card is not None
        tx.living.shown(card, MessageRef("C1", "1.0"), NOW)
    yield store
    store.close()


@dataclass
class Ticking(World):
    """A world with a clock that nobody sets."""

    monotonic_s: float = 0.0

    def go_on(self, seconds: float, jump_s: float = 0.0) -> None:
        """Both clocks; the system's may jump besides."""
        self.monotonic_s += seconds
        self.now += timedelta(seconds=seconds + jump_s)


def round_of(store: SqlStore, reconciler: MindEnds | ReadAnswers, world: World) -> int:
    """How many things were due."""
    due = reconciler.due()
    for thing in due:
        with store.transaction() as tx:
            claim = tx.claims.take(thing, reconciler.duty, "w1", world.now, MINUTE)
        assert claim is not None
        try:
            reconciler.step(claim)
        finally:
            with store.transaction() as tx:
                tx.claims.drop(claim)
    return len(due)


def kinds(store: SqlStore) -> list[NoticeKind]:
    with store.read() as tx:
        return [queued.notice.kind for queued in tx.outbox.due(NOW + timedelta(days=9), 99)]


def latest(store: SqlStore) -> Question | None:
    with store.read() as tx:
        return tx.questions.latest("lease1")
