"""``~/work`` over SFTP, on OpenSSH: whole files, nobody's overwritten, and every way in which it does not go."""

import os
import stat
import subprocess
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import psutil
import pytest

from bot.domain.drops.drop import EntryKind
from bot.errors import FolderFull, FolderRefused, NoFileTransfer, StepTimedOut, Unreachable
from bot.remote.folder import SftpFolders
from bot.remote.ssh import SshRemote
from tests.remote.servers import AsyncsshServer, Key, Sshd, wait_until

KIB, MIB = 1024, 1024**2
OTHER = "数据\n'$(id)"


@pytest.fixture(scope="module")
def server(sshd_ready: None, lease_key: Key, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    """OpenSSH whose SFTP sessions begin in a home of the test's own."""
    root = tmp_path_factory.mktemp("sftp")
    running = Sshd(root, lease_key, options=(f"Subsystem sftp internal-sftp -u 0077 -d {root}/home",))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def work(server: Sshd) -> Path:
    folder = server.home / "work"
    folder.mkdir(exist_ok=True)
    return folder


def test_a_file_is_written_whole_and_renamed(remote: SshRemote, server: Sshd, work: Path) -> None:
    pieces = [bytes([n]) * size for n, size in enumerate((1, 65_536, 0, 40_000, 3 * MIB))]
    with SftpFolders(remote).open(server.login(), 20) as folder:
        entry = folder.write("part", iter(pieces), sum(map(len, pieces)))
        assert folder.look("part") == entry
        assert folder.move("part", OTHER)
        assert folder.look("part") is None
        assert folder.write("empty", iter(()), 0).size_bytes == 0
        folder.remove("empty")
        folder.remove("empty")
    assert (work / OTHER).read_bytes() == b"".join(pieces)
    assert stat.S_IMODE((work / OTHER).stat().st_mode) == 0o644
    assert (entry.kind, entry.size_bytes) == (EntryKind.FILE, sum(map(len, pieces)))
    assert entry.changed_at == int((work / OTHER).stat().st_mtime)


def test_nothing_that_is_there_is_written_over_or_through(remote: SshRemote, server: Sshd, work: Path) -> None:
    (work / "taken").write_bytes(b"precious")
    (server.home / "outside").write_bytes(b"precious")
    (work / "link").symlink_to(server.home / "outside")
    (work / "nowhere").symlink_to(server.home / "not-there")
    with SftpFolders(remote).open(server.login(), 20) as folder:
        assert folder.look("link") is not None
        for name in ("link", "nowhere"):
            entry = folder.look(name)
            assert entry is not None
            assert entry.kind is EntryKind.LINK
        folder.write("mine", iter((b"x",)), 1)
        assert [folder.move("mine", name) for name in ("taken", "link")] == [False, False]
    for name in ("link", "nowhere", "taken"):
        with SftpFolders(remote).open(server.login(), 20) as folder, pytest.raises(FolderRefused):
            folder.write(name, iter((b"new",)), 3)
    assert (work / "taken").read_bytes() == (server.home / "outside").read_bytes() == b"precious"
    assert not (server.home / "not-there").exists()


def test_memory_stays_flat(remote: SshRemote, server: Sshd, work: Path) -> None:
    piece = os.urandom(64 * KIB)
    tracemalloc.start()
    with SftpFolders(remote).open(server.login(), 60) as folder:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        entry = folder.write("large", (piece for _ in range(512)), 32 * MIB)
        peak = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    assert entry.size_bytes == 32 * MIB
    assert peak < 6 * MIB
    (work / "large").unlink()


def test_a_full_disk_is_told_as_such(remote: SshRemote, server: Sshd, work: Path) -> None:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", work], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    try:
        with SftpFolders(remote).open(server.login(), 20) as folder, pytest.raises(FolderFull) as full:
            folder.write("too-large", iter((b"x" * 300 * KIB,)), 300 * KIB)
        assert full.value.free_bytes == 256 * KIB
        assert not list(work.iterdir())
        with SftpFolders(remote).open(server.login(), 20) as folder, pytest.raises(FolderFull):
            folder.write("larger-than-told", (b"x" * 64 * KIB for _ in range(5)), 64 * KIB)
    finally:
        subprocess.run(["umount", "-l", work], check=True)


def test_the_folder_is_made_and_what_is_no_folder_is_refused(remote: SshRemote, server: Sshd, work: Path) -> None:
    moved = work.rename(server.home / "moved")
    with SftpFolders(remote).open(server.login(), 20) as folder:
        assert folder.look("x") is None
    assert work.is_dir()
    work.rmdir()
    work.write_bytes(b"")
    with pytest.raises(FolderRefused, match="no folder"), SftpFolders(remote).open(server.login(), 20):
        pass
    work.unlink()
    moved.rename(work)


def test_a_machine_without_sftp(remote: SshRemote, sshd: Sshd) -> None:
    with pytest.raises(NoFileTransfer), SftpFolders(remote).open(sshd.login(), 20):
        pass
    assert remote.run_script(sshd.login(), "echo well", (), b"", 20).text == "well\n"


def test_a_connection_that_dies_or_stands_still_meanwhile(
    remote: SshRemote, start_sshd: Callable[..., Sshd], tmp_path: Path
) -> None:
    server = start_sshd(options=(f"Subsystem sftp internal-sftp -d {tmp_path}/sshd0/home",))

    def pieces(then: Callable[[psutil.Process], None]) -> Iterator[bytes]:
        yield b"x" * MIB
        wait_until(lambda: (server.home / "work" / "part").stat().st_size > 0)
        for process in server.family()[1:]:
            then(process)
        while True:
            yield b"x" * MIB

    with pytest.raises(Unreachable), SftpFolders(remote).open(server.login(), 20) as folder:
        folder.write("part", pieces(psutil.Process.kill), 0)
    (server.home / "work" / "part").unlink()
    began = monotonic()
    with pytest.raises(StepTimedOut), SftpFolders(remote).open(server.login(), 3) as folder:
        folder.write("part", pieces(psutil.Process.suspend), 0)
    assert monotonic() - began < 10


def test_the_connection_is_kept_for_the_next_step(remote: SshRemote, asyncssh_server: AsyncsshServer) -> None:
    remote.run_script(asyncssh_server.login(), "echo hello", (), b"", 20)
    with pytest.raises(NoFileTransfer), SftpFolders(remote).open(asyncssh_server.login(), 20):
        pass
    assert len(asyncssh_server.connections) == 1
