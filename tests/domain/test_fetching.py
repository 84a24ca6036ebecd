"""What people type is found in a manifest, and a look into the archive is held against it."""

import pytest

from bot.domain.fetching.browse import ArchivedFile, Child, Folder, Nothing, Several, Version, browse
from bot.domain.fetching.run import SENT_AT_MOST_BYTES, FetchRun, Sized, report
from bot.domain.lease import LeaseState
from tests.domain.lifecycle.sample import NOW, handed_over

A = ArchivedFile(b"/data/a.bin", 4)
BEST = ArchivedFile(b"~/work/run 1/best.pt", 10)
LAST = ArchivedFile(b"~/work/run 1/last.pt", 20)
OTHER = ArchivedFile(b"~/work/run 2/last.pt", 30)
ODD = ArchivedFile(b"~/\xff\n", 1)
FILES = (A, ODD, BEST, LAST, OTHER)
WORK = Child(b"~/work", 3, 60, is_folder=True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (None, Folder(b"", 5, 65, (WORK, Child(b"/data", 1, 4, True), Child(b"~/\xff\n", 1, 1, False)))),
        ("~/work/run 1/best.pt", BEST),
        ("work/run 1/best.pt", BEST),
        ("./work/run 1/best.pt", BEST),
        ("best.pt", BEST),
        ("run 2/last.pt", OTHER),
        ("last.pt", Several((LAST, OTHER))),
        ("run 2", Folder(b"~/work/run 2", 1, 30, (Child(b"~/work/run 2/last.pt", 1, 30, False),))),
        ("/data/", Folder(b"/data", 1, 4, (Child(b"/data/a.bin", 1, 4, False),))),
        (r"\xff\n", ODD),
        ("bets.pt", Nothing((b"~/work/run 1/best.pt",))),
        ("x" * 30, Nothing()),
        ("earlier/1/home/x", Version(b"earlier/1/home/x")),
    ],
)
def test_found_by_its_path_or_by_the_end_of_it(text: str | None, found: object) -> None:
    assert browse(FILES, text) == found


HELD = {
    b"home/work/run 1/best.pt": 10,
    b"home/work/run 1/last.pt": 19,
    b"root/data/a.bin": 4,
    b"home/\xff\n": 1,
    b"home/work/stray": 7,
    b"earlier/1/home/work/run 1/best.pt": 9,
    b"earlier/2/home/work/run 1/best.pt": 8,
}


def test_all_is_held_against_what_was_verified() -> None:
    found = report(FetchRun("f", "l", "U", NOW), handed_over(LeaseState.READY), "p", FILES, HELD)
    assert (found.confirmed_files, found.confirmed_bytes) == (3, 15)
    assert found.missing == (b"~/work/run 1/last.pt", b"~/work/run 2/last.pt")  # one of another size, one not there
    assert found.unverified == (Sized(b"home/work/stray", 7),)
    assert [version.name[:9] for version in found.earlier] == [b"earlier/2", b"earlier/1"]
    assert (found.file, found.is_to_be_sent) == (None, False)


def test_a_file_is_sent_if_it_is_there_and_small() -> None:
    run = FetchRun("f", "l", "U", NOW, BEST.path)
    found = report(run, handed_over(LeaseState.READY), "p", FILES, HELD)
    assert (found.file, found.is_recorded, found.is_to_be_sent) == (Sized(b"home/work/run 1/best.pt", 10), True, True)
    assert len(found.earlier) == 2
    for size, sent in ((0, False), (SENT_AT_MOST_BYTES, True), (SENT_AT_MOST_BYTES + 1, False)):
        file = ArchivedFile(BEST.path, size)
        held = {b"home/work/run 1/best.pt": size}
        assert report(run, handed_over(LeaseState.READY), "p", (file,), held).is_to_be_sent is sent


def test_an_earlier_version_is_its_own_file() -> None:
    run = FetchRun("f", "l", "U", NOW, b"earlier/1/home/work/run 1/best.pt")
    found = report(run, handed_over(LeaseState.READY), "p", FILES, HELD)
    assert (found.file, found.is_to_be_sent) == (Sized(run.wanted, 9), True)
    assert (found.confirmed_files, found.missing, found.unverified, found.earlier) == (0, (), (), ())
