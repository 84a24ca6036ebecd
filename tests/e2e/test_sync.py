"""Copies to the archive, through Slack: asked for by command or by 💾, verified, and told truly."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.domain.lease import LeaseState
from tests.e2e.deployment import ANA, Deployment

ODD = [
    b"<!channel>.txt",
    b"new\nline",
    "\u202egnp.exe".encode(),
    b"\xff\xfe.bin",
    b"x" * 255,
    b"`tick` *bold*",
    b"-rf",
]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """As the others', with an archive."""
    root = tmp_path_factory.mktemp("sync")
    (root / "archive").mkdir()
    with_archive = Deployment(root, archive=root / "archive")
    with_archive.start()
    yield with_archive
    with_archive.close()


def archived(town: Deployment, name: str) -> Path:
    """Where a lease's home lies in the archive."""
    return town.root / "archive" / ANA / f"{name}-{town.lease(name).id}" / "home"


def test_sync_says_what_is_safe_and_then_nothing_has_to_be_asked(town: Deployment) -> None:
    town.handed_over("synced")
    town.write("synced", "out/model.pt", b"x" * 3000)
    town.write("synced", "notes.md", b"hello")
    assert "Copying *synced* to the archive" in town.ana("/gpu sync synced").words
    ended = town.in_thread("synced", "ended", "2 files, 3.0 kB verified in", timeout_s=40)
    assert "Every file that is watched on it has a verified copy" in ended.words
    assert (archived(town, "synced") / "work/out/model.pt").read_bytes() == b"x" * 3000
    town.ana("/gpu release synced")
    town.in_thread("synced", "Nothing would be lost: 2 files, 3.0 kB verified in")
    town.card_of("synced", "*released*", timeout_s=30)
    assert "Archived: 2 files, 3.0 kB verified in" in town.in_thread("synced", "Receipt for").words


def test_only_the_paths_that_were_named(town: Deployment) -> None:
    town.handed_over("partly")
    town.write("partly", "out/a", b"1")
    town.write("partly", "other/b", b"22")
    town.ana("/gpu sync partly ./work/out")
    ended = town.in_thread("partly", "1 file, 1 B verified in", timeout_s=40)
    assert "On the machine and in no verified copy: 1 file, 2 B" in ended.words
    question = town.asked("partly", "Would be lost: 1 file, 2 B")
    assert "`~/work/other/b`" in question.words


def test_save_copies_verifies_and_releases(town: Deployment) -> None:
    town.handed_over("saved")
    town.write("saved", "model.pt", b"x" * 4000)
    town.person("ana").react(town.asked("saved", "1 file, 4.0 kB"), "floppy_disk")
    town.card_of("saved", "*released*", timeout_s=40)
    assert (archived(town, "saved") / "work/model.pt").read_bytes() == b"x" * 4000
    over = town.in_thread("saved", "nothing on it would be lost. 1 file, 4.0 kB verified in", "It was released")
    assert over.action_ids == []
    receipt = town.in_thread("saved", "Receipt for")
    assert "Archived: 1 file, 4.0 kB verified in" in receipt.words
    assert "Knowingly lost" not in receipt.words


def test_save_asks_anew_with_what_is_not_safe_and_why(town: Deployment) -> None:
    town.handed_over("halfsafe")
    town.write("halfsafe", "model.pt", b"x" * 100)
    busy = town.write("halfsafe", "train.log", b"1")
    with busy.open("ab", buffering=0) as log:
        question = town.asked("halfsafe", "2 files")
        log.write(b"1")
        assert town.person("ana").click(question, "question_save").acked
        anew = town.in_thread("halfsafe", "Asked anew after the copy", timeout_s=60)
        assert "Open for writing: `~/work/train.log`" in anew.words
        assert town.lease("halfsafe").state is LeaseState.READY
        assert (archived(town, "halfsafe") / "work/model.pt").exists()


def test_no_while_it_is_saved_keeps_it(town: Deployment) -> None:
    town.handed_over("changed-mind")
    town.write("changed-mind", "model.pt", b"x")
    question, ana = town.asked("changed-mind", "1 file"), town.person("ana")
    ana.react(question, "floppy_disk")
    town.in_thread("changed-mind", "saves *changed-mind*")
    ana.react(question, "x")
    town.in_thread("changed-mind", "Nothing was released")
    town.in_thread("changed-mind", "verified in", timeout_s=40)
    assert town.lease("changed-mind").state is LeaseState.READY


def test_names_of_any_kind_are_shown_literally_and_archived_rightly(town: Deployment) -> None:
    town.handed_over("oddly")
    for number, name in enumerate(ODD):
        town.write("oddly", b"odd/" + name, b"x" * (len(ODD) - number))
    question = town.asked("oddly", f"{len(ODD)} files")
    # five are the newest and five the biggest: with seven, all of them
    for shown in ("&lt;!channel&gt;.txt", "new\\nline", "\\u202egnp.exe", "\\xff\\xfe.bin", "x" * 255):
        assert f"`~/work/odd/{shown}`" in question.words
    assert "`~/work/odd/\\x60tick\\x60 *bold*`" in question.words
    assert "<!channel>" not in question.words
    assert town.person("ana").click(question, "question_save").acked
    town.card_of("oddly", "*released*", timeout_s=60)
    found = {path.name: path.read_bytes() for path in (archived(town, "oddly") / "work/odd").iterdir()}
    assert found == {os.fsdecode(name): b"x" * (len(ODD) - number) for number, name in enumerate(ODD)}


def test_an_archive_that_takes_nothing_is_told_and_nothing_is_lost(town: Deployment) -> None:
    town.handed_over("refused")
    town.write("refused", "model.pt", b"x")
    owner = town.root / "archive" / ANA
    owner.rename(owner.with_name("aside"))
    owner.write_bytes(b"in the way")
    try:
        question = town.asked("refused", "1 file")
        assert town.person("ana").click(question, "question_save").acked
        anew = town.in_thread("refused", "Asked anew after the copy", "It ended early", timeout_s=60)
    finally:
        owner.unlink()
        owner.with_name("aside").rename(owner)
    assert "Would be lost: 1 file, 1 B" in anew.words
    assert town.lease("refused").state is LeaseState.READY


def test_without_an_archive_it_says_how_to_set_one(deployment: Deployment) -> None:
    deployment.handed_over("bare")
    deployment.write("bare", "model.pt")
    assert "sets `ARCHIVE` to any rclone destination" in deployment.ana("/gpu sync bare").words
    question = deployment.asked("bare", "1 file")
    assert question.action_ids == ["question_yes", "question_no"]
    assert "sets `ARCHIVE` to any rclone destination" in question.words
    deployment.person("ana").react(question, "floppy_disk")

    def told() -> bool:
        thread = deployment.person("ana").thread(question.channel, deployment.card_of("bare").ts)
        return any(m.ephemeral and "There is no archive" in m.words for m in thread)

    deployment.wait(told)
