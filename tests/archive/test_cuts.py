"""Copies that are cut at random and go on, a machine whose disk is full, and a file that nobody may read."""

import ctypes
import os
import random
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.archive.rclone import RcloneArchive
from bot.domain.inventory.verification import Fate, Reason
from bot.ports.archive import Progress, TroubleKind
from tests.archive.conftest import PLACE, Machine
from tests.providers.world import eventually

CUTS = 10
FILES = 120
_CAPBSET_DROP, _DAC_OVERRIDE, _DAC_READ_SEARCH = 24, 1, 2


@pytest.mark.long
def test_cut_at_ten_random_places_it_ends_verified_and_nothing_is_copied_twice(
    machine: Machine, archive: RcloneArchive, there: Path
) -> None:
    chance = random.Random(20260102)
    sizes = {b"~/work/%d" % number: chance.randrange(1, 200_000) for number in range(FILES)}
    for name, size in sizes.items():
        (machine.data / name[7:].decode()).write_bytes(chance.randbytes(size))
    done: dict[Path, int] = {}
    sent_bytes = 0
    for number in range(CUTS):
        cut = Cut(machine, chance.randrange(1, 400_000), stops_machine=number % 4 == 3)
        saved = machine.save(
            archive,
            machine.order(*sizes, bytes_per_s=1_000_000),
            on_progress=cut.on_progress,
            should_stop=lambda cut=cut: cut.is_told_to_stop,  # type: ignore[misc]
            hash_files=lambda *_: {},
        )
        assert saved.trouble is not None
        assert saved.trouble.kind in (TroubleKind.STOPPED, TroubleKind.CONNECTION_CUT)
        assert not saved.manifest
        sent_bytes += cut.seen_bytes
        cut.mend()
        copied = {path: path.stat().st_ino for path in (there / PLACE.path).rglob("*") if whole(path)}
        assert done.items() <= copied.items(), "something that was there was copied again"
        done = copied
    assert 0 < len(done) < FILES
    told: list[Progress] = []
    saved = machine.save(archive, machine.order(*sizes), on_progress=told.append)
    assert saved.trouble is None
    assert {entry.state.path: entry.state.size_bytes for entry in saved.manifest} == sizes
    assert done.items() <= {path: path.stat().st_ino for path in (there / PLACE.path).rglob("*")}.items()
    assert told[-1].files == FILES - len(done)
    # Each cut costs what was in flight: four files at once.
    assert sent_bytes + told[-1].size_bytes <= sum(sizes.values()) + CUTS * 4 * 200_000
    assert not list(there.rglob("*.partial"))
    assert not (there / PLACE.path / "earlier").exists()


class Cut:
    """Ends a copy once so many bytes were sent: it is told to stop, or its machine goes away."""

    def __init__(self, machine: Machine, after_bytes: int, *, stops_machine: bool) -> None:
        self.machine, self.after_bytes, self.stops_machine = machine, after_bytes, stops_machine
        self.seen_bytes = 0
        self.is_told_to_stop = self.is_stopped = False

    def on_progress(self, progress: Progress) -> None:
        self.seen_bytes = max(self.seen_bytes, progress.size_bytes)
        if progress.size_bytes < self.after_bytes:
            return
        if not self.stops_machine:
            self.is_told_to_stop = True
        elif not self.is_stopped:
            self.machine.provider.stop(self.machine.ref)
            self.is_stopped = True

    def mend(self) -> None:
        if self.is_stopped:
            restart(self.machine, lambda: self.machine.provider.start(self.machine.ref))


def restart(machine: Machine, start: Callable[[], None]) -> None:
    start()
    seen = eventually(lambda: machine.provider.get(machine.ref), lambda seen: bool(seen and seen.address), 20)
    assert seen is not None
    machine.seen = seen


def whole(path: Path) -> bool:
    return path.is_file() and not path.name.endswith(".partial")


def test_a_full_disk_of_the_machine_keeps_nothing_from_being_saved(machine: Machine, archive: RcloneArchive) -> None:
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(machine.data)]
    if os.getuid() or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("mounting needs root")
    try:
        (machine.data / "model.pt").write_bytes(b"x" * 1000)
        fill = ["dd", "if=/dev/zero", f"of={machine.data / 'log'}", "bs=64k"]
        assert b"No space left" in subprocess.run(fill, check=False, capture_output=True).stderr
        inventory, states = machine.inventory()
        assert inventory.why_unknown is None
        saved = machine.save(archive, machine.order(*(state.path for state in states)))
        assert saved.trouble is None
        assert {b"~/work/model.pt", b"~/work/log"} <= {entry.state.path for entry in saved.manifest}
    finally:
        subprocess.run(["umount", "-l", str(machine.data)], check=True)


def test_a_file_that_the_login_user_may_not_read_is_told_and_stops_nothing(
    machine: Machine, archive: RcloneArchive
) -> None:
    (machine.data / "closed").write_bytes(b"1")
    (machine.data / "open").write_bytes(b"2")
    (machine.data / "closed").chmod(0)
    if os.getuid() == 0:
        os.chown(machine.data / "closed", 65534, 65534)
        machine.provider.stop(machine.ref)
        with ThreadPoolExecutor(1) as pool:  # what a thread gives up its children lack, and nobody else
            restart(machine, lambda: pool.submit(_start_without_rights, machine).result())
    saved = machine.save(archive, machine.order(b"~/work/closed", b"~/work/open"))
    assert saved.trouble is None
    assert [(result.fate, result.reason) for result in saved.results] == [
        (Fate.FAILED, Reason.UNREADABLE),
        (Fate.VERIFIED, None),
    ]


def _start_without_rights(machine: Machine) -> None:
    libc = ctypes.CDLL(None)
    for right in (_DAC_OVERRIDE, _DAC_READ_SEARCH):
        libc.prctl(_CAPBSET_DROP, right, 0, 0, 0)
    machine.provider.start(machine.ref)
