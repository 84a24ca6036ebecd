"""What cannot be seen: root's eyes where they can be had, else it is said."""

import ctypes
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.domain.inventory.files import KnownFiles
from bot.domain.inventory.inventory import BlindSpot, Inventory, Verdict, WhyBlind
from bot.domain.inventory.parse import parse
from bot.domain.inventory.request import Watch, inventory_request
from bot.remote.bundle import bundle
from bot.remote.scripts.inventory_crew import walk_all
from bot.remote.scripts.inventory_found import Found
from bot.remote.scripts.inventory_walk import Folder
from bot.remote.ssh import SCRIPTS

AT = datetime(2026, 1, 2, tzinfo=UTC)
_CAPBSET_DROP, _DAC_OVERRIDE, _DAC_READ_SEARCH = 24, 1, 2
SUDO = """#!/bin/sh
shift 2
[ "$1" = true ] && exit 0
shift
case $1 in /proc) exit 1 ;; esac
shift
exec find {twin} "$@"
"""


def give_up_rights() -> None:
    """As a login user: root's own files are ours, and another's closed folder is closed."""
    libc = ctypes.CDLL(None)
    for right in (_DAC_OVERRIDE, _DAC_READ_SEARCH):
        libc.prctl(_CAPBSET_DROP, right, 0, 0, 0)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    closed = tmp_path / "home" / "closed"
    closed.mkdir(parents=True)
    (closed / "secret.pt").write_bytes(b"12345")
    (tmp_path / "home" / "mine").write_bytes(b"1")
    if os.getuid() == 0:
        os.chown(closed, 65534, 65534)
    closed.chmod(0o700 if os.getuid() == 0 else 0)
    return tmp_path / "home"


def look(home: Path, path: str = os.defpath) -> Inventory:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", bundle(SCRIPTS / "inventory.py").decode()],
        input=inventory_request(Watch.of(""), KnownFiles(), within_s=20),
        env={"HOME": str(home), "PATH": path},
        capture_output=True,
        preexec_fn=give_up_rights,
        check=True,
    )
    return parse(done.stdout.decode(), at=AT)


def test_a_closed_folder_is_a_blind_spot(home: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    found = look(home, str(tmp_path / "bin"))
    assert (found.files, found.verdict) == (1, Verdict.DIRTY)
    assert found.blind.first == (BlindSpot(b"~/closed", WhyBlind.UNREADABLE),)
    (home / "mine").unlink()
    assert look(home, str(tmp_path / "bin")).verdict is Verdict.DIRTY


def test_root_may_look_where_that_is_allowed(home: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin"
    (twin / "deep").mkdir(parents=True)
    (twin / "secret.pt").write_bytes(b"12345")
    (twin / "deep" / "new\nline").write_bytes(b"1")
    (twin / "link").symlink_to("x")
    sudo = tmp_path / "bin" / "sudo"
    sudo.parent.mkdir()
    sudo.write_text(SUDO.format(twin=twin))
    sudo.chmod(0o755)
    found = look(home, f"{sudo.parent}:{os.defpath}")
    assert found.blind.count == 0
    assert found.by_root.first == (b"~/closed",)
    assert {file.path for file in found.biggest} == {b"~/closed/secret.pt", b"~/closed/deep/new\nline", b"~/mine"}
    assert found.links.first == (b"~/closed/link",)


def test_an_empty_folder_of_the_file_system_is_left_out(home: Path) -> None:
    (home / "closed").rename(home / "lost+found")
    assert look(home).blind.count == 0


class Dying:
    """A walk that splits up; those that are to go on with it end before they can tell."""

    def __init__(self, found: Found) -> None:
        self.found = found

    def run(self, folders: list[Folder], until_wide: int = 0) -> None:
        if folders and not until_wide:
            os._exit(1)


def test_a_helper_that_dies_makes_the_look_a_cut_one() -> None:
    folders = [Folder(b"~/%d" % number, b"/nowhere", "", b"", 1) for number in range(4)]
    assert walk_all(Dying, folders, 1000).was_cut  # type: ignore[arg-type, return-value]
