"""Copies from a local machine into an archive, over SFTP, verified."""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from bot.archive.rclone import RcloneArchive
from bot.domain.inventory.files import KnownFiles
from bot.domain.inventory.hashes import Answers, HashKind
from bot.domain.inventory.inventory import Verdict
from bot.domain.inventory.verification import Fate, Reason
from bot.ports.archive import Progress
from bot.remote.scripts.hash_files import Hasher, step_s
from tests.archive.conftest import AT, PLACE, Machine
from tests.providers.world import eventually

Look = Callable[[], dict[bytes, bytes]]
ONE = "c4ca4238a0b923820dcc509a6f75849b"  # the MD5 of "1"
ODD = [
    b"plain",
    b"with space",
    b"new\nline",
    b"a\nd41d8cd98f00b204e9800998ecf8427e  plain",
    b"-dash",
    b"quote'\"`$x",
    b"[glob]*?{a,b}",
    b"\xff\xfe broken",
    "ümläut".encode(),
    b"u\xcc\x88mlaut",
    b"cr\r",
    b"\x1b[2J\x01",
    b" lead and trail ",
    b"semi;colon",
    b"x" * 255,
]


def test_every_name_arrives_and_is_verified(
    machine: Machine, archive: RcloneArchive, filled: Look, tmp_path: Path
) -> None:
    for name in ODD:
        (machine.data / os.fsdecode(name)).write_bytes(name * 100)
    (machine.home / "notes.txt").write_text("from the home")
    aside = tmp_path / "volume" / "deep"
    aside.mkdir(parents=True)
    (aside / "x").write_bytes(b"from elsewhere")
    _, states = machine.inventory()
    paths = [state.path for state in states if b"/." not in state.path] + [os.fsencode(aside / "x")]
    saved = machine.save(archive, machine.order(*paths))
    assert saved.trouble is None
    assert {result.path: result.fate for result in saved.results} == dict.fromkeys(paths, Fate.VERIFIED)
    assert filled() == {
        **{b"home/work/" + name: name * 100 for name in ODD},
        b"home/notes.txt": b"from the home",
        b"root" + os.fsencode(aside / "x"): b"from elsewhere",
    }
    assert {entry.state for entry in saved.manifest} >= {state for state in states if state.path in paths}
    assert all(entry.verified_at == AT for entry in saved.manifest)


def test_many_files_are_found_by_listing_and_odd_ones_by_name(
    machine: Machine, archive: RcloneArchive, filled: Look
) -> None:
    names = [b"many/%d" % number for number in range(150)] + [b"many/" + name for name in ODD]
    (machine.data / "many").mkdir()
    for name in names:
        (machine.data / os.fsdecode(name)).write_bytes(name)
    os.mkfifo(machine.data / "many" / "a pipe that nobody ordered")
    (machine.data / "many" / "loop").symlink_to(".")
    paths = [b"~/work/" + name for name in names]
    saved = machine.save(archive, machine.order(*paths))
    assert saved.trouble is None
    assert {result.path for result in saved.results if result.fate is Fate.VERIFIED} == set(paths)
    assert filled() == {b"home/work/" + name: name for name in names}


def test_what_is_verified_is_clean_until_it_changes(machine: Machine, archive: RcloneArchive) -> None:
    (machine.data / "model.pt").write_bytes(b"1" * 1000)
    inventory, states = machine.inventory()
    assert inventory.verdict is Verdict.DIRTY
    saved = machine.save(archive, machine.order(*(state.path for state in states)))
    machine.known = KnownFiles().with_states(entry.state for entry in saved.manifest)
    assert machine.inventory()[0].verdict is Verdict.CLEAN
    (machine.data / "model.pt").write_bytes(b"2" * 1000)
    assert machine.inventory()[0].files == 1


def test_a_changed_file_replaces_the_earlier_one_which_is_kept(
    machine: Machine, archive: RcloneArchive, filled: Look
) -> None:
    path = machine.data / "best.ckpt"
    path.write_bytes(b"good checkpoint")
    machine.save(archive, machine.order(b"~/work/best.ckpt", stamp="first"))
    before = path.stat()
    path.write_bytes(b"bad  checkpoint")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # by size and time it looks the same
    saved = machine.save(archive, machine.order(b"~/work/best.ckpt", stamp="second"))
    assert [result.fate for result in saved.results] == [Fate.VERIFIED]
    assert filled() == {
        b"home/work/best.ckpt": b"bad  checkpoint",
        b"earlier/second/home/work/best.ckpt": b"good checkpoint",
    }


@pytest.mark.parametrize(("times", "fate"), [(1, Fate.VERIFIED), (9, Fate.NOT_VERIFIED)])
def test_a_file_that_changes_behind_the_copy_is_tried_once_more(
    machine: Machine, archive: RcloneArchive, times: int, fate: Fate
) -> None:
    path, asked = machine.data / "log", []
    path.write_bytes(b"0")

    def write_then_hash(paths: Sequence[bytes], kind: HashKind) -> Answers:
        asked.append(paths)
        if len(asked) <= times:
            path.write_bytes(b"%d" % len(asked))
        return machine.hash_files(paths, kind)

    saved = machine.save(archive, machine.order(b"~/work/log"), hash_files=write_then_hash)
    assert len(asked) == 2
    assert [result.fate for result in saved.results] == [fate]
    assert saved.results[0].reason is (None if fate is Fate.VERIFIED else Reason.DIFFERS)


def test_what_cannot_be_copied_is_told_and_stops_nothing(machine: Machine, archive: RcloneArchive) -> None:
    (machine.data / "ok").write_bytes(b"1")
    (machine.data / "folder").mkdir()
    (machine.data / "link").symlink_to("ok")
    names = (b"~/work/ok", b"~/work/folder", b"~/work/link", b"~/work/gone")
    saved = machine.save(archive, machine.order(*names))
    assert saved.trouble is None
    assert [(result.fate, result.reason) for result in saved.results] == [
        (Fate.VERIFIED, None),
        (Fate.FAILED, Reason.NOT_A_FILE),
        (Fate.NOT_VERIFIED, Reason.NOT_A_FILE),
        (Fate.FAILED, Reason.GONE),
    ]


def test_progress_is_told_in_bytes_and_files(machine: Machine, archive: RcloneArchive) -> None:
    (machine.data / "big").write_bytes(b"1" * 3_000_000)
    told: list[Progress] = []
    machine.save(archive, machine.order(b"~/work/big", bytes_per_s=2_000_000), on_progress=told.append)
    assert told[-1].size_bytes == told[-1].total_bytes == 3_000_000
    assert (told[-1].files, told[-1].total_files) == (1, 1)
    assert any(0 < progress.size_bytes < 3_000_000 for progress in told)


def test_a_destination_without_hashes_is_read_back(machine: Machine, tmp_path: Path, there: Path) -> None:
    environment = {
        **os.environ,
        "RCLONE_CONFIG_SEALED_TYPE": "crypt",
        "RCLONE_CONFIG_SEALED_REMOTE": str(there),
        "RCLONE_CONFIG_SEALED_PASSWORD": "Uk5fnkhzIxdFkYsoV9kPPPX8iVb7uh8",
    }
    archive = RcloneArchive("sealed:", tmp_path / "run", environment)
    for name in ODD[:3]:
        (machine.data / os.fsdecode(name)).write_bytes(name * 100)
    paths = [b"~/work/" + name for name in ODD[:3]]
    saved = machine.save(archive, machine.order(*paths))
    assert saved.trouble is None
    assert [result.fate for result in saved.results] == [Fate.VERIFIED] * 3
    assert {entry.hash_kind for entry in saved.manifest} == {HashKind.SHA256}
    assert not list(there.rglob("plain"))


def test_a_damaged_copy_is_seen_and_replaced(machine: Machine, archive: RcloneArchive, there: Path) -> None:
    (machine.data / "x").write_bytes(b"right")
    machine.save(archive, machine.order(b"~/work/x"))
    copy = there / PLACE.path / "home" / "work" / "x"
    before = copy.stat()
    copy.write_bytes(b"wrong")
    os.utime(copy, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert machine.save(archive, machine.order(b"~/work/x")).results[0].fate is Fate.VERIFIED
    assert copy.read_bytes() == b"right"


def test_nothing_is_left_behind_and_no_secret_is_seen(machine: Machine, archive: RcloneArchive, tmp_path: Path) -> None:
    (machine.data / "big").write_bytes(b"1" * 2_000_000)
    seen: list[bytes] = []

    def look(progress: Progress) -> None:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):  # it has ended in the meantime
                seen.append(path.read_bytes())

    machine.save(archive, machine.order(b"~/work/big", bytes_per_s=2_000_000), on_progress=look)
    seen = [line for line in seen if b"rclone" in line]
    assert seen
    assert not any(b"PRIVATE KEY" in line or b"work/big" in line for line in seen)
    assert not list((tmp_path / "run").iterdir())


def test_a_fresh_file_is_hashed_when_a_later_write_would_be_seen(tmp_path: Path) -> None:
    path, hasher = tmp_path / "fresh", Hasher("md5", time.monotonic() + 60)
    path.write_bytes(b"1")
    assert hasher.one(os.fsencode(path)) == ["changing"]
    assert 0 < hasher.settles_in_s <= 2.1
    assert eventually(lambda: hasher.one(os.fsencode(path)), lambda answer: len(answer) > 1)[-1] == ONE
    assert time.time() - path.stat().st_ctime >= step_s(path.stat().st_ctime_ns)
    assert (step_s(1_000_000_001), step_s(2_000_000_000)) == (0.1, 2.1)
