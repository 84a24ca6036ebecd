"""The look at a machine, over a real login, read as a checklist."""

import os
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.domain.checklist import Item, Line, Verdict
from bot.domain.health import Code, Expected, read_health
from bot.ports.remote import Step
from bot.remote.ssh import SshRemote
from tests.remote.servers import USER, Sshd

AT = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def machine(start_sshd: Callable[..., Sshd]) -> Sshd:
    return start_sshd(kinds=("ed25519",))


@pytest.fixture
def look(remote: SshRemote, machine: Sshd) -> Callable[..., dict[Item, Line]]:
    def look(path: str, mark: str = ".volume", volume_id: str | None = "vol-1") -> dict[Item, Line]:
        output = remote.run(machine.login(), Step.HEALTH, ("all", path, mark, "0", ""), b"", 30)
        assert output.exit_status == 0
        assert output.text.endswith("health_end=1\n")
        checklist = read_health(output.text, Expected("cpu", 0, 0, False, False, path, mark, volume_id), AT)
        return {line.item: line for line in checklist.lines}

    return look


def marked(directory: Path, text: str = "vol-1\n") -> Path:
    directory.mkdir(parents=True)
    (directory / ".volume").write_text(text)
    return directory


@pytest.mark.parametrize("name", ["data", "~/data", "a b'c", "-n", "new\nline"])
def test_a_good_machine(look: Callable[..., dict[Item, Line]], machine: Sshd, name: str) -> None:
    data = marked(machine.home / name.removeprefix("~/"))
    lines = look(name)
    assert lines[Item.SSH] == Line(Item.SSH, Verdict.OK, Code.ANSWERED, USER)
    assert lines[Item.DATA_DISK].code == Code.MARKED
    assert lines[Item.DATA_DISK].seen == str(data.resolve()).replace("\n", " ")
    assert lines[Item.DISK_WRITABLE].code == Code.WRITABLE
    assert lines[Item.DISK_SPACE].verdict in (Verdict.OK, Verdict.WARN)
    assert lines[Item.FRAMEWORK].verdict in (Verdict.OK, Verdict.WARN)
    assert [file.name for file in data.iterdir()] == [".volume"]
    assert not list(machine.home.glob(".gpubot*"))


def test_an_absolute_path_and_no_volume(look: Callable[..., dict[Item, Line]], tmp_path: Path) -> None:
    assert look(str(marked(tmp_path / "volume")), volume_id=None)[Item.DATA_DISK].code == Code.NO_VOLUME


def test_the_home_itself(look: Callable[..., dict[Item, Line]], machine: Sshd) -> None:
    (machine.home / ".volume").write_text("vol-1")
    assert look("")[Item.DATA_DISK].code == Code.MARKED


def test_nothing_there(look: Callable[..., dict[Item, Line]], machine: Sshd) -> None:
    lines = look("data")
    assert lines[Item.DATA_DISK] == Line(Item.DATA_DISK, Verdict.FAIL, Code.MISSING, str(machine.home / "data"))
    assert lines[Item.DISK_WRITABLE].verdict == Verdict.UNKNOWN


def test_a_link_that_leads_nowhere(look: Callable[..., dict[Item, Line]], machine: Sshd) -> None:
    (machine.home / "data").symlink_to("gone")
    assert look("data")[Item.DATA_DISK].verdict == Verdict.FAIL


def test_a_file_there(look: Callable[..., dict[Item, Line]], machine: Sshd) -> None:
    (machine.home / "data").touch()
    assert look("data")[Item.DATA_DISK].code == Code.NOT_A_DIRECTORY


def test_no_mark(look: Callable[..., dict[Item, Line]], machine: Sshd) -> None:
    (machine.home / "data").mkdir()
    assert look("data")[Item.DATA_DISK].code == Code.NO_MARK


def test_another_mark_cannot_pretend(look: Callable[..., dict[Item, Line]], machine: Sshd) -> None:
    marked(machine.home / "data", "vol-2\nmark=vol-1\x1b[2J\n")
    line = look("data")[Item.DATA_DISK]
    assert (line.code, line.seen) == (Code.OTHER_MARK, "vol-2 mark=vol-1[2J")


def test_a_mark_that_is_no_file_does_not_hang(look: Callable[..., dict[Item, Line]], machine: Sshd) -> None:
    (machine.home / "data").mkdir()
    os.mkfifo(machine.home / "data" / ".volume")
    assert look("data")[Item.DATA_DISK].code == Code.MARK_UNREADABLE


def test_a_mount_proves_itself(look: Callable[..., dict[Item, Line]], machine: Sshd) -> None:
    (machine.home / "data").mkdir()
    assert look("/proc", mark="")[Item.DATA_DISK].code == Code.MOUNTED
    assert look("data", mark="")[Item.DATA_DISK].code == Code.NOT_MOUNTED


def test_a_disk_that_takes_no_file(look: Callable[..., dict[Item, Line]]) -> None:
    line = look("/proc", mark="")[Item.DISK_WRITABLE]
    assert (line.verdict, line.code) == (Verdict.FAIL, Code.WRITE_FAILED)
    assert line.seen.startswith("/proc: mktemp: ")


@pytest.mark.parametrize(("options", "code"), [("size=64k", Code.FULL), ("size=64k,ro", Code.READ_ONLY)])
def test_a_full_and_a_read_only_disk(
    look: Callable[..., dict[Item, Line]], tmp_path: Path, options: str, code: Code
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if shutil.which("mount") is None or os.getuid() != 0:
        pytest.skip("mounting needs root")
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)]
    if subprocess.run(command, check=False, capture_output=True).returncode != 0:
        pytest.skip("mounting is not allowed here")
    try:
        if "ro" not in options:
            (disk / "filler").write_bytes(b"x" * 40_000)
        line = look(str(disk), mark="")[Item.DISK_WRITABLE]
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert (line.verdict, line.code) == (Verdict.FAIL, code)
    assert str(disk) in line.seen
