"""Data disks that outlive their machines, through Slack: kept, attached again, paid for, deleted only on a yes."""

import re
from collections.abc import Iterator

import pytest

from bot.playground.client_types import Message
from tests.e2e.deployment import ANA, GPUS, Deployment


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """With an archive."""
    root = tmp_path_factory.mktemp("disks")
    (root / "archive").mkdir()
    with_archive = Deployment(root, archive=root / "archive")
    with_archive.start()
    yield with_archive
    with_archive.close()


def kept(town: Deployment, name: str) -> None:
    """Ana's machine of that name is gone, and its data disk with ``model.pt`` on it is kept."""
    town.handed_over(name)
    town.write(name, "model.pt", b"precious")
    town.ana(f"/gpu release {name} --keep-disk")
    town.card_of(name, "*released*", timeout_s=30)
    town.in_thread(name, f"is kept as *{name}*", "costs $0.01 an hour")


def asked(town: Deployment, name: str) -> Message:
    assert "is in the thread of the machine that had it last" in town.ana(f"/gpu disks delete {name}").words
    return town.in_thread(name, f"Delete the disk *{name}*")


def volumes(town: Deployment) -> set[str]:
    return {disk.id for disk in town.provider.disks().disks}


def test_a_disk_is_kept_and_attached_again_and_stays_when_that_machine_goes(town: Deployment) -> None:
    kept(town, "models")
    town.in_thread("models", "Nothing would be lost: its data disk is kept")
    assert "bills on* by itself" in town.in_thread("models", "Receipt for").words
    listed = town.ana("/gpu disks").words
    assert re.search(r"\*models\*: 100 GiB at local, here-1, kept since .*last on \*models\*. \$0.01 an hour", listed)
    town.ana("/gpu rent cpu 1h name=second disk=models")
    town.card_of("second", "*ready*")
    assert (town.home("second") / "work" / "model.pt").read_bytes() == b"precious"
    assert "on *second* now" in town.ana("/gpu disks models").words
    assert "is on `second` now" in town.ana("/gpu rent cpu 1h name=third disk=models").words
    assert "is on `second` now" in town.ana("/gpu disks delete models").words
    (town.home("second") / "note.txt").write_text("on the system disk")
    question = town.asked("second", "Would be lost: 1 file")
    assert "model.pt" not in question.words
    assert "Release keeps the data disk and deletes the rest" in question.words
    assert town.person("ana").click(question, "question_yes").acked
    town.card_of("second", "*released*", timeout_s=30)
    town.in_thread("second", "is kept as *models*")
    assert len(volumes(town)) == 1


def test_a_copy_has_what_is_on_a_kept_disk_too(town: Deployment) -> None:
    kept(town, "copied")
    town.ana("/gpu rent cpu 1h name=copier disk=copied")
    town.card_of("copier", "*ready*")
    town.ana("/gpu sync copier")
    ended = town.in_thread("copier", "ended", "verified in", timeout_s=40)
    assert "Not safe" not in ended.words
    place = town.root / "archive" / ANA / f"copier-{town.lease('copier').id}" / "home" / "work" / "model.pt"
    assert place.read_bytes() == b"precious"


def test_an_open_question_is_asked_anew_about_what_would_be_lost_all_the_same(town: Deployment) -> None:
    town.handed_over("late")
    town.write("late", "model.pt", b"precious")
    (town.home("late") / "note.txt").write_text("12")
    question = town.asked("late", "Would be lost: 2 files")
    town.ana("/gpu release late --keep-disk")
    anew = town.in_thread("late", "Would be lost: 1 file, 2 B", "keeps the data disk as *late*")
    assert anew.ts != question.ts
    assert town.person("ana").click(anew, "question_yes").acked
    town.in_thread("late", "is kept as *late*", timeout_s=30)


def test_a_disk_is_deleted_only_by_who_may_and_no_takes_it_back(town: Deployment) -> None:
    kept(town, "doomed")
    before = volumes(town)
    question = asked(town, "doomed")
    assert "What is on it is unknown" in question.words
    assert "The archive holds of *doomed*: nothing with a verified copy" in question.words
    cy = town.person("cy")  # an admin, who may not destroy
    assert cy.click(question, "disk_delete").acked
    assert "being asked" in town.ana("/gpu rent cpu 1h name=fourth disk=doomed").words
    assert town.person("ana").click(question, "disk_keep").acked
    town.in_thread("doomed", "The disk *doomed*", "kept since")
    assert volumes(town) == before
    question = asked(town, "doomed")
    assert town.person("ben").click(question, "disk_delete").acked
    town.in_thread("doomed", "is deleted by the yes of <@U0BEN0000>", timeout_s=30)
    assert len(volumes(town)) == len(before) - 1
    assert "There is no kept disk `doomed`" in town.ana("/gpu disks delete doomed").words
    words = town.ana("/gpu audit doomed").words
    assert "said yes to the deletion of its kept disk" in words
    assert "<@U0CY00000> said yes" not in words


def test_refusals(town: Deployment) -> None:
    kept(town, "here")
    assert "cannot be had elsewhere" in town.ana("/gpu rent cpu 1h disk=here region=here-2").words
    assert "Did you mean `here`" in town.ana("/gpu rent cpu 1h disk=hera").words
    assert (
        "or an approver can do that with the disk"
        in town.person("cy").command(GPUS, "/gpu rent cpu 1h disk=here").words
    )


def test_a_disk_that_somebody_deleted_at_the_vendors_is_lost_and_bills_no_more(town: Deployment) -> None:
    kept(town, "stolen")
    with town.store.read() as tx:
        disk = tx.disks.called("stolen")
    assert disk is not None
    (town.root / "data" / "local" / "disks" / str(disk.volume_id)).rename(town.root / "stolen")
    question = asked(town, "stolen")
    assert town.person("ana").click(question, "disk_delete").acked
    town.in_thread("stolen", "is deleted by the yes of")
    with town.store.read() as tx:
        after = tx.disks.get(disk.id)
    assert after is not None
    assert after.intervals[-1].ended_at is not None
