"""What a run tells first reaches its machine's card at once; what follows waits until the card's figures are due."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from bot.domain.claim import Claim, Duty
from bot.domain.jobs.findings import Reported
from bot.domain.jobs.status import Seen
from bot.domain.living import Subject
from bot.domain.redaction import NOTHING, Redactor
from bot.ports.faults import FaultPoint
from bot.services.reconcile_jobs.act import ActOnJobs
from bot.services.reconcile_jobs.reconcile import ReconcileJobs
from storage.schema import migrate
from storage.store import SqlStore
from tests.domain.jobs.samples import TIMING, at, job, lease, report


class Machine:
    """Tells what was printed since the last look."""

    timing = TIMING

    def __init__(self, store: SqlStore) -> None:
        self.store, self.printed, self.looks = store, b"", 0
        act = cast(ActOnJobs, self)
        self.jobs = ReconcileJobs(store, act, self, self, lambda: at(60 * self.looks), lambda: "new")

    def secrets_of(self, _job: object) -> Redactor:
        return NOTHING

    def poll(self, jobs: Any, *_: object) -> Reported:
        (known,) = jobs
        told = {"offset_bytes": known.offset_bytes, "output": self.printed[known.offset_bytes :]}
        return Reported(report(Seen.RUNNING, size_bytes=len(self.printed), **told))

    def wake(self, _duty: Duty, /) -> None: ...
    def reach(self, _point: FaultPoint, /) -> None: ...

    def says(self, text: bytes) -> int:
        """By how many changes the card is behind after it was read."""
        before = self._wanted()
        self.printed += text
        self.looks += 1
        with self.store.transaction() as tx:
            claim = tx.claims.take("l1", Duty.JOB, "me", at(60 * self.looks), timedelta(seconds=30))
        assert isinstance(claim, Claim)
        self.jobs.step(claim)
        with self.store.transaction() as tx:
            tx.claims.drop(claim)
        return self._wanted() - before

    def _wanted(self) -> int:
        with self.store.read() as tx:
            card = tx.living.get(Subject.LEASE, "l1")
        assert card is not None
        return card.wanted


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    with closing(SqlStore(url)) as store:
        with store.transaction() as tx:
            tx.leases.add(lease())
            tx.jobs.add(job())
        yield Machine(store)


def test_the_first_of_each_is_shown_at_once(machine: Machine) -> None:
    assert machine.says(b"loading data\n") == 0
    assert machine.says(b"Epoch 1/3\n") == 1
    assert machine.says(b"Epoch 1/3, loss: 0.5\n") == 1
    assert machine.says(b"Epoch 2/3, loss: 0.4\nEpoch 3/3, loss: 0.3\n") == 0
