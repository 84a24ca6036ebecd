"""What an archive holds, and small files out of it."""

import os
from pathlib import Path

import pytest

from bot.archive.rclone import RcloneArchive
from bot.ports.archive import Trouble, TroubleKind
from tests.archive.conftest import PLACE
from tests.archive.test_save import ODD

SPELLED = ["␊".encode(), "a‛␊b‛‛".encode(), b"del\x7f", "／．".encode(), "．".encode(), "‛".encode(), b"\x1f\x01"]


def fill(there: Path, names: list[bytes]) -> dict[bytes, bytes]:
    folder = there / PLACE.path / "home" / "odd dir\n"
    folder.mkdir(parents=True)
    for number, name in enumerate(names):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(name * number)
    return {b"home/odd dir\n/" + name: name * number for number, name in enumerate(names)}


def test_everything_is_listed_with_its_size_and_can_be_read(archive: RcloneArchive, there: Path) -> None:
    content = fill(there, [*ODD, *SPELLED])
    held = archive.held(PLACE, lambda: False)
    assert held == {name: len(inside) for name, inside in content.items()}
    for name in list(content)[: len(ODD)]:
        assert archive.read(PLACE, name, 10_000, lambda: False) == content[name]


def test_no_more_is_read_than_was_wanted(archive: RcloneArchive, there: Path) -> None:
    fill(there, [b"a", b"b" * 200])
    assert archive.read(PLACE, b"home/odd dir\n/" + b"b" * 200, 10, lambda: False) == b"b" * 11


def test_a_place_that_is_not_there_holds_nothing(archive: RcloneArchive, there: Path) -> None:
    there.mkdir()
    assert archive.held(PLACE, lambda: False) == {}


@pytest.mark.parametrize(
    ("destination", "kind"), [("", TroubleKind.NO_ARCHIVE), ("nosuchremote:bucket", TroubleKind.NO_ARCHIVE)]
)
def test_an_archive_that_cannot_be_looked_into(tmp_path: Path, destination: str, kind: TroubleKind) -> None:
    held = RcloneArchive(destination, tmp_path, os.environ).held(PLACE, lambda: False)
    assert isinstance(held, Trouble)
    assert held.kind is kind
