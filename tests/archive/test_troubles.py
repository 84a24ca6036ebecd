"""Copies that end early: each says truly what is safe, and goes on where it was."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.archive.environment import MARK
from bot.archive.rclone import RcloneArchive
from bot.archive.troubles import trouble
from bot.domain.inventory.verification import Fate, Reason
from bot.ports.archive import Progress, Saved, TroubleKind
from bot.ports.remote import Login
from bot.providers.local.birth import make_host_key
from tests.archive.conftest import PLACE, Machine
from tests.providers.world import eventually, fresh_key

MIB = 1024 * 1024


def kind(saved: Saved) -> TroubleKind | None:
    return saved.trouble and saved.trouble.kind


def test_another_host_key_is_refused(machine: Machine, archive: RcloneArchive) -> None:
    (machine.data / "x").write_bytes(b"1")
    address = replace(machine.login.address, host_key=make_host_key()[1])
    saved = machine.save(archive, machine.order(b"~/work/x", login=Login(address, machine.login.private_key)))
    assert kind(saved) is TroubleKind.HOST_KEY_CHANGED
    assert [(result.fate, result.reason) for result in saved.results] == [(Fate.FAILED, Reason.MISSING)]


def test_no_host_key_at_all_is_refused(machine: Machine, archive: RcloneArchive) -> None:
    address = replace(machine.login.address, host_key=None)
    saved = machine.save(archive, machine.order(b"~/work/x", login=Login(address, machine.login.private_key)))
    assert kind(saved) is TroubleKind.HOST_KEY_CHANGED


def test_a_login_that_is_refused(machine: Machine, archive: RcloneArchive, tmp_path: Path) -> None:
    from bot.domain.secret import Secret

    other = fresh_key(tmp_path / "other")
    login = Login(machine.login.address, Secret(other.path.read_text()))
    assert kind(machine.save(archive, machine.order(b"~/work/x", login=login))) is TroubleKind.LOGIN_REFUSED


@pytest.mark.parametrize(
    ("destination", "expected"),
    [
        ("", TroubleKind.NO_ARCHIVE),
        ("nosuchremote:bucket", TroubleKind.NO_ARCHIVE),
        ("/proc/1/archive", TroubleKind.DESTINATION_REFUSED),
        ("{tmp}/a-file/archive", TroubleKind.DESTINATION_REFUSED),
    ],
)
def test_a_destination_that_takes_nothing(
    machine: Machine, tmp_path: Path, destination: str, expected: TroubleKind
) -> None:
    (tmp_path / "a-file").touch()
    (machine.data / "x").write_bytes(b"1")
    archive = RcloneArchive(destination.format(tmp=tmp_path), tmp_path / "run", os.environ)
    saved = machine.save(archive, machine.order(b"~/work/x"))
    assert kind(saved) is expected, saved.trouble
    assert [result.fate for result in saved.results] != [Fate.VERIFIED]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "small"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if os.getuid() or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("mounting needs root")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_destination_keeps_what_it_took(machine: Machine, small_disk: Path, tmp_path: Path) -> None:
    (machine.data / "small").write_bytes(b"1")
    (machine.data / "big").write_bytes(b"1" * 3 * MIB)
    archive = RcloneArchive(str(small_disk), tmp_path / "run", os.environ)
    machine.save(archive, machine.order(b"~/work/small"))
    saved = machine.save(archive, machine.order(b"~/work/small", b"~/work/big"))
    assert kind(saved) is TroubleKind.DESTINATION_FULL
    assert [result.fate for result in saved.results] == [Fate.VERIFIED, Fate.FAILED]


def test_a_copy_that_is_cut_is_told_and_resumed(machine: Machine, archive: RcloneArchive, there: Path) -> None:
    names = [b"~/work/%d" % number for number in range(8)]
    for name in names:
        (machine.data / name[7:].decode()).write_bytes(name * 100_000)
    cut = []

    def stop_the_machine(progress: Progress) -> None:
        if progress.files >= 2 and not cut:
            cut.append(machine.provider.stop(machine.ref))

    order = machine.order(*names, bytes_per_s=2 * MIB)
    saved = machine.save(archive, order, on_progress=stop_the_machine, hash_files=lambda *_: {})
    assert cut
    assert kind(saved) is TroubleKind.CONNECTION_CUT
    assert {result.reason for result in saved.results} == {Reason.NOT_REACHED}
    done = {path: path.stat().st_ino for path in (there / PLACE.path / "home/work").iterdir() if path.suffix == ""}
    assert done
    machine.provider.start(machine.ref)
    seen = eventually(lambda: machine.provider.get(machine.ref), lambda seen: bool(seen and seen.address), 20)
    machine.seen = seen
    saved = machine.save(archive, machine.order(*names))
    assert (saved.trouble, {result.fate for result in saved.results}) == (None, {Fate.VERIFIED})
    assert done.items() <= {path: path.stat().st_ino for path in (there / PLACE.path / "home/work").iterdir()}.items()
    assert not list(there.rglob("*.partial"))


def test_a_copy_is_stopped_when_it_is_told_to(machine: Machine, archive: RcloneArchive) -> None:
    (machine.data / "big").write_bytes(b"1" * 20 * MIB)
    told: list[Progress] = []
    order = machine.order(b"~/work/big", bytes_per_s=MIB)
    saved = machine.save(archive, order, on_progress=told.append, should_stop=lambda: bool(told))
    assert kind(saved) is TroubleKind.STOPPED
    assert [result.fate for result in saved.results] == [Fate.NOT_VERIFIED]
    assert archive.end_strays(PLACE) == 0


def test_a_copy_that_does_not_move_is_given_up(machine: Machine, there: Path, tmp_path: Path) -> None:
    (machine.data / "big").write_bytes(b"1" * MIB)
    archive = RcloneArchive(str(there), tmp_path / "run", os.environ, stall_s=1.0)
    saved = machine.save(archive, machine.order(b"~/work/big", bytes_per_s=1))
    assert kind(saved) is TroubleKind.STALLED


CHILD = """
import os, sys, pathlib
from datetime import UTC, datetime
from bot.archive.environment import MARK
from bot.archive.rclone import RcloneArchive
from bot.domain.instance import SshAddress
from bot.domain.secret import Secret
from bot.ports.archive import CopyOrder, Place
from bot.ports.remote import Login
there, run, host, port, user, host_key, key, home = sys.argv[1:]
login = Login(SshAddress(host, int(port), user, host_key), Secret(pathlib.Path(key).read_text()))
order = CopyOrder(login, os.fsencode(home), Place("U1", "amber-fox-1"), (b"~/work/big",), "1", 100_000)
RcloneArchive(there, pathlib.Path(run), os.environ).save(
    order, lambda paths, kind: {}, lambda progress: print("moves", flush=True), lambda: False, lambda: datetime.now(UTC)
)
"""


def test_what_a_killed_bot_left_running_is_ended(
    machine: Machine, archive: RcloneArchive, there: Path, tmp_path: Path
) -> None:
    (machine.data / "big").write_bytes(b"1" * 20 * MIB)
    address = machine.login.address
    words = [str(there), str(tmp_path / "run"), address.host, str(address.port), address.user, address.host_key or ""]
    words += [str(machine.key.path), str(machine.home)]
    bot = subprocess.Popen([sys.executable, "-c", CHILD, *words], stdout=subprocess.PIPE)
    with bot:
        assert bot.stdout is not None
        assert bot.stdout.readline() == b"moves\n"
        bot.send_signal(signal.SIGKILL)
    run_dir = next((tmp_path / "run").iterdir())
    with subprocess.Popen(["sleep", "60"], env={"PATH": os.defpath, MARK: str(run_dir)}) as left:  # sure to live on
        other = RcloneArchive(str(there), tmp_path / "elsewhere", os.environ)
        assert other.end_strays(PLACE) == 0
        assert left.poll() is None
        assert archive.end_strays(PLACE) in (1, 2)  # an rclone that logs to nobody may end by itself
        assert left.wait(5) == -signal.SIGKILL
    assert archive.end_strays(PLACE) == 0
    assert not list((tmp_path / "run").iterdir())


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Failed to copy: failed to open source object: Open failed: connection lost", TroubleKind.CONNECTION_CUT),
        ("Failed to copy: AccessDenied: Access Denied status code: 403", TroubleKind.DESTINATION_REFUSED),
        ("Failed to copy: multipart copy: write /a/b: no space left on device", TroubleKind.DESTINATION_FULL),
        ('Put "https://s3.example/": dial tcp: lookup s3.example: no such host', TroubleKind.DESTINATION_AWAY),
        ("something else", TroubleKind.FAILED),
    ],
)
def test_words_of_rclone(message: str, expected: TroubleKind) -> None:
    found = trouble((message,), 1)
    assert found is not None
    assert found.kind is expected


def test_no_words_and_a_good_end_is_no_trouble() -> None:
    assert trouble((), 0) is trouble((), 1) is None
    assert trouble((), 2) is not None
