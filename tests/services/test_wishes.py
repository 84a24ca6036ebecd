"""What a person wants while a step runs is taken up at once, not at the next regular look."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.claim import Duty
from bot.domain.instance import Capabilities, InstanceState, Keeps
from bot.domain.lease import Lease, LeaseState
from bot.domain.lifecycle.findings import Finding, Looked
from bot.domain.people import Actor
from bot.domain.policy import Policy
from bot.ports.faults import NoFaults
from bot.services.keep_keys import KeepKeys
from bot.services.operate import Operate
from bot.services.reconcile_lease import ReconcileLease
from storage.schema import migrate
from storage.store import SqlStore
from tests.domain.lifecycle.sample import NOW, TIMING, handed_over, instance

ABLE = Capabilities(True, Keeps.ALL, Keeps.NOTHING, False, False, 60, 1, "work", ".mark", simulated=True)
ANA = Actor("U1", "T1", "UTC", is_guest=False, is_deactivated=False, is_bot=False)
POLICY = Policy()


class NobodyWaits:
    def wake(self, duty: Duty) -> None:
        """Rounds are run by hand here."""


def clock() -> datetime:
    return NOW


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    url = f"sqlite:///{tmp_path / 'gpubot.db'}"
    migrate(url)
    store = SqlStore(url)
    with store.transaction() as tx:
        tx.leases.add(handed_over(LeaseState.READY, next_look_at=NOW))
    yield store
    store.close()


def looks_of_one_round(store: SqlStore, meanwhile: Callable[[], object]) -> int:
    """How often one round asks the vendor; ``meanwhile`` happens while it does so for the first time."""
    looks = 0

    def act(*_: Any) -> Finding:
        nonlocal looks
        looks += 1
        if looks == 1:
            meanwhile()
        return Looked(instance(InstanceState.RUNNING))

    reconcile = ReconcileLease(
        store,
        act,  # type: ignore[arg-type]
        None,  # type: ignore[arg-type]
        NobodyWaits(),
        NoFaults(),
        clock,
        lambda: "0" * 16,
        TIMING,
        {"local": ABLE},
    )
    with store.transaction() as tx:
        claim = tx.claims.take("lease1", Duty.LEASE, "me", NOW, timedelta(minutes=1))
    assert claim is not None
    reconcile.step(claim)
    return looks


def stored(store: SqlStore) -> Lease:
    with store.read() as tx:
        lease = tx.leases.get("lease1")
    assert lease is not None
    return lease


def test_without_news_it_rests_until_the_next_look(store: SqlStore) -> None:
    assert looks_of_one_round(store, lambda: None) == 1
    assert stored(store).next_look_at == NOW + timedelta(seconds=TIMING.look_s)


def test_a_stop_during_a_look_begins_in_the_same_round(store: SqlStore) -> None:
    operate = Operate(store, NobodyWaits(), NoFaults(), clock, POLICY, {"local": ABLE})
    assert looks_of_one_round(store, lambda: operate.stop(ANA, "lease1")) > 1
    assert stored(store).state is LeaseState.STOPPING


def test_a_key_added_during_a_look_is_taken_up_in_the_same_round(store: SqlStore) -> None:
    keys = KeepKeys(store, NobodyWaits(), clock)
    looks = looks_of_one_round(store, lambda: keys.add(ANA, "ssh-ed25519 AAAA", "SHA256:abc", "laptop"))
    assert looks == 2
