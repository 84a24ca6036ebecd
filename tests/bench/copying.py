"""300 MB from a machine into the archive: OpenSSH on this computer, a folder as the archive.

Two comparisons with rclone alone, between the same ends: the copying, which rclone checks by a hash a file as it does
by default; and the whole, in which ours hashes both sides and rclone follows with ``rclone check``.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from bot.archive.environment import MACHINE, base_environment, find_rclone, machine_environment
from bot.archive.rclone import RcloneArchive
from bot.domain.inventory.hashes import Answers, HashKind, hash_request, parse_hashes
from bot.domain.inventory.verification import Fate
from bot.ports.archive import CopyOrder, Place
from bot.ports.remote import Login, Step
from bot.remote.ssh import SshRemote
from tests.bench.rows import Row, Say, at_least
from tests.remote.servers import Key, Sshd

FILES, FILE_MB = 30, 10
REPEATS = 5
LEAST = 0.9
_WITHIN_S = 120.0


class _Timed(RcloneArchive):
    """The product's archive, which notes how long its copying took."""

    copied_s = 0.0

    def _copy(self, *args: Any, **how: Any) -> Any:
        began = time.perf_counter()
        try:
            return super()._copy(*args, **how)
        finally:
            self.copied_s += time.perf_counter() - began


def measure(folder: Path, say: Say) -> list[Row]:
    """Medians of rates, in turn, each into an empty archive."""
    server = Sshd(
        folder / "sshd", Key.fresh(), kinds=("ed25519",), options=("Subsystem sftp internal-sftp", "LogLevel ERROR")
    )
    server.start()
    remote = SshRemote()
    rates: dict[str, list[float]] = {}
    paths = tuple(f"~/work/checkpoint-{number:02}.pt".encode() for number in range(FILES))
    try:
        data = server.home / "work"
        data.mkdir()
        for number in range(FILES):
            (data / f"checkpoint-{number:02}.pt").write_bytes(os.urandom(FILE_MB * 1_000_000))
        login = server.login(server.host_keys["ed25519"])
        for number in range(REPEATS + 1):
            told = ours(folder, server, login, remote, (paths,)) | peer(folder, login, data)
            for name, seconds in told.items():
                rates.setdefault(name, []).append(FILES * FILE_MB / seconds)
            say(f"  {number} of {REPEATS}: " + ", ".join(f"{name} {rate[-1]:.0f} MB/s" for name, rate in rates.items()))
    finally:
        remote.close()
        server.stop()
    middle = {name: median(told[1:]) for name, told in rates.items()}
    megabytes = FILES * FILE_MB
    return [
        at_least(f"copying {megabytes} MB", middle["ours"], middle["rclone"], "MB/s", LEAST),
        at_least(f"{megabytes} MB copied and verified", middle["ours whole"], middle["rclone whole"], "MB/s"),
    ]


def ours(
    folder: Path, server: Sshd, login: Login, remote: SshRemote, parts: Sequence[tuple[bytes, ...]]
) -> dict[str, float]:
    """Seconds of copying, and of the whole, into an empty archive; part by part, as the product does."""
    there = folder / "archive"
    archive = _Timed(str(there), folder / "run", os.environ)
    archive.hash_kind()

    def hash_files(paths: Sequence[bytes], kind: HashKind) -> Answers:
        stdin = hash_request(paths, kind, within_s=_WITHIN_S)
        return parse_hashes(remote.run(login, Step.HASH_FILES, (), stdin, _WITHIN_S).text, paths)

    began = time.perf_counter()
    for paths in parts:
        order = CopyOrder(
            login=login,
            home=os.fsencode(server.home),
            place=Place("U1", "amber-fox-1"),
            paths=paths,
            stamp="1",
        )
        saved = archive.save(order, hash_files, lambda _: None, lambda: False, lambda: datetime.now(UTC))
        assert all(result.fate is Fate.VERIFIED for result in saved.results), saved
    whole_s = time.perf_counter() - began
    shutil.rmtree(there)
    return {"ours": archive.copied_s, "ours whole": whole_s}


def peer(folder: Path, login: Login, data: Path) -> dict[str, float]:
    """The same of rclone alone."""
    there = folder / "peer"
    environment = base_environment(os.environ) | machine_environment(login, folder / "known_hosts")
    environment[f"RCLONE_CONFIG_{MACHINE.upper()}_SHELL_TYPE"] = "unix"
    del environment[f"RCLONE_CONFIG_{MACHINE.upper()}_DISABLE_HASHCHECK"]
    run: Callable[[str], Any] = lambda verb: subprocess.run(  # noqa: E731
        [find_rclone() or "rclone", verb, f"{MACHINE}:{data}", str(there)],
        env=environment, check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    began = time.perf_counter()
    run("copy")
    copied_s = time.perf_counter() - began
    run("check")
    whole_s = time.perf_counter() - began
    shutil.rmtree(there)
    return {"rclone": copied_s, "rclone whole": whole_s}
