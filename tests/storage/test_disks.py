"""Kept disks come back as they were stored; each name is one live disk's."""

from dataclasses import fields, replace

import pytest
from sqlalchemy.exc import IntegrityError

from bot.domain.disk import Disk, DiskInterval, DiskState
from bot.domain.inventory.files import FileState
from bot.domain.inventory.inventory import Inventory, WhyUnknown, unknown
from bot.domain.inventory.listed import pack
from bot.domain.living import Subject
from bot.domain.on_disk import OnDisk
from bot.domain.question import QuestionState
from storage import tables
from storage.store import SqlStore
from tests.storage.samples import NOON, at, lease, question, unfilled

FULL = Disk(
    "d1", "models", "U1", "T1", "C1", "local", "here", 100, 13_700, "l1", DiskState.KEPT, at(1), "vol-1",
    (DiskInterval(13_700, at(1), at(2)), DiskInterval(13_700, at(3), None)), at(6), at(7), "vendor-trouble",
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


def test_its_question_is_its_own_and_marked_when_the_disk_is_another(ready: SqlStore) -> None:
    kept = plain("d1", "models", state=DiskState.KEPT)
    about_it = replace(question(), id="q9", disk_id="d1", state=QuestionState.OPEN)
    with ready.transaction() as tx:
        tx.disks.add(kept)
        tx.questions.add(replace(question(), id="q1"))
        tx.questions.add(about_it)  # beside the open one about the machine
        assert tx.questions.latest("l1") == replace(question(), id="q1")
        assert tx.questions.latest_of_disk("d1") == about_it
        assert [one.id for one in tx.questions.open()] == ["q1"]
        assert [one.id for one in tx.questions.answerable()] == ["q1", "q9"]
        tx.disks.save(kept.evolve(next_look_at=at(2), seen_at=at(2)))
        living = tx.living.get(Subject.QUESTION, "q9")
        assert living is not None
        assert (living.wanted, living.thread_of, living.channel) == (1, "l1", "C1")
        tx.disks.save(kept.evolve(state=DiskState.LOST))
        touched = tx.living.get(Subject.QUESTION, "q9")
        assert touched is not None
        assert touched.wanted == 2
        assert [one.id for one in tx.questions.answerable()] == ["q1"], "a disk that is gone"
    with pytest.raises(IntegrityError), ready.transaction() as tx:
        tx.questions.add(replace(about_it, id="q10"))


def test_the_latest_look_at_it_counts(ready: SqlStore) -> None:
    seen = Inventory(at(1), files=2, size_bytes=7, told="")
    whole = OnDisk(
        "l1", unknown(WhyUnknown.NOT_RUNNING, at(1)), 5, 9, pack((FileState(b"~/work/\xff", 7, 1, 1, 1),), seen)
    )
    with ready.transaction() as tx:
        tx.disks.add(plain("d1", "models"))
        assert tx.disks.look("d1") is None
        tx.disks.looked("d1", OnDisk("l2", unknown(WhyUnknown.TOUCHED, at(0))), at(0))
        tx.disks.looked("d1", whole, at(1))
        assert tx.disks.look("d1") == whole
        tx.leases.save(lease().noted(volume_id="vol-1"), at(1))
        assert tx.disks.had_by("vol-1") == ("l1",)
