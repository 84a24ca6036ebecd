"""Dropped files: they come back as they were stored, and two who change one drop do not undo each other."""

import threading
from dataclasses import fields

from bot.domain.drops.drop import Choice, Drop, DroppedFile, Entry, EntryKind, FileState, WhyNot
from bot.domain.places import MessageRef
from storage import tables
from storage.store import SqlStore
from tests.storage.samples import NOON, at, lease, unfilled

FULL = DroppedFile(
    "F1",
    state=FileState.ASKED,
    name="数据\n.csv",
    size_bytes=2**40,
    why=WhyNot.DISK_FULL,
    there=Entry(EntryKind.LINK, 7, 1_700_000_000),
    choice=Choice.BOTH,
    chosen_by="U2",
    placed_as="x",
    aside="y",
    part="z",
    stamp=1_700_000_001,
)


def drop(drop_id: str, asked_at_h: float = 0, **changes: object) -> Drop:
    files = (FULL, DroppedFile("F2"))
    return Drop(drop_id, "l1", MessageRef("C1", "1.1"), "U1", at(asked_at_h), files).evolve(**changes)


def full_drop() -> Drop:
    told = MessageRef("C1", "1.2")
    return drop("d1", tries=2, told_as="asked", told=told, ended_at=at(2), attempts=1, next_try_at=at(1))


def test_they_come_back_whole(store: SqlStore) -> None:
    assert (unfilled(full_drop()), unfilled(FULL)) == ([], [])
    assert {field.name for field in fields(Drop)} <= set(tables.DropRow.__table__.columns.keys())  # type: ignore[attr-defined]
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.drops.add(drop("d1"))
        assert tx.drops.lock("d1") == drop("d1")
        tx.drops.save(full_drop())
        assert tx.drops.lock("d2") is None
    with store.read() as tx:
        assert tx.drops.get("d1") == full_drop()


def test_those_that_may_go_on_longest_asked_for_first(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
        for one in (drop("young", 1), drop("old"), drop("over", ended_at=at(1)), drop("late", 0.5, next_try_at=at(5))):
            tx.drops.add(one)
    with store.read() as tx:
        assert tx.drops.due(at(2), 10) == ("old", "young")
        assert tx.drops.due(at(5), 10) == ("old", "late", "young")


def test_two_answers_at_once_are_both_kept(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.drops.add(drop("d1"))
    together = threading.Barrier(2)

    def answer(index: int) -> None:
        together.wait(10)
        with store.transaction() as tx:
            found = tx.drops.lock("d1")
            assert found is not None
            tx.drops.save(found.with_file(index, found.files[index].evolve(chosen_by="me")))

    threads = [threading.Thread(target=answer, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    with store.read() as tx:
        found = tx.drops.get("d1")
    assert found is not None
    assert [file.chosen_by for file in found.files] == ["me", "me"]
    assert found.asked_at == NOON
