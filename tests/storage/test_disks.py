"""Kept disks come back as they were stored; each name is one live disk's."""

from dataclasses import fields

import pytest
from sqlalchemy.exc import IntegrityError

from bot.domain.disk import Disk, DiskInterval, DiskState
from bot.domain.living import Subject
from storage import tables
from storage.store import SqlStore
from tests.storage.samples import NOON, at, lease, unfilled

FULL = Disk(
    "d1", "models", "U1", "T1", "C1", "local", "here", 100, 13_700, "l1", DiskState.KEPT, at(1), "vol-1",
    (DiskInterval(13_700, at(1), at(2)), DiskInterval(13_700, at(3), None)), "U2", at(4), "U3", at(5), at(6), at(7),
    "vendor-trouble",
)  # fmt: skip


def plain(disk_id: str, name: str, **changes: object) -> Disk:
    made = Disk(disk_id, name, "U1", "T1", "C1", "local", "here", 1, 1, "l1", DiskState.LEAVING, NOON)
    return made.evolve(**changes)


@pytest.fixture
def ready(store: SqlStore) -> SqlStore:
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.leases.add(lease("l2", "blue-owl"))
    return store


def test_a_disk_comes_back_whole(ready: SqlStore) -> None:
    assert {field.name for field in fields(Disk)} <= set(tables.DiskRow.__table__.columns.keys())
    assert unfilled(FULL) == []
    with ready.transaction() as tx:
        tx.disks.add(plain("d1", "models"))
        tx.disks.save(FULL)
        tx.disks.add(plain("d2", "other", owner="U2", lease_id="l2"))
    with ready.read() as tx:
        assert tx.disks.get("d1") == FULL == tx.disks.called("models") == tx.disks.of_lease("l1")
        assert [disk.id for disk in tx.disks.live("U1")] == ["d1"]
        assert [disk.id for disk in tx.disks.live()] == ["d1", "d2"]
        assert tx.disks.billed(None) == tx.disks.billed("U1") == (FULL,)
        assert tx.disks.due(at(6.9), 9) == ("d2",)
        assert tx.disks.due(at(7), 9) == ("d2", "d1")
        assert tx.disks.called("nobody") is None


def test_a_name_is_one_live_disks(ready: SqlStore) -> None:
    with ready.transaction() as tx:
        tx.disks.add(plain("d1", "models", state=DiskState.DELETED))
        tx.disks.add(plain("d2", "models"))
        assert tx.disks.called("models") == plain("d2", "models")
    with pytest.raises(IntegrityError), ready.transaction() as tx:
        tx.disks.add(plain("d3", "models"))


def test_its_question_is_posted_once_and_marked_when_it_shows_something_else(ready: SqlStore) -> None:
    kept = plain("d1", "models", state=DiskState.KEPT)
    asked = kept.evolve(asked_by="U1", asked_at=at(1))
    with ready.transaction() as tx:
        tx.disks.add(kept)
        tx.disks.save(kept.evolve(seen_at=at(1)))
        assert tx.living.get(Subject.DISK, "d1") is None
        tx.disks.save(asked)
        tx.disks.save(asked.evolve(next_look_at=at(2), seen_at=at(2)))
        living = tx.living.get(Subject.DISK, "d1")
        assert living is not None
        assert (living.wanted, living.thread_of, living.channel) == (1, "l1", "C1")
        tx.disks.save(asked.evolve(answered_by="U1", answered_at=at(2)))
        touched = tx.living.get(Subject.DISK, "d1")
        assert touched is not None
        assert touched.wanted == 2
